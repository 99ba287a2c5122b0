"""What programs do with a calendar, on a service."""

import ast
import asyncio
import inspect
import subprocess
import sys
from datetime import datetime, timedelta
from pathlib import Path

import httpx
import pytest
from calendar_client import (
    AsyncCalendar,
    AsyncCollection,
    Calendar,
    Collection,
    Conflict,
    Gone,
    InvalidRequest,
    NoAnswer,
    NotFound,
    PreconditionFailed,
    Retries,
    TooManyRequests,
    Unauthorized,
    Unavailable,
)

PACKAGE = Path(__file__).parents[1]
AT_ONCE = Retries(first=0.001)
EVENT = {"title": "Probe", "start_date": "2031-05-04 19:00", "end_date": "2031-05-04 21:00"}


class Faulty(httpx.BaseTransport):
    """Passes requests on, and then does what is planned for each; ``asked`` are all of them."""

    def __init__(self, *planned):
        self.planned = list(planned)
        self.asked = []
        self._transport = httpx.HTTPTransport()

    def handle_request(self, request):
        self.asked.append(request)
        fault = self.planned.pop(0) if self.planned else None
        if isinstance(fault, httpx.Response):
            return fault
        response = self._transport.handle_request(request)
        if fault is not None:
            response.read()
            raise fault
        return response

    def close(self):
        self._transport.close()


@pytest.fixture
def calendar(service):
    with Calendar(service.base, auth=("admin", service.password)) as calendar:
        yield calendar


@pytest.fixture
def faulty(service):
    """Return a function that makes a calendar with a transport that has these faults."""
    opened = []

    def make(*planned, retries=AT_ONCE, known=True):
        transport = Faulty(*planned)
        http = httpx.Client(transport=transport)
        opened.append(http)
        auth = ("admin", service.password) if known else None
        return Calendar(service.base, auth=auth, retries=retries, http=http), transport

    yield make
    for http in opened:
        http.close()


def refusal(status, code, **headers):
    body = {"code": code, "message": "No.", "data": {"status": status}}
    return httpx.Response(status, json=body, headers=headers)


class TestReading:
    def test_all_pages_of_a_list_are_walked_once(self, calendar):
        ids = [event["id"] for event in calendar.events.list(per_page=20)]
        assert len(ids) == len(set(ids)) == calendar.events.count() > 20

    def test_one_page_says_how_many_records_all_pages_have(self, calendar):
        first = calendar.events.page(per_page=3)
        second = calendar.events.page(per_page=3, page=2)
        ids = {event["id"] for event in (*first.records, *second.records)}
        assert len(ids) == 6
        assert first.total == second.total == calendar.events.count()

    def test_filters_are_sent_in_the_notation_of_the_service(self, calendar):
        event = next(event for event in calendar.events.list() if event["categories"])
        slugs = [term["slug"] for term in event["categories"]]
        day = datetime.fromisoformat(event["start_date"])
        found = calendar.events.list(
            categories=slugs, start_date=day, end_date=day + timedelta(days=2), free=None
        )
        assert event["id"] in [each["id"] for each in found]

    def test_texts_are_in_the_language_that_is_asked_for(self, calendar):
        event = next(
            each
            for each in calendar.events.list()
            if each["translations"]["rm"]["status"] == "current"
        )
        romansh = calendar.events.get(event["id"], language="rm")
        assert romansh["language"] == "rm"
        assert romansh["title"] != event["title"]
        assert calendar.events.get_by_slug(romansh["slug"])["id"] == event["id"]

    def test_what_is_not_there_is_told(self, calendar):
        with pytest.raises(NotFound) as refused:
            calendar.events.get(999999)
        assert refused.value.code == "rest-event-not-found"


class TestWriting:
    def test_an_event_is_created_changed_and_deleted(self, calendar):
        made = calendar.events.create({**EVENT, "status": "publish", "tags": ["Neu"]})
        changed = calendar.events.update(made["id"], {"cost": "15"})
        assert changed["title"] == made["title"]
        assert changed["cost_details"]["values"] == ["15"]
        assert calendar.events.delete(made["id"])["status"] == "trash"
        with pytest.raises(Gone):
            calendar.events.delete(made["id"])

    def test_wrong_fields_are_named(self, calendar):
        with pytest.raises(InvalidRequest) as refused:
            calendar.events.create({**EVENT, "end_date": "2031-05-03"})
        assert list(refused.value.params) == ["end_date"]
        with pytest.raises(InvalidRequest) as refused:
            calendar.events.create({"title": "Nichts"})
        assert set(refused.value.params) == {"start_date", "end_date"}

    def test_each_wrong_field_has_a_reason(self, calendar):
        with pytest.raises(InvalidRequest) as refused:
            calendar.events.create({"title": "Nichts", "cost": ["x"], "venue": 0})
        reasons = refused.value.reasons
        assert {"start_date", "end_date"} <= set(reasons)
        assert all(reasons.values())
        assert reasons["start_date"] in str(refused.value)

    @pytest.mark.parametrize(("language", "word"), [("", "Invalid"), ("de", "Ungültig")])
    def test_messages_are_in_english_unless_a_language_is_asked_for(self, service, language, word):
        with (
            Calendar(service.base, language=language) as reader,
            pytest.raises(InvalidRequest, match=word),
        ):
            reader.events.page(per_page="many")

    def test_nobody_may_write_without_a_user(self, service):
        with Calendar(service.base) as stranger, pytest.raises(Unauthorized):
            stranger.events.create(EVENT)

    def test_a_change_of_others_is_not_overwritten(self, calendar):
        made = calendar.events.create(EVENT)
        read = calendar.events.read(made["id"])
        calendar.events.update(made["id"], {"title": "Schneller"})
        with pytest.raises(PreconditionFailed):
            calendar.events.update(made["id"], {"title": "Zu spät"}, etag=read.etag)

    def test_an_edit_starts_again_where_somebody_was_faster(self, calendar):
        made = calendar.events.create({**EVENT, "cost": "10"})
        seen = []

        def change(event):
            seen.append(event["title"])
            if len(seen) == 1:
                calendar.events.update(made["id"], {"title": "Dazwischen"})
            return {"title": f"{event['title']}!"}

        assert calendar.events.edit(made["id"], change)["title"] == "Dazwischen!"
        assert seen == ["Probe", "Dazwischen"]

    def test_a_second_term_of_a_name_is_a_conflict_of_content(self, calendar):
        made = calendar.tags.create({"name": "Doppelt"})
        with pytest.raises(InvalidRequest) as refused:
            calendar.tags.create({"name": "Doppelt"})
        assert refused.value.data["term_id"] == made["id"]
        other = calendar.tags.create({"name": "Anders"})
        with pytest.raises(Conflict):
            calendar.tags.update(other["id"], {"slug": made["slug"]})


def mirrored(calendar, copy, token, **filters):
    """Bring a copy up to date, and return the token behind it."""
    for batch in calendar.changes(token, **filters):
        for change in batch.changes:
            if change.is_deleted:
                copy.pop(change.id, None)
            else:
                copy[change.id] = change.record
        token = batch.next
    return token


class TestFollowing:
    def test_a_copy_is_that_of_the_list_through_all_changes(self, service, calendar):
        # The list of strangers, of all dates, as changes tell it.
        always = {"start_date": "2000-01-01", "end_date": "2100-01-01"}
        with Calendar(service.base, language="rm") as reader:
            copy = {}
            token = mirrored(reader, copy, "start", **always)
            assert len(copy) > 20
            made = calendar.events.create({**EVENT, "status": "publish", "venue": {"venue": "Neu"}})
            gone = next(each for each in reader.events.list() if each["id"] != made["id"])
            calendar.events.delete(gone["id"])
            calendar.venues.update(made["venue"]["id"], {"city": "Dorta"})
            mirrored(reader, copy, token, **always)
            listed = {event["id"]: event for event in reader.events.list(**always)}
            assert copy.keys() == listed.keys()
            assert copy[made["id"]]["venue"]["city"] == "Dorta"
            names = ("title", "start_date", "status", "venue")
            for number, event in listed.items():
                assert [copy[number][name] for name in names] == [event[name] for name in names]
            calendar.events.update(gone["id"], {"status": "publish"})

    def test_who_begins_without_a_token_gets_one(self, calendar):
        (batch,) = calendar.changes()
        assert (batch.changes, bool(batch.next)) == ((), True)
        made = calendar.events.create({**EVENT, "status": "publish"})
        with_follow = calendar.changes(batch.next, follow=True)
        assert [change.id for change in next(with_follow).changes] == [made["id"]]
        calendar.events.delete(made["id"])
        (change,) = next(with_follow).changes
        assert (change.id, change.is_deleted, change.record) == (made["id"], True, None)

    def test_a_token_that_is_none_is_refused(self, calendar):
        with pytest.raises(InvalidRequest):
            list(calendar.changes("junk"))

    def test_programs_on_an_event_loop_follow_too(self, service):
        async def run():
            async with AsyncCalendar(service.base) as calendar:
                batches = [batch async for batch in calendar.changes("start")]
                return sum(len(batch.changes) for batch in batches)

        assert asyncio.run(run()) > 20


class TestTroubles:
    def test_a_write_whose_answer_is_lost_is_done_once(self, calendar, faulty):
        lossy, transport = faulty(httpx.ReadError("lost"), httpx.ReadTimeout("late"))
        made = lossy.organizers.create({"organizer": "Nur einmal", "status": "publish"})
        found = calendar.organizers.list(search="Nur einmal")
        assert [each["id"] for each in found] == [made["id"]]
        keys = {request.headers["Idempotency-Key"] for request in transport.asked}
        assert (len(transport.asked), len(keys)) == (3, 1)

    def test_two_writes_have_two_keys_unless_one_is_given(self, faulty):
        calendar, transport = faulty()
        for _ in range(2):
            calendar.events.create(EVENT)
        same = [calendar.events.create(EVENT, key="probe-1")["id"] for _ in range(2)]
        keys = [request.headers["Idempotency-Key"] for request in transport.asked]
        assert len(set(keys)) == 3
        assert same[0] == same[1]

    def test_a_write_of_nobody_is_not_repeated_blindly(self, faulty):
        stranger, transport = faulty(httpx.ReadError("lost"), known=False)
        with pytest.raises(NoAnswer):
            stranger.events.create(EVENT)
        assert len(transport.asked) == 1

    @pytest.mark.parametrize(
        "fault",
        [
            refusal(429, "too_many_requests", **{"Retry-After": "0"}),
            refusal(503, "service_unavailable"),
            refusal(409, "edit_conflict"),
            refusal(409, "idempotency_key_in_use"),
            httpx.ConnectError("away"),
        ],
    )
    def test_what_passes_is_waited_for(self, faulty, fault):
        calendar, transport = faulty(fault)
        assert calendar.events.update(calendar.events.create(EVENT)["id"], {"cost": "1"})
        assert len(transport.asked) == 3

    def test_a_longer_pause_than_one_has_patience_for_is_told(self, faulty):
        calendar, transport = faulty(refusal(429, "too_many_requests", **{"Retry-After": "3600"}))
        with pytest.raises(TooManyRequests) as refused:
            calendar.events.count()
        assert (refused.value.retry_after, len(transport.asked)) == (3600, 1)

    def test_what_does_not_pass_is_given_up(self, faulty):
        faults = [httpx.Response(502, text="<html>")] * 5
        calendar, transport = faulty(*faults)
        with pytest.raises(Unavailable):
            calendar.events.count()
        assert len(transport.asked) == 5

    def test_links_between_pages_never_lead_to_another_host(self, faulty):
        page = {"events": [], "total": 2, "next_rest_url": "https://evil.example/x?page=2"}
        calendar, transport = faulty(httpx.Response(200, json=page))
        list(calendar.events.list(per_page=50))
        assert {request.url.host for request in transport.asked} == {"127.0.0.1"}
        assert transport.asked[1].url.params["page"] == "2"


class TestWithoutWaiting:
    def test_programs_on_an_event_loop_do_the_same(self, service):
        auth = ("admin", service.password)

        async def run():
            async with AsyncCalendar(service.base, auth=auth) as calendar:
                ids = [event["id"] async for event in calendar.events.list(per_page=30)]
                made = await calendar.events.create(EVENT)
                changed = await calendar.events.edit(made["id"], lambda _: {"title": "Async"})
                return len(ids), await calendar.events.count(), changed["title"]

        walked, total, title = asyncio.run(run())
        assert walked == total > 30
        assert title == "Async"

    @pytest.mark.parametrize(
        ("waiting", "other"), [(Calendar, AsyncCalendar), (Collection, AsyncCollection)]
    )
    def test_both_have_the_same_methods(self, waiting, other):
        def methods(class_):
            members = inspect.getmembers(class_, inspect.isfunction)
            return {
                name: (list(inspect.signature(method).parameters), method.__doc__)
                for name, method in members
                if not name.startswith("_")
            }

        assert methods(waiting) == methods(other)


def test_the_types_of_records_are_those_of_the_service(service):
    made = subprocess.run(
        [sys.executable, PACKAGE / "scripts" / "typed_records.py"],
        input=service.command("openapi"),
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    kept = (PACKAGE / "calendar_client" / "schema.py").read_text()
    assert ast.dump(ast.parse(kept)) == ast.dump(ast.parse(made)), "make clients"
