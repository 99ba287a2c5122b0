"""The response to a new event has its linked records in their final state."""

DAY = {"title": "Fest", "start_date": "2030-02-01", "end_date": "2030-02-01"}


def test_links_by_id_are_shown_whole(as_admin, make_venue, make_organizer):
    venue, organizer = make_venue(venue="Halle", city="Chur"), make_organizer(organizer="Verein")
    created_record = as_admin.post(
        "/events", **DAY, venue=venue["id"], organizer=[organizer["id"]]
    ).json
    assert created_record["venue"]["city"] == "Chur"
    assert [each["organizer"] for each in created_record["organizer"]] == ["Verein"]


def test_venue_sent_twice_is_answered_in_its_last_state(as_admin, make_venue):
    venue = make_venue(venue="Halle", city="Chur")
    again = {"venue": "Halle", "city": "Thusis"}
    created_record = as_admin.post("/events", **DAY, venue=[venue["id"], again]).json
    venues = (
        created_record["venue"]
        if isinstance(created_record["venue"], list)
        else [created_record["venue"]]
    )
    now = {each["id"]: as_admin.get(f"/venues/{each['id']}").json["city"] for each in venues}
    assert {each["id"]: each["city"] for each in venues} == now


def test_trashed_venue_is_linked_but_not_shown(as_admin, make_venue):
    venue = make_venue()
    as_admin.delete(f"/venues/{venue['id']}")
    assert as_admin.post("/events", **DAY, venue=venue["id"]).json["venue"] == []


def test_each_unknown_link_is_named(as_admin, make_venue):
    refused = as_admin.post("/events", **DAY, venue=[make_venue()["id"], 9998], organizer=9999)
    assert (refused.status_code, refused.invalid_params) == (400, ["venue", "organizer"])
    refused = as_admin.post("/events", **DAY, venue=9998, organizer=9999)
    assert (refused.status_code, refused.invalid_params) == (400, ["venue", "organizer"])


def test_unknown_link_is_named_beside_other_errors(as_admin):
    refused = as_admin.post("/events", **DAY | {"start_date": "never"}, organizer=9999)
    assert refused.status_code == 400
    assert set(refused.invalid_params) == {"start_date", "organizer"}
