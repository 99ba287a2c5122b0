"""The entity tag of a record covers everything by which its presentations differ."""

import re
from pathlib import Path

import pytest

import calendar_app
from calendar_app.api.http.views.tags import SHOWN_SETTINGS

PACKAGE = Path(calendar_app.__file__).parent
# Methods of the settings, by the settings that they read.
METHODS = {"chain": "fallback", "chains": "fallback"}


@pytest.mark.parametrize("package", ["readmodel", "api/presentation"])
def test_a_tag_covers_every_setting_that_a_record_shows(package):
    read = {
        METHODS.get(name, name)
        for file in (PACKAGE / package).glob("*.py")
        for name in re.findall(r"settings\.(\w+)", file.read_text())
    }
    assert read
    assert read <= set(SHOWN_SETTINGS)
