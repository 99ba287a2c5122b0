"""``calendar-app check`` names missing settings of webhooks."""

import pytest
from click.testing import CliRunner

from calendar_app.cli.main import main


@pytest.mark.parametrize(("site_url", "lacks"), [("", True), ("https://calendar.example", False)])
@pytest.mark.usefixtures("database")
def test_check_names_webhooks_without_an_address_of_the_site(as_admin, mongod_uri, site_url, lacks):
    as_admin.post("/webhooks", name="Mirror", address="https://mirror.example/changes")
    environment = {
        "CALENDAR_MONGODB_URI": mongod_uri,
        "CALENDAR_LANGUAGES": "de,rm",
        "CALENDAR_DEFAULT_LANGUAGE": "de",
        "CALENDAR_SITE_URL": site_url,
    }
    result = CliRunner().invoke(main, ["check"], env=environment)
    assert ("1 webhooks need the setting site_url" in result.stdout) is lacks
