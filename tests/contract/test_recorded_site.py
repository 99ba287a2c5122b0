"""A site of 2,000 events, as The Events Calendar told it, is told the same after its import."""

import gzip
import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from calendar_app.app import create_app
from calendar_app.cli import main
from calendar_app.settings import Settings

pytestmark = pytest.mark.needs_mongodb

RECORDED = Path(__file__).parent / "recorded" / "tec-site.jsonl.gz"
# A cost is shown in the language of the reader.
FREE = ".cost: 'Free' is shown as 'Kostenlos'"
# Names and addresses that this service has of its own: the taxonomy, the pages of terms.
OWN = {"taxonomy", "rest_url", "next_rest_url", "previous_rest_url"}
WORDPRESS = {
    "languages": ["de"],
    "default_language": "de",
    "timezone": "Europe/Zurich",
    "namespace": "tribe/events/v1",
    "api_prefix": "/wp-json",
    "site_url": "http://127.0.0.1:8090",
}


def differences(told, shown, at=""):
    """Yield the places where what is shown differs from what the site told."""
    if isinstance(told, dict) and isinstance(shown, dict):
        for name in told.keys() - OWN:
            yield from differences(told[name], shown.get(name), f"{at}.{name}")
    elif isinstance(told, list) and isinstance(shown, list) and len(told) == len(shown):
        for one, other in zip(told, shown, strict=True):
            yield from differences(one, other, at)
    elif told != shown:
        yield f"{at}: {told!r} is shown as {shown!r}"


@pytest.fixture
def imported(database, mongod_uri):
    """Return what the command says, the first time and the second, and a client of the service."""
    environment = {"CALENDAR_MONGODB_URI": mongod_uri, "CALENDAR_LANGUAGES": "de"}
    environment |= {"CALENDAR_DEFAULT_LANGUAGE": "de", "CALENDAR_TIMEZONE": "Europe/Zurich"}
    command = ["import", "tec", str(RECORDED)]
    said = [CliRunner().invoke(main, command, env=environment).stdout for _ in range(2)]
    return said, create_app(Settings.load(environment={}, **WORDPRESS), database).test_client()


def test_whole_site_is_told_the_same_and_repeating_changes_nothing(imported):
    (first, second), client = imported
    assert first.splitlines()[-1] == "all: 2112 created, 0 updated, 0 unchanged, 0 refused"
    assert second.splitlines()[-1] == "all: 0 created, 0 updated, 2112 unchanged, 0 refused"
    with gzip.open(RECORDED, "rt", encoding="utf-8") as lines:
        for page in map(json.loads, lines):
            shown = client.get(f"/wp-json/tribe/events/v1{page['path']}").json
            wrong = [
                told
                for told in differences(page["body"], shown)
                if ".categories.url: " not in told and not told.endswith(FREE)
            ]
            assert wrong == [], page["path"]
