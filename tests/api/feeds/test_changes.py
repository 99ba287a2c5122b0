"""Who follows a list learns of every change in it, and of nothing else."""

import pytest

from calendar_app.storage.mongo.marks import mark_everything


@pytest.fixture
def following():
    """Return how one follows as some caller from now on, or from a token: changes until now."""

    def follow(client, since=None, **query):
        token = since or client.get("/changes", **query).json["next"]

        def changes():
            nonlocal token
            all_changes, more = [], True
            while more:
                answer = client.get("/changes", since=token, **query)
                assert answer.status_code == 200, answer.json
                token, more = answer.json["next"], answer.json["more"]
                assert answer.json["changes"] or not more
                all_changes += answer.json["changes"]
            return all_changes

        return changes

    return follow


@pytest.fixture
def make(request):
    """Return a function that makes a record of a kind."""
    return lambda kind, **changes: request.getfixturevalue(f"make_{kind}")(**changes)


def short(changes):
    return [(each["change"], each["id"]) for each in changes]


def test_a_mirror_begins_with_all_records_and_goes_on(anyone, following, make_event):
    ids = [
        make_event(start_date=f"{year}-05-01", end_date=f"{year}-05-02")["id"]
        for year in (2020, 2030, 2040)
    ]
    changes = following(anyone, since="start", per_page=2)
    assert short(changes()) == [("upsert", each) for each in ids]
    another = make_event(title="Another")
    (change,) = changes()
    assert (change["kind"], change["id"], change["change"]) == ("events", another["id"], "upsert")
    assert change["record"] == anyone.get("/events", include=another["id"]).json["events"][0]
    assert changes() == []


def test_changes_come_in_the_order_of_commits_each_record_once(
    anyone, as_admin, following, make_event
):
    changes = following(anyone)
    first, second, third = (make_event()["id"] for _ in range(3))
    as_admin.post(f"/events/{first}", title="Another")
    assert short(changes()) == [("upsert", each) for each in (second, third, first)]


def test_pages_add_up(anyone, as_admin, following, make_event):
    changes = following(anyone, per_page=2)
    ids = [make_event()["id"] for _ in range(5)]
    as_admin.post(f"/events/{ids[0]}", title="Another")
    assert short(changes()) == [("upsert", each) for each in (*ids[1:], ids[0])]


@pytest.mark.parametrize(
    "change",
    [{"status": "draft"}, {"status": "private"}, {"hide_from_listings": True}],
    ids=["draft", "private", "hidden"],
)
def test_what_becomes_unreadable_has_gone_and_comes_again(
    anyone, as_admin, following, make_event, change
):
    event = make_event(title="Concert")
    changes = following(anyone)
    as_admin.post(f"/events/{event['id']}", **change)
    (deletion,) = changes()
    assert "record" not in deletion
    assert deletion["tombstone"] == {"id": event["id"], "slug": "concert", "url": event["url"]}
    as_admin.post(f"/events/{event['id']}", title="Secret")
    assert changes() == []
    as_admin.post(f"/events/{event['id']}", status="publish", hide_from_listings=False)
    assert short(changes()) == [("upsert", event["id"])]


def test_tombstone_of_a_date_of_a_series_has_the_slug_and_address_of_its_record(
    anyone, as_admin, following, make_event
):
    changes = following(anyone)
    date = make_event(title="Concert", recurrence={"rrule": "FREQ=WEEKLY;COUNT=2"})
    records = {each["id"]: each["record"] for each in changes()}
    as_admin.delete(f"/events/{date['id']}")
    (deletion,) = (each for each in changes() if each["change"] == "delete")
    record = records[deletion["id"]]
    assert deletion["tombstone"] == {name: record[name] for name in ("id", "slug", "url")}


@pytest.mark.parametrize("force", [False, True])
def test_what_is_deleted_has_gone(anyone, as_admin, following, make_event, force):
    event = make_event()
    changes = following(anyone)
    as_admin.delete(f"/events/{event['id']}", force=force)
    assert short(changes()) == [("delete", event["id"])]
    if not force:
        as_admin.delete(f"/events/{event['id']}", force=True)
        assert changes() == []


def test_what_was_shown_while_the_list_was_read_and_has_gone_is_told(
    anyone, as_admin, following, make_event
):
    first, second, draft = make_event(), make_event(), make_event(status="draft")
    page = anyone.get("/changes", since="start", per_page=1).json
    as_admin.post(f"/events/{draft['id']}", status="publish")
    later_changes = following(anyone, since=page["next"])
    as_admin.post(f"/events/{first['id']}", status="draft")
    assert short(page["changes"]) == [("upsert", first["id"])]
    read = short(later_changes())
    assert read[:2] == [("upsert", second["id"]), ("upsert", draft["id"])]
    assert read[-1] == ("delete", first["id"])
    page = anyone.get("/changes", since="start", per_page=1).json
    page = anyone.get("/changes", since=page["next"], per_page=1).json
    as_admin.post(f"/events/{draft['id']}", status="draft")
    assert short(following(anyone, since=page["next"])()) == [("delete", draft["id"])]


def test_drafts_leave_no_trace_for_strangers(anyone, as_author, as_author2, following, make_event):
    strangers, own, of_others = (following(each) for each in (anyone, as_author, as_author2))
    draft = make_event(as_author, status="draft")
    as_author.post(f"/events/{draft['id']}", title="Another")
    as_author.delete(f"/events/{draft['id']}", force=True)
    assert strangers() == of_others() == []
    assert short(own()) == [("delete", draft["id"])]


def test_an_author_is_not_told_where_their_draft_would_be(as_author, following, make_event):
    draft = make_event(as_author, status="draft")
    changes = following(as_author)
    as_author.delete(f"/events/{draft['id']}")
    (deletion,) = changes()
    assert deletion["tombstone"] == {"id": draft["id"]}


def test_hidden_records_leave_no_gap_in_pages(anyone, following, make_event):
    changes = following(anyone, per_page=2)
    ids = []
    for _ in range(3):
        make_event(status="draft")
        ids.append(make_event()["id"])
        make_event(status="private")
    assert short(changes()) == [("upsert", each) for each in ids]


def test_a_page_that_is_just_full_is_the_last_one(anyone, make_event):
    token = anyone.get("/changes").json["next"]
    make_event()
    make_event()
    make_event(status="draft")
    page = anyone.get("/changes", since=token, per_page=2).json
    assert (len(page["changes"]), page["more"]) == (2, False)


def test_tokens_tell_nothing(anyone, make_event):
    token = anyone.get("/changes").json["next"]
    make_event(status="draft")
    later = [anyone.get("/changes", since=token).json["next"] for _ in range(2)]
    assert len({token, *later}) == 3
    assert len(set(map(len, (token, *later)))) == 1


# Filters.


def test_what_enters_a_filter_comes_and_what_leaves_it_has_gone(
    anyone, as_admin, following, make_event, make_category
):
    music, dance = make_category(), make_category()
    changes = following(anyone, categories=music["slug"])
    event = make_event(categories=[dance["id"]])
    assert changes() == []
    as_admin.post(f"/events/{event['id']}", title="Another")
    assert changes() == []
    as_admin.post(f"/events/{event['id']}", categories=[music["id"]])
    assert short(changes()) == [("upsert", event["id"])]
    as_admin.post(f"/events/{event['id']}", categories=[dance["id"]])
    assert short(changes()) == [("delete", event["id"])]
    as_admin.post(f"/events/{event['id']}", title="A third one")
    assert changes() == []


def test_what_is_locked_leaves_a_filter_on_what_is_protected(
    anyone, as_admin, following, make_event, make_category
):
    category = make_category()
    event = make_event(categories=[category["id"]])
    changes, all_changes = following(anyone, categories=category["id"]), following(anyone)
    as_admin.post(f"/events/{event['id']}", password="sesame")
    assert short(changes()) == [("delete", event["id"])]
    (locked,) = all_changes()
    assert locked["record"]["description"] == ""
    as_admin.post(f"/events/{event['id']}", description="Secret")
    assert changes() == []


def test_a_moved_category_takes_its_events_along(
    anyone, as_admin, following, make_event, make_category
):
    above, below = make_category(), make_category()
    event = make_event(categories=[below["id"]])
    make_event()
    changes = following(anyone, categories=above["slug"])
    as_admin.post(f"/categories/{below['id']}", parent=above["id"])
    assert short(changes()) == [("upsert", event["id"])]
    as_admin.post(f"/categories/{below['id']}", parent=0)
    assert short(changes()) == [("delete", event["id"])]


def test_change_of_a_category_is_one_of_the_events_below_it(
    anyone, as_admin, following, make_event, make_category
):
    outer = make_category()
    inner = make_category(parent=outer["id"])
    inmost = make_category(parent=inner["id"])
    events = [make_event(categories=[each["id"]])["id"] for each in (inner, inmost)]
    make_event(categories=[make_category()["id"]])
    changes = following(anyone)
    as_admin.post(f"/categories/{outer['id']}", name="Arts")
    assert sorted(short(changes())) == [("upsert", each) for each in events]


def test_event_below_two_changed_categories_comes_with_the_later_change(
    anyone, as_admin, following, make_event, make_category
):
    inmost, outer = make_category(), make_category()
    inner = make_category(parent=outer["id"])
    as_admin.post(f"/categories/{inmost['id']}", parent=inner["id"])
    below, other = (make_event(categories=each)["id"] for each in ([inmost["id"]], []))
    changes = following(anyone)
    as_admin.post(f"/categories/{inner['id']}", name="Music")
    as_admin.post(f"/events/{other}", title="Another")
    as_admin.post(f"/categories/{outer['id']}", name="Arts")
    assert short(changes()) == [("upsert", other), ("upsert", below)]


def test_a_moved_venue_takes_its_events_out_of_a_circle(
    anyone, as_admin, following, make_event, make_venue
):
    zurich = {"geo_lat": 47.37, "geo_lng": 8.54}
    venue = make_venue(**zurich)
    event = make_event(venue=venue["id"])
    box = following(anyone, geoloc_bbox="8,47,9,48")
    elsewhere = following(anyone, geoloc_bbox="6,46,7,47")
    as_admin.post(f"/venues/{venue['id']}", geo_lat=46.5, geo_lng=6.6)
    assert short(box()) == [("delete", event["id"])]
    assert short(elsewhere()) == [("upsert", event["id"])]
    as_admin.post(f"/events/{event['id']}", title="Another")
    assert box() == []


def test_languages_and_fields_are_those_of_the_list(anyone, following, as_admin):
    texts = {"title": {"de": "Konzert", "rm": "Concert"}}
    changes = following(anyone, translation_language="rm")
    paths = "next,more,changes.id,changes.change,changes.record.title"
    few = following(anyone, _fields=paths)
    as_admin.post(
        "/events",
        start_date="2030-03-10",
        end_date="2030-03-10",
        title="Konzert",
        variants={"rm": {"title": texts["title"]["rm"]}},
    )
    assert [each["record"]["title"] for each in changes()] == ["Concert"]
    assert [each["record"] for each in few()] == [{"title": "Konzert"}]


# What events show.


@pytest.mark.parametrize("kind", ["venue", "organizer", "category", "tag"])
def test_what_an_event_shows_is_a_part_of_it(anyone, as_admin, following, make, kind):
    path = {"category": "categories"}.get(kind, f"{kind}s")
    linked = make(kind)
    link = {path: [linked["id"]]} if kind in ("category", "tag") else {kind: linked["id"]}
    event = make("event", **link)
    make("event")
    changes = following(anyone)
    label = "name" if kind in ("category", "tag") else kind
    as_admin.post(f"/{path}/{linked['id']}", **{label: "Renamed"})
    (change,) = changes()
    assert change["record"] == anyone.get("/events", include=event["id"]).json["events"][0]
    as_admin.delete(f"/{path}/{linked['id']}", force=True)
    (change,) = changes()
    assert change["record"] == anyone.get("/events", include=event["id"]).json["events"][0]


def test_a_picture_is_a_part_of_the_events_that_show_it(anyone, as_admin, following, make, upload):
    picture = upload(as_admin)
    event = make("event", image=picture["id"])
    at_venue = make("event", venue=make("venue", image=picture["id"])["id"])
    changes = following(anyone)
    as_admin.post(f"/media/{picture['id']}", alt_text="A poster")
    assert short(changes()) == [("upsert", event["id"]), ("upsert", at_venue["id"])]


def test_the_number_of_events_is_no_change_of_a_term(anyone, following, make_event, make_tag):
    tag = make_tag()
    make_event(tags=[tag["id"]])
    changes = following(anyone)
    another = make_event(tags=[tag["id"]])
    assert short(changes()) == [("upsert", another["id"])]


@pytest.mark.parametrize("kind", ["venue", "organizer"])
def test_what_an_event_shows_to_others_alone_is_no_part_of_it(
    anyone, as_admin, following, make, kind
):
    linked = make(kind, status="draft")
    event = make("event", **{kind: linked["id"]})
    changes, of_editors = following(anyone), following(as_admin)
    as_admin.post(f"/{kind}s/{linked['id']}", **{kind: "Renamed"})
    assert changes() == []
    as_admin.delete(f"/{kind}s/{linked['id']}", force=True)
    assert changes() == []
    assert short(of_editors()) == [("upsert", event["id"])]


def test_a_locked_event_shows_nothing_of_what_it_links_to(anyone, as_admin, following, make):
    venue = make("venue")
    event = make("event", venue=venue["id"], password="sesame")
    locked, unlocked = following(anyone), following(anyone, password="sesame")
    as_admin.post(f"/venues/{venue['id']}", venue="Renamed")
    assert locked() == []
    assert short(unlocked()) == [("upsert", event["id"])]
    as_admin.delete(f"/venues/{venue['id']}", force=True)
    assert locked() == []
    assert short(unlocked()) == [("upsert", event["id"])]


# Bad input.


@pytest.mark.parametrize("token", ["nonsense", "x" * 400, "Start", "gAAAAAB" + "0" * 300, "é", "0"])
def test_what_is_no_token_is_refused(anyone, token):
    answer = anyone.get("/changes", since=token)
    assert (answer.status_code, answer.invalid_params) == (400, ["since"])
    assert "since=start" in answer.json["data"]["params"]["since"]


def test_a_token_that_is_cut_off_is_refused(anyone):
    token = anyone.get("/changes").json["next"]
    assert anyone.get("/changes", since=token[:-4]).status_code == 400


def test_a_token_of_another_calendar_is_refused(anyone, database):
    token = anyone.get("/changes").json["next"]
    database["keys"].delete_one({"_id": "changes"})
    assert anyone.get("/changes", since=token).status_code == 400


def test_who_was_away_for_too_long_begins_again(anyone, make_event, database):
    token = anyone.get("/changes").json["next"]
    make_event()
    mark_everything(database)
    answer = anyone.get("/changes", since=token)
    assert (answer.status_code, answer.code) == (410, "changes_gone")
    assert "since=start" in answer.json["message"]


def test_who_has_all_is_told_when_to_ask_again(anyone, make_event):
    make_event()
    answer = anyone.get("/changes", since="start", wait=25)
    assert int(answer.headers["Retry-After"]) > 0
    make_event()
    assert "Retry-After" not in anyone.get("/changes", since="start", per_page=1).headers
    assert answer.headers["Cache-Control"] == "no-store"


def test_change_has_the_uid_of_feeds_and_the_series(anyone, as_admin, following, make_event):
    changes = following(anyone)
    single = make_event(title="Concert")["id"]
    first = make_event(title="Choir", recurrence={"rrule": "FREQ=WEEKLY;COUNT=2"})
    came = changes()
    assert [each["series"] for each in came] == [None, *[first["series"]["id"]] * 2]
    uids = [each["uid"] for each in came]
    assert len(set(uids)) == 2
    assert all(f"UID:{uid}" in anyone.get("/events.ics").text for uid in uids)
    as_admin.delete(f"/events/{single}")
    as_admin.delete(f"/events/{first['id']}")
    gone = [each for each in changes() if each["change"] == "delete"]
    assert [(each["uid"], each["series"]) for each in gone] == [
        (uids[0], None),
        (uids[1], first["series"]["id"]),
    ]


def test_change_of_what_was_never_public_has_no_uid(as_admin, following, make_event):
    draft = make_event(status="draft")["id"]
    changes = following(as_admin, status="draft")
    as_admin.delete(f"/events/{draft}")
    (gone,) = changes()
    assert (gone["id"], "uid" in gone, "series" in gone) == (draft, False, False)
