"""Lists of venues and of organizers: their order, their search and their filters."""

import pytest

KINDS = [("venue", "venues"), ("organizer", "organizers")]


def names(answer, collection):
    assert answer.status_code == 200, answer.json
    return [record[collection[:-1]] for record in answer.json[collection]]


@pytest.mark.parametrize(("field", "collection"), KINDS)
def test_newest_records_come_first(as_admin, field, collection):
    for name, date in (("Old", "2029-01-01"), ("New", "2029-12-01"), ("Middle", "2029-06-01")):
        as_admin.post(f"/{collection}", **{field: name}, date=date)

    assert names(as_admin.get(f"/{collection}"), collection) == ["New", "Middle", "Old"]


def test_venues_are_searched_by_name_description_and_address(make_venue, anyone):
    make_venue(
        venue="Tonhalle",
        description="Konzerthaus am See",
        address="Claridenstrasse 7",
        city="Zürich",
        country="Schweiz",
        zip="8002",
        phone="044 206",
        website="https://ton.example/",
    )
    make_venue(venue="Other")
    for text in ("tonhalle", "KONZERT", "claridens", "zurich", "schweiz", "8002", "206"):
        answer = anyone.get("/venues", search=text)
        assert names(answer, "venues") == ["Tonhalle"], text
    assert names(anyone.get("/venues", search="ton zürich"), "venues") == ["Tonhalle"]
    assert names(anyone.get("/venues", search="tonhalle bern"), "venues") == []


def test_organizers_are_searched_by_name_description_and_contact(make_organizer, anyone):
    make_organizer(
        organizer="Jazzclub",
        description="Wir swingen",
        phone="044 206",
        website="https://jazz.example/",
        email="info@jazz.example",
    )
    make_organizer(organizer="Other")
    for text in ("jazzclub", "swing", "206", "jazz.example", "info@jazz"):
        answer = anyone.get("/organizers", search=text)
        assert names(answer, "organizers") == ["Jazzclub"], text


@pytest.mark.parametrize(("field", "collection"), KINDS)
def test_they_are_listed_by_event_and_use(as_admin, make_event, field, collection):
    ids = {
        name: as_admin.post(f"/{collection}", **{field: name}).json["id"]
        for name in ("Past", "Coming", "Unused")
    }
    past = {"start_date": "2029-01-01 10:00:00", "end_date": "2029-01-01 12:00:00"}
    running = {"start_date": "2030-01-01 10:00:00", "end_date": "2030-02-01 12:00:00"}
    event = make_event(**{field: ids["Past"]}, **past)["id"]
    make_event(**{field: ids["Past"]}, **running)
    make_event(**{field: ids["Coming"]})

    def listed(**query):
        return set(names(as_admin.get(f"/{collection}", **query), collection))

    assert listed(event=event) == {"Past"}
    assert listed(has_events="yes") == {"Past", "Coming"}
    assert listed(has_events="no") == {"Unused"}
    assert listed(only_with_upcoming="1") == {"Coming"}
    assert listed(only_with_upcoming="0") == {"Past", "Coming", "Unused"}
    assert as_admin.get(f"/{collection}", event=999999).invalid_params == ["event"]


@pytest.mark.parametrize(("field", "collection"), KINDS)
def test_unknown_orders_are_ignored(as_admin, field, collection):
    as_admin.post(f"/{collection}", **{field: "Name"})
    query = {"orderby": "bogus", "order": "sideways"}

    assert names(as_admin.get(f"/{collection}", **query), collection) == ["Name"]
