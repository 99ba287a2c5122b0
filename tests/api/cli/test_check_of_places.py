"""``calendar-app check --places`` lists places that may be one, and the address to unite them."""

import pytest
from click.testing import CliRunner

from calendar_app.cli.main import main


def checked(mongod_uri):
    environment = {
        "CALENDAR_MONGODB_URI": mongod_uri,
        "CALENDAR_LANGUAGES": "de,rm",
        "CALENDAR_DEFAULT_LANGUAGE": "de",
        "CALENDAR_SITE_URL": "https://calendar.example",
    }
    return CliRunner().invoke(main, ["check", "--places"], env=environment).stdout


@pytest.mark.usefixtures("database")
def test_check_lists_places_to_unite(as_admin, make_event, mongod_uri):
    hall = as_admin.post("/venues", venue="Kulturhalle", city="Samedan").json["id"]
    torn = as_admin.post("/venues", venue="Kulturhalle, Via Maistra 1").json["id"]
    as_admin.post("/venues", venue="Kirche", city="Samedan")
    as_admin.post("/venues", venue="Kirche", city="Chur", slug="chur")
    make_event(venue=hall)
    report = checked(mongod_uri)
    assert f"  {hall} Kulturhalle (Samedan; 1 event)\n" in report
    assert (
        f"    {torn} Kulturhalle, Via Maistra 1 (0 events)"
        f" -> https://calendar.example/desk/venues/{hall}/unite?with={torn}\n"
    ) in report
    assert "Kirche" not in report
    assert "Organizers that are perhaps one: none." in report


SAMEDAN = {"venue": "Turnhalle", "address": "Via Maistra 1", "zip": "7503", "city": "Samedan"}
CELERINA = {"venue": "Turnhalle", "address": "Via Nova 2", "zip": "7505", "city": "Celerina"}


@pytest.mark.usefixtures("database")
def test_check_lists_places_for_which_sources_mean_several(as_admin, mongod_uri):
    club = as_admin.post("/sources", name="Club", kind="push").json["id"]
    for uid, hall in (("1", SAMEDAN), ("2", CELERINA)):
        event = {"title": f"Ball {uid}", "start_date": "2026-12-01 20:00:00"}
        event |= {"end_date": "2026-12-01 22:00:00", "venue": hall}
        sent = as_admin.put(f"/events/by-source/{club}/{uid}", **event)
        assert sent.status_code == 201, sent.json
    assert "Venues that are perhaps several: none.\n" in checked(mongod_uri)
    samedan, celerina = as_admin.get(f"/sources/{club}/register").json["entries"]
    hall = samedan["record"]
    own = f"/sources/{club}/register/{celerina['id']}"
    assert as_admin.patch(own, record=hall).status_code == 200
    report = checked(mongod_uri)
    register = f" -> https://calendar.example/desk/sources/{club}/register\n"
    assert "Venues that are perhaps several: 1.\n" in report
    assert f"    Turnhalle (Via Maistra 1, 7503 Samedan){register}" in report
    assert f"    Turnhalle (Via Nova 2, 7505 Celerina){register}" in report
    assert "Organizers that are perhaps several: none.\n" in report
