"""The register of a source: which places and organizers of ours it means."""

import pytest
from sent_places import BARE, CELERINA, CLUB, SAMEDAN, event, fields_of


@pytest.fixture
def register(as_editor):
    """Return a function that returns the entries of the register of a source, by their names."""

    def entries(source=1, **query):
        body = as_editor.get(f"/sources/{source}/register", **query).json
        return {each["name"]: each for each in body["entries"]}

    return entries


def named(name, **address):
    return {"venue": name, **address}


@pytest.mark.parametrize("way", ["csv", "jsonld", "push"])
def test_register_lists_what_a_source_calls_places(take_in, register, way):
    (first,) = take_in(way, event(SAMEDAN))
    entry = register(kind="venue")["Kirchgemeindehaus"]
    assert (entry["record"], entry["events"]) == (first["venue"]["id"], 1)
    assert entry["address"] == "Surtuor 2, 7503 Samedan"
    assert register(kind="organizer")["Frauenverein"]["kind"] == "organizer"


@pytest.mark.parametrize("way", ["csv", "jsonld", "push"])
def test_place_that_was_renamed_here_stays_the_same_for_its_source(take_in, as_editor, way):
    (first,) = take_in(way, event(SAMEDAN))
    venue = first["venue"]["id"]
    as_editor.put(f"/venues/{venue}", venue="Gemeindesaal", address="Surtuor 4", city="Celerina")
    (second,) = take_in(way, event(SAMEDAN))
    assert second["venue"]["id"] == venue


@pytest.mark.parametrize("way", ["csv", "jsonld", "push"])
def test_corrected_place_is_that_of_all_events_from_then_on(
    take_in, register, as_editor, make_venue, way
):
    sent = event(BARE)
    take_in(way, sent)
    right = make_venue(venue="Kirchgemeindehaus Dorf", city="Samedan")["id"]
    entry = register(kind="venue")["Kirchgemeindehaus"]["id"]
    answer = as_editor.patch(f"/sources/1/register/{entry}", record=right)
    assert (answer.status_code, answer.json["record"]) == (200, right)
    first, second = take_in(way, sent, event(BARE))
    assert [first["venue"]["id"], second["venue"]["id"]] == [right, right]


def test_correction_leaves_an_event_whose_place_was_edited_here(
    take_in, register, as_editor, make_venue
):
    sent = event(BARE)
    (first,) = take_in("csv", sent)
    own, right = (make_venue(venue=name)["id"] for name in ("Own", "Right"))
    as_editor.put(f"/events/{first['id']}", venue=own)
    entry = register(kind="venue")["Kirchgemeindehaus"]["id"]
    as_editor.patch(f"/sources/1/register/{entry}", record=right)
    (first,) = take_in("csv", sent)
    assert first["venue"]["id"] == own


def test_correction_of_one_name_can_be_that_of_all_with_the_same_record(
    take_in, register, as_editor, make_venue
):
    hall = {"venue": "Turnhalle", "city": "Dorta"}
    take_in("csv", event(hall), event({**hall, "zip": "7000"}), event(CELERINA))
    right = make_venue(venue="Mehrzweckhalle")["id"]
    entry = register(kind="venue")["Turnhalle"]
    as_editor.patch(f"/sources/1/register/{entry['id']}", record=right, same=True)
    body = as_editor.get("/sources/1/register", kind="venue").json
    assert sorted(each["record"] == right for each in body["entries"]) == [False, True, True]


@pytest.mark.parametrize("gone", ["trash", "delete"])
def test_place_that_was_deleted_is_looked_for_again(take_in, register, as_editor, gone):
    (first,) = take_in("csv", event(SAMEDAN))
    as_editor.delete(f"/venues/{first['venue']['id']}", force=gone == "delete")
    assert register(kind="venue")["Kirchgemeindehaus"]["record"] == 0
    (second,) = take_in("csv", event(SAMEDAN))
    assert second["venue"]["id"] != first["venue"]["id"]
    assert register(kind="venue")["Kirchgemeindehaus"]["record"] == second["venue"]["id"]


@pytest.mark.parametrize(
    ("sent", "status"), [({"record": 999}, 400), ({"record": "x"}, 400), ({}, 400)]
)
def test_wrong_correction_is_refused(take_in, register, as_editor, sent, status):
    take_in("csv", event(SAMEDAN))
    entry = register(kind="venue")["Kirchgemeindehaus"]
    answer = as_editor.patch(f"/sources/1/register/{entry['id']}", **sent)
    assert (answer.status_code, [*answer.json["data"]["params"]]) == (status, ["record"])
    assert register(kind="venue")["Kirchgemeindehaus"] == entry


def test_unknown_entry_is_named(take_in, as_editor):
    take_in("csv", event(SAMEDAN))
    answer = as_editor.patch("/sources/1/register/none", record=0)
    assert (answer.status_code, answer.json["code"]) == (404, "rest-entry-not-found")
    answer = as_editor.patch("/sources/99/register/none", record=0)
    assert (answer.status_code, answer.json["code"]) == (404, "rest-source-not-found")


def test_second_of_two_corrections_at_once_is_refused(take_in, register, as_editor, make_venue):
    (first,) = take_in("csv", event(SAMEDAN))
    one, two = (make_venue(venue=name)["id"] for name in ("One", "Two"))
    path = f"/sources/1/register/{register(kind='venue')['Kirchgemeindehaus']['id']}"
    was = first["venue"]["id"]
    assert as_editor.patch(path, record=one, was=was).status_code == 200
    assert as_editor.patch(path, record=two, was=was).status_code == 412


def test_place_that_was_deleted_is_corrected_as_it_was_seen(
    take_in, register, as_editor, make_venue
):
    (first,) = take_in("csv", event(SAMEDAN))
    as_editor.delete(f"/venues/{first['venue']['id']}")
    seen, right = register(kind="venue")["Kirchgemeindehaus"], make_venue(venue="Right")["id"]
    answer = as_editor.patch(f"/sources/1/register/{seen['id']}", record=right, was=seen["record"])
    assert (answer.status_code, answer.json.get("record")) == (200, right)


def test_names_that_mean_nothing_yet_are_not_the_same(take_in, register, as_editor, make_venue):
    take_in("csv", event(SAMEDAN), event({**SAMEDAN, "venue": "Sela Puoz"}))
    halls = register(kind="venue")
    for each in halls.values():
        as_editor.patch(f"/sources/1/register/{each['id']}", record=0)
    right = make_venue(venue="Right")["id"]
    path = f"/sources/1/register/{halls['Sela Puoz']['id']}"
    assert as_editor.patch(path, record=right, same=True).status_code == 200
    records = {name: each["record"] for name, each in register(kind="venue").items()}
    assert records == {"Sela Puoz": right, "Kirchgemeindehaus": 0}


def test_register_is_for_those_who_manage_sources(take_in, anyone):
    take_in("csv", event(SAMEDAN))
    assert anyone.get("/sources/1/register").status_code == 401
    assert anyone.patch("/sources/1/register/abc", record=1).status_code == 401


# Its own ids, and what follows.

WITH_IDS = ["jsonld", "push"]


def place(number, **texts):
    return {**SAMEDAN, "place_id": f"https://samedan.example/halls/{number}", **texts}


@pytest.mark.parametrize("way", WITH_IDS)
def test_place_keeps_its_id_when_its_source_renames_and_moves_it(take_in, way):
    sent = event(place(1))
    (first,) = take_in(way, sent)
    moved = {"venue": "Neues Gemeindehaus", "address": "Plaz 1"}
    (after,) = take_in(way, {**sent, "venue": place(1, **moved)})
    assert after["venue"]["id"] == first["venue"]["id"]
    assert fields_of(after, moved) == moved


def test_edited_field_of_a_place_stays_and_the_report_names_it(take_in, as_editor):
    sent = event(place(1))
    (first,) = take_in("jsonld", sent)
    as_editor.put(f"/venues/{first['venue']['id']}", address="Surtuor 22")
    moved = {**sent, "venue": place(1, address="Plaz 1", zip="7504")}
    (after,) = take_in("jsonld", moved)
    assert (after["venue"]["address"], after["venue"]["zip"]) == ("Surtuor 22", "7504")
    reading = as_editor.get("/sources/1/readings").json["readings"][0]
    (entry,) = as_editor.get(f"/sources/1/readings/{reading['id']}").json["entries"]
    assert (entry["fields"], entry["kept"]) == (["venues.zip"], ["venues.address"])


def test_source_with_authority_over_places_overwrites_what_was_edited_here(take_in, as_editor):
    sent = event(place(1))
    (first,) = take_in("jsonld", sent)
    as_editor.patch("/sources/1", authority={"venues": "source"})
    as_editor.put(f"/venues/{first['venue']['id']}", address="Surtuor 22")
    (after,) = take_in("jsonld", {**sent, "venue": place(1, address="Plaz 1")})
    assert after["venue"]["address"] == "Plaz 1"


@pytest.mark.parametrize("way", WITH_IDS)
def test_organizer_follows_its_source_by_its_id(take_in, way):
    club = {**CLUB, "organizer_id": "https://samedan.example/clubs/1"}
    sent = event(SAMEDAN, club)
    (first,) = take_in(way, sent)
    (after,) = take_in(way, {**sent, "organizer": {**club, "email": "new@example.org"}})
    (before,), (organizer,) = first["organizer"], after["organizer"]
    assert (organizer["id"], organizer["email"]) == (before["id"], "new@example.org")


@pytest.mark.parametrize("wrong", [["x"], True, "x" * 1001])
def test_id_of_a_pushed_place_that_is_no_text_is_refused(take_in, as_editor, wrong):
    take_in("push", event(SAMEDAN))
    own = event({**SAMEDAN, "place_id": wrong})
    answer = as_editor.put(f"/events/by-source/1/{own.pop('uid')}", **own)
    assert (answer.status_code, [*answer.json["data"]["params"]]) == (400, ["venue"])


# The town of a source.


def test_place_without_a_town_lies_in_the_town_of_its_source(take_in, as_editor):
    (own,) = take_in("csv", event(BARE))
    as_editor.patch("/sources/1", town="Samedan")
    _, second = take_in("csv", event(CELERINA), event({**BARE, "address": "Surtuor 2"}))
    assert fields_of(second, SAMEDAN) == {
        **BARE,
        "address": "Surtuor 2",
        "zip": "",
        "city": "Samedan",
    }
    assert own["venue"]["id"] != second["venue"]["id"]


def test_two_sources_with_towns_share_no_hall_of_one_name(take_in, as_editor):
    for name in ("Samedan", "Celerina"):
        take_in("csv", event(SAMEDAN), name=name)
    as_editor.patch("/sources/1", town="Samedan")
    as_editor.patch("/sources/2", town="Celerina")
    (first,) = take_in("csv", event(named("Turnhalle")), name="Samedan")
    (second,) = take_in("csv", event(named("Turnhalle")), name="Celerina")
    assert [each["venue"]["city"] for each in (first, second)] == ["Samedan", "Celerina"]


@pytest.mark.parametrize(
    ("line", "parts"),
    [
        ("Plaz 3, 7505 Celerina", ["Plaz 3", "7505", "Celerina"]),
        ("Celerina", ["", "", "Celerina"]),
        ("Plaz 3, Celerina", ["Plaz 3", "", "Celerina"]),
        ("Plaz 3", ["Plaz 3", "", "Samedan"]),
        ("Plaz", ["Plaz", "", ""]),
    ],
)
def test_town_in_the_address_comes_before_that_of_the_source(take_in, as_editor, line, parts):
    for name in ("Samedan", "Celerina"):
        take_in("csv", event(SAMEDAN), name=name)
    as_editor.patch("/sources/1", town="Samedan")
    as_editor.patch("/sources/2", town="Celerina")
    (own,) = take_in("csv", event(named("Turnhalle", address=line)), name="Samedan")
    assert [own["venue"].get(name, "") for name in ("address", "zip", "city")] == parts


def test_organizer_by_name_alone_is_not_that_of_another_town(take_in, as_editor):
    for name in ("Samedan", "Celerina"):
        take_in("csv", event(SAMEDAN, {"organizer": name}), name=name)
        as_editor.patch(f"/sources/{1 if name == 'Samedan' else 2}", town=name)
    take_in("csv", event(SAMEDAN, CLUB), name="Samedan")
    (first,) = take_in("csv", event(CELERINA, {"organizer": "Frauenverein"}), name="Celerina")
    (second,) = take_in("csv", event(SAMEDAN, {"organizer": "Frauenverein"}), name="Samedan")
    addresses = [each["organizer"][0].get("email") for each in (first, second)]
    assert addresses == [None, CLUB["email"]]


def test_place_that_was_renamed_here_is_that_of_another_source_too(take_in, as_editor):
    (first,) = take_in("csv", event(SAMEDAN), name="One")
    venue = first["venue"]["id"]
    as_editor.put(f"/venues/{venue}", venue="Gemeindesaal")
    (second, third) = take_in("csv", event(SAMEDAN), event(CELERINA), name="Two")
    assert second["venue"]["id"] == venue != third["venue"]["id"]


def test_place_gets_the_town_that_another_source_says(take_in):
    street = {"venue": "Kongresszentrum", "address": "Schulstrasse 3"}
    (first,) = take_in("csv", event(street), name="One")
    whole = {**street, "zip": "7554", "city": "Sent"}
    (second,) = take_in("csv", event(whole), name="Two")
    assert second["venue"]["id"] == first["venue"]["id"]
    assert fields_of(second, whole) == whole


def test_place_that_was_edited_here_is_not_completed(take_in, as_editor):
    street = {"venue": "Kongresszentrum", "address": "Schulstrasse 3"}
    (first,) = take_in("csv", event(street), name="One")
    as_editor.put(f"/venues/{first['venue']['id']}", address="Schulstrasse 3a")
    take_in("csv", event({**street, "zip": "7554", "city": "Sent"}), name="Two")
    assert "city" not in as_editor.get(f"/venues/{first['venue']['id']}").json
