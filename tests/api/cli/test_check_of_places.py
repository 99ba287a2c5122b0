"""``calendar-app check --places`` lists what is perhaps one, with the address that unites it."""

import pytest
from click.testing import CliRunner

from calendar_app.cli.main import main


@pytest.mark.usefixtures("database")
def test_check_lists_places_to_unite(as_admin, make_event, mongod_uri):
    hall = as_admin.post("/venues", venue="Kulturhalle", city="Samedan").json["id"]
    torn = as_admin.post("/venues", venue="Kulturhalle, Via Maistra 1").json["id"]
    as_admin.post("/venues", venue="Kirche", city="Samedan")
    as_admin.post("/venues", venue="Kirche", city="Chur", slug="chur")
    make_event(venue=hall)
    environment = {
        "CALENDAR_MONGODB_URI": mongod_uri,
        "CALENDAR_LANGUAGES": "de,rm",
        "CALENDAR_DEFAULT_LANGUAGE": "de",
        "CALENDAR_SITE_URL": "https://calendar.example",
    }
    result = CliRunner().invoke(main, ["check", "--places"], env=environment)
    assert f"  {hall} Kulturhalle (Samedan; 1 event)\n" in result.stdout
    assert (
        f"    {torn} Kulturhalle, Via Maistra 1 (0 events)"
        f" -> https://calendar.example/desk/venues/{hall}/unite?with={torn}\n"
    ) in result.stdout
    assert "Kirche" not in result.stdout
    assert "Organizers that are perhaps one: none." in result.stdout
