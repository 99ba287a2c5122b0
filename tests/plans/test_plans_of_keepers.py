"""Lists of keepers are served by indexes, and rights of keepers take no query of their own."""

from datetime import timedelta

import pytest
from command_recording import CommandRecorder, recorded_database
from query_plans import examined, explained, of_records, plan_of

from calendar_app.accounts.users import Accounts
from calendar_app.app import create_app
from calendar_app.storage.mongo.store import Store

BASE = "/calendar/events/v1"
SECRET = "abcd EFGH ijkl MNOP"
TIMES = {"start_date": "2030-03-10 19:00:00", "end_date": "2030-03-10 22:00:00"}
KEEPER = 2
EACH = 300


@pytest.fixture(scope="module")
def recorder():
    return CommandRecorder("find", "aggregate", "count")


@pytest.fixture(scope="module")
def _kept(mongod_uri, recorder, _clock):
    with recorded_database(mongod_uri, "kept", recorder) as recorded:
        accounts = Accounts(Store(recorded), _clock, 30)
        roles = {"admin": "administrator", "keeper": "contributor", "other": "contributor"}
        for name, role in roles.items():
            accounts.add(name, role, secret=SECRET)
        yield recorded


@pytest.fixture
def client(settings, _kept, clock):
    return create_app(settings, _kept, clock).test_client()


@pytest.fixture(scope="module")
def _calendar():
    return {}


@pytest.fixture
def calendar(client, _kept, _calendar):
    """Fill a calendar: public events, drafts of others, of a kept source, and of its series."""
    if not _calendar:
        source = {"name": "Club", "kind": "push", "keepers": [KEEPER]}
        sent = {"auth": ("admin", SECRET)}
        _calendar["source"] = client.post(f"{BASE}/sources", json=source, **sent).json["id"]
        client.post(f"{BASE}/events", json={"title": "Concert", **TIMES}, **sent)
        event = _kept["events"].find_one()
        del event["slugs"]
        kinds = [
            {"status": "publish"},
            {"status": "draft"},
            {"status": "draft", "from_sources": [{"source": _calendar["source"]}]},
            {"status": "draft", "inherited_sources": [_calendar["source"]]},
        ]
        _kept["events"].insert_many(
            event | own | {"_id": 1000 + number * len(kinds) + index, **_on(event, number)}
            for number in range(EACH)
            for index, own in enumerate(_identified(kinds, number))
        )
    return _kept


def _identified(kinds, number):
    for kind in kinds:
        notes = [{**note, "uid": str(number)} for note in kind.get("from_sources", ())]
        yield {**kind, **({"from_sources": notes} if notes else {})}


def _on(event, number):
    moved = ("start", "end", "start_local", "end_local")
    return {name: event[name] + timedelta(days=number) for name in moved}


pytestmark = pytest.mark.usefixtures("calendar")
LISTS = [
    {"status": "any"},
    {"status": "draft"},
    {"status": "pending,draft", "page": "2"},
    {"status": "any", "search": "concert"},
    {"status": "any", "orderby": "modified"},
]


@pytest.fixture
def ask(client, recorder):
    """Return a function that returns the answer to a user, and the queries that it takes."""

    def asking(name, path, **query):
        recorder.commands.clear()
        answer = client.get(f"{BASE}{path}", query_string=query, auth=(name, SECRET))
        assert answer.status_code == 200, answer.json
        return answer.json, of_records(recorder)

    return asking


@pytest.mark.parametrize("query", LISTS, ids="&".join)
def test_list_of_a_keeper_reads_no_whole_collection(ask, calendar, query):
    answer, queries = ask("keeper", "/events", start_date="2030-01-01", **query)
    assert answer["total"] >= 2 * EACH
    of_events = [each for each in queries if each.get("aggregate") == "events"]
    assert of_events
    for command in of_events:
        assert "COLLSCAN" not in explained(calendar, command), command


def test_page_of_drafts_looks_at_few_others(ask, calendar):
    _, queries = ask("keeper", "/events", start_date="2030-01-01", status="draft", per_page=10)
    page = next(each for each in queries if each.get("aggregate") == "events")
    keys, documents = examined(plan_of(calendar, page, "executionStats"))
    assert max(keys, documents) <= 3 * 10


def test_rights_of_keepers_take_no_query_of_their_own(ask):
    public = {"start_date": "2030-01-01", "status": "publish"}
    requests = [("/events", public), ("/events/1000", {})]
    for path, query in requests:
        for name in ("keeper", "other"):
            ask(name, path, **query)  # The first request of a process fills its caches.
        numbers = {name: len(ask(name, path, **query)[1]) for name in ("keeper", "other")}
        assert numbers["keeper"] == numbers["other"]
