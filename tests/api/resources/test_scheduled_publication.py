"""Scheduled records appear when their publication date has come, by the timer of the service."""

import pytest
from api.resources.five_collections import REQUIRED
from structlog.testing import capture_logs

from calendar_app.api.http.request.state import get_services
from calendar_app.assembly.background import run_jobs

POSTS = ["events", "venues", "organizers"]


@pytest.fixture
def scheduled(make_event):
    """Return an event that is to be published an hour from now, in a category of its own."""
    return make_event(date_utc="2030-01-15 13:00:00", categories=["Theatre"])


def test_scheduled_event_is_hidden_until_its_publication(scheduled, anyone, publish_after):
    assert publish_after(minutes=59) == 0

    assert scheduled["status"] == "future"
    assert anyone.get(f"/events/{scheduled['id']}").code == "event-not-accessible"
    assert anyone.get("/events").json["total"] == 0


def test_scheduled_event_is_public_after_its_publication(scheduled, anyone, publish_after):
    assert publish_after(minutes=61) == 1

    assert anyone.get("/events").json["total"] == 1
    assert anyone.get(f"/events/{scheduled['id']}").json["status"] == "publish"


def test_publication_updates_the_modification_time(scheduled, anyone, publish_after, clock):
    publish_after(minutes=61)
    event = anyone.get(f"/events/{scheduled['id']}").json
    assert event["modified_utc"] == clock.now.strftime("%Y-%m-%d %H:%M:%S")
    assert anyone.get("/events", modified_after=scheduled["modified_utc"] + "Z").json["total"] == 1


def test_publication_has_a_line_in_the_log(scheduled, app, clock):
    clock.advance(minutes=61)
    with capture_logs() as lines:
        run_jobs({"publish-due": get_services(app).scheduler.publish_due})

    (line,) = lines
    assert (line["event"], line["action"], line["job"]) == ("audit", "publish", "publish-due")
    assert line["record"] == f"event {scheduled['id']}"


def test_publishing_again_changes_nothing(scheduled, publish_after, database):
    publish_after(minutes=61)
    published = database["events"].find_one({"_id": scheduled["id"]})

    assert publish_after(minutes=0) == 0
    assert database["events"].find_one({"_id": scheduled["id"]}) == published


@pytest.mark.parametrize("path", ["", "events", "events/{id}", "categories", "events.ics"])
def test_a_read_publishes_nothing(scheduled, calling_as, clock, database, path):
    clock.advance(minutes=61)
    for reader in map(calling_as, (None, "admin")):
        reader.get(f"/{path.format(**scheduled)}")
        reader.send("HEAD", f"/{path.format(**scheduled)}")

    assert database["events"].find_one({"_id": scheduled["id"]})["status"] == "future"


@pytest.mark.usefixtures("scheduled")
def test_terms_count_published_events_only(anyone, publish_after):
    assert anyone.get("/categories").json["total"] == 0

    publish_after(minutes=61)

    assert [term["count"] for term in anyone.get("/categories").json["categories"]] == [1]


def test_a_venue_can_be_scheduled_too(make_venue, anyone, publish_after):
    make_venue(date_utc="2030-01-15 13:00:00")
    assert anyone.get("/venues").json["total"] == 0

    publish_after(minutes=61)

    assert anyone.get("/venues").json["total"] == 1


def test_an_event_that_is_published_again_keeps_no_note_of_having_been_off(
    make_event, as_admin, anyone, publish_after, database
):
    event = make_event()["id"]
    for hour in (13, 14):
        as_admin.patch(f"/events/{event}", status="draft")
        in_an_hour = f"2030-01-15 {hour}:00:00"
        as_admin.patch(f"/events/{event}", status="publish", date_utc=in_an_hour)
        publish_after(minutes=61)

        assert anyone.get(f"/events/{event}").json["status"] == "publish"
        assert "withdrawn" not in database["events"].find_one({"_id": event})


def test_a_note_of_how_an_event_was_holds_no_other_note(make_event, as_admin, database):
    event = make_event()["id"]
    database["events"].update_one({"_id": event}, {"$set": {"withdrawn": {"record": {}}}})
    as_admin.patch(f"/events/{event}", status="draft")

    assert "withdrawn" not in database["events"].find_one({"_id": event})["withdrawn"]["record"]


@pytest.fixture
def make_draft(as_admin):
    """Return a function that creates a draft with a publication date: its path."""

    def make(collection, date, by=as_admin, status="draft"):
        body = REQUIRED[collection] | {"status": status, "date": date}
        return f"/{collection}/{by.post(f'/{collection}', **body).json['id']}"

    return make


@pytest.fixture
def make_undated(as_admin):
    """Return a function that makes a draft for which no date is sent, and gives its path."""

    def make(collection):
        body = REQUIRED[collection] | {"status": "draft"}
        return f"/{collection}/{as_admin.post(f'/{collection}', **body).json['id']}"

    return make


@pytest.mark.parametrize("collection", POSTS)
@pytest.mark.parametrize("date", ["2030-05-05 10:00:00", "2030-05-05 10:00"])
def test_a_draft_is_scheduled_by_its_own_date_however_written(
    as_admin, anyone, make_draft, collection, date
):
    path = make_draft(collection, "2030-05-05 10:00:00")
    published = as_admin.patch(path, status="publish", date=date).json
    assert (published["status"], published["date"]) == ("future", "2030-05-05 10:00:00")
    assert anyone.get(path).status_code == 403


@pytest.mark.parametrize("collection", POSTS)
def test_a_draft_is_dated_back_by_its_own_date(as_admin, make_draft, collection):
    path = make_draft(collection, "2029-05-05 10:00:00")
    published = as_admin.patch(path, status="publish", date="2029-05-05 10:00:00").json
    assert (published["status"], published["date"]) == ("publish", "2029-05-05 10:00:00")


@pytest.mark.parametrize("collection", POSTS)
def test_who_sends_back_a_pending_record_as_published_schedules_it(
    as_editor, as_contributor, make_draft, collection
):
    path = make_draft(collection, "2030-05-05 10:00:00", as_contributor, "pending")
    record = as_editor.get(path).json
    published = as_editor.put(path, **record | {"status": "publish"}).json
    assert (published["status"], published["date"]) == ("future", "2030-05-05 10:00:00")


@pytest.mark.parametrize("collection", POSTS)
def test_who_sends_back_a_dated_draft_as_published_keeps_its_date(
    as_admin, make_draft, clock, collection
):
    path = make_draft(collection, "2030-01-15 13:00:00")
    clock.advance(hours=1)
    published = as_admin.put(path, **as_admin.get(path).json | {"status": "publish"}).json
    assert published["date_utc"] == "2030-01-15 12:00:00"


@pytest.mark.parametrize("collection", POSTS)
def test_who_sends_back_an_old_draft_as_published_publishes_it_today(
    as_admin, make_undated, clock, collection
):
    path = make_undated(collection)
    clock.advance(hours=1)
    published = as_admin.put(path, **as_admin.get(path).json | {"status": "publish"}).json
    assert published["date_utc"] == "2030-01-15 13:00:00"


def test_local_date_of_a_draft_wins_over_the_utc_date(as_admin, make_draft):
    path = make_draft("events", "2030-05-05 10:00:00")
    changes = {"status": "publish", "date_utc": "2030-06-06 06:00:00"}
    published = as_admin.put(path, **as_admin.get(path).json | changes).json
    assert published["date"] == "2030-05-05 10:00:00"


@pytest.mark.parametrize("collection", POSTS)
def test_a_draft_from_the_trash_is_scheduled_by_its_own_date(as_admin, make_draft, collection):
    path = make_draft(collection, "2030-05-05 10:00:00")
    as_admin.delete(path)
    restored = as_admin.put(path, status="publish", date="2030-05-05 10:00:00").json
    assert (restored["status"], restored["date"]) == ("future", "2030-05-05 10:00:00")


@pytest.mark.parametrize("collection", POSTS)
@pytest.mark.parametrize(("year", "becomes"), [(2031, "future"), (2020, "publish")])
def test_a_date_that_was_sent_for_a_draft_counts_when_it_is_published(
    as_admin, make_draft, collection, year, becomes
):
    path = make_draft(collection, f"{year}-05-05 10:00:00")
    as_admin.patch(path, description="More.")
    published = as_admin.patch(path, status="publish").json
    assert (published["status"], published["date"]) == (becomes, f"{year}-05-05 10:00:00")


@pytest.mark.parametrize("status", ["draft", "pending", "auto-draft"])
def test_a_date_stays_from_one_unfinished_state_to_another(as_admin, make_draft, status):
    path = make_draft("events", "2031-05-05 10:00:00", status=status)
    as_admin.patch(path, status="pending")
    assert as_admin.patch(path, status="publish").json["date"] == "2031-05-05 10:00:00"


def test_date_chosen_by_a_contributor_is_the_publication_date(
    as_editor, as_contributor, make_draft
):
    path = make_draft("events", "2020-01-15 10:00:00", as_contributor)
    assert as_editor.patch(path, status="publish").json["date"] == "2020-01-15 10:00:00"


@pytest.mark.parametrize("collection", POSTS)
def test_undated_draft_is_published_now(as_admin, make_undated, clock, collection):
    path = make_undated(collection)
    clock.advance(hours=1)
    published = as_admin.patch(path, status="publish").json
    assert (published["status"], published["date_utc"]) == ("publish", "2030-01-15 13:00:00")


def test_the_date_of_its_making_counts_where_it_alone_is_sent(as_admin, make_undated, clock):
    path = make_undated("events")
    clock.advance(hours=1)
    published = as_admin.patch(path, status="publish", date="2030-01-15 13:00:00").json
    assert published["date_utc"] == "2030-01-15 12:00:00"
