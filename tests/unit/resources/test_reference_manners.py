"""Small manners of the reference that programs may rely on."""

import pytest

TERMS = ["categories", "tags"]
REQUIRED = {
    "events": {"title": "Name", "start_date": "2030-03-10 19:00", "end_date": "2030-03-10 22:00"},
    "venues": {"venue": "Name"},
    "organizers": {"organizer": "Name"},
}


def ids(answer, collection):
    assert answer.status_code == 200, answer.json
    return [record["id"] for record in answer.json[collection]]


@pytest.mark.parametrize("collection", TERMS)
def test_lists_of_terms_are_narrowed_by_ids_and_not_by_slugs(as_admin, anyone, collection):
    one, two = (
        as_admin.post(f"/{collection}", name=name).json["id"] for name in ("Theater", "Zirkus")
    )

    def listed(**query):
        return ids(anyone.get(f"/{collection}", hide_empty=False, **query), collection)

    assert listed(include="theater") == []
    assert listed(include=f"theater,{two}") == [two]
    assert listed(exclude="theater") == [one, two]
    assert listed(exclude=f"theater,{two}") == [one]
    assert anyone.get(f"/{collection}", exclude="nope").named == ["exclude"]


@pytest.mark.parametrize("status", ["publish,", "publish,publish", "PUBLISH", "", "any"])
def test_strangers_ask_for_publish_and_nothing_else(anyone, as_subscriber, status):
    for caller in (anyone, as_subscriber):
        for collection in ("events", "venues", "organizers"):
            assert caller.get(f"/{collection}", status=status).named == ["status"]
            assert caller.get(f"/{collection}", status="publish").status_code == 200


def test_an_event_has_one_parent_to_ask_for(anyone, make_event):
    above, other = make_event()["id"], make_event()["id"]
    below = make_event(post_parent=above)["id"]

    assert ids(anyone.get("/events", post_parent=above), "events") == [below]
    for wrong in (f"{above},{other}", 0, "", "abc", 999999):
        assert anyone.get("/events", post_parent=wrong).named == ["post_parent"]
    assert anyone.send("GET", f"/events?post_parent[]={above}").named == ["post_parent"]


def test_dates_beside_include_do_not_count_but_must_be_dates(anyone, make_event):
    event = make_event()["id"]

    for name in ("start_date", "ends_before", "overlaps_from"):
        assert ids(anyone.get("/events", include=event, **{name: "1999-01-01"}), "events") == [
            event
        ]
        assert anyone.get("/events", include=event, **{name: "zzz"}).named == [name]


@pytest.mark.parametrize("word", ["1", "true", "TRUE", "yes", "y", "on", "enable", "enabled"])
def test_a_yes_makes_dates_strict(anyone, make_event, word):
    make_event(start_date="2030-03-10 19:00", end_date="2030-03-10 20:00")

    answer = anyone.get("/events", start_date="2030-03-10 19:01", strict_dates=word)
    assert answer.json["total"] == 0


@pytest.mark.parametrize("word", ["0", "false", "no", "maybe"])
def test_anything_else_leaves_whole_days(anyone, make_event, word):
    make_event(start_date="2030-03-10 19:00", end_date="2030-03-10 20:00")

    answer = anyone.get("/events", start_date="2030-03-10 19:01", strict_dates=word)
    assert answer.json["total"] == 1


def test_a_body_may_say_strict_dates_as_a_boolean(anyone, make_event):
    make_event(start_date="2030-03-10 19:00", end_date="2030-03-10 20:00")

    for strict, total in ((True, 0), (False, 1)):
        sent = {"start_date": "2030-03-10 19:01", "strict_dates": strict}
        assert anyone.send("GET", "/events", json=sent).json["total"] == total
    assert anyone.get("/events", strict_dates="").named == ["strict_dates"]


@pytest.mark.parametrize("field", ["venue", "organizer"])
def test_a_name_in_other_letters_finds_a_record_and_leaves_its_name(as_admin, field):
    collection = f"{field}s"
    first = as_admin.post(f"/{collection}", **{field: "Tonhalle"}).json
    again = as_admin.post(f"/{collection}", **{field: "TONHALLE", "phone": "044"})

    assert again.status_code == 201
    assert again.json["id"] == first["id"]
    assert again.json[field] == "Tonhalle"
    assert again.json["phone"] == "044"


def test_an_empty_object_links_nothing(as_admin, make_event):
    event = make_event(venue={"venue": "Halle"}, organizer={"organizer": "Verein"})
    changed = as_admin.put(f"/events/{event['id']}", venue={}, organizer={}).json

    assert (changed["venue"], changed["organizer"]) == ([], [])


@pytest.mark.parametrize("collection", TERMS)
def test_true_names_a_term(make_event, collection):
    for sent in (True, [True]):
        assert [term["name"] for term in make_event(**{collection: sent})[collection]] == ["1"]


@pytest.mark.parametrize("author", ["x", 2.5])
def test_an_author_that_is_no_number_is_of_the_wrong_type(as_admin, author):
    answer = as_admin.post("/venues", venue="Halle", author=author)

    assert answer.json["data"]["params"] == {"author": "author is not of type integer."}
    assert answer.json["data"]["details"]["author"]["code"] == "rest_invalid_type"


@pytest.mark.parametrize("collection", ["events", "venues", "organizers"])
@pytest.mark.parametrize("status", ["auto-draft", "inherit"])
def test_states_that_wordpress_keeps_for_itself_may_be_sent(as_admin, anyone, collection, status):
    record = as_admin.post(f"/{collection}", **REQUIRED[collection], status=status).json

    assert record["status"] == status
    assert (record["date_utc"] == "0000-00-00 00:00:00") == (status == "auto-draft")
    assert ids(as_admin.get(f"/{collection}", status=status), collection) == [record["id"]]
    assert anyone.get(f"/{collection}/{record['id']}").status_code == 403
    assert anyone.get(f"/{collection}").json["total"] == 0


def test_who_has_saved_nothing_yet_is_in_no_list_unless_asked_for(as_admin, make_event):
    make_event(status="auto-draft")

    for query in ({}, {"status": "any"}):
        assert as_admin.get("/events", **query).json["total"] == 0


def test_contributors_may_not_use_them(as_contributor, make_event):
    for status in ("auto-draft", "inherit"):
        assert make_event(as_contributor, status=status)["status"] == "pending"
