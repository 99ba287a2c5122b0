"""``calendar-app check`` says where the rate of feeds limits nobody."""

import pytest
from click.testing import CliRunner

from calendar_app.cli.main import main

UNLIMITED = "addresses of local networks, such as that of a proxy, have no limit of feeds"


@pytest.mark.parametrize(
    ("proxies", "rate", "is_unlimited"),
    [("", "120/minute", True), ("127.0.0.1", "120/minute", False), ("", "", False)],
)
@pytest.mark.usefixtures("database")
def test_check_says_that_all_clients_may_share_an_address(mongod_uri, proxies, rate, is_unlimited):
    environment = {
        "CALENDAR_MONGODB_URI": mongod_uri,
        "CALENDAR_LANGUAGES": "de,rm",
        "CALENDAR_DEFAULT_LANGUAGE": "de",
        "CALENDAR_TRUSTED_PROXIES": proxies,
        "CALENDAR_FEED_RATE": rate,
    }
    result = CliRunner().invoke(main, ["check"], env=environment)
    assert (UNLIMITED in result.stdout) is is_unlimited
