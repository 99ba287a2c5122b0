"""Programs send events to a source: one by its UID, or many as lines."""

import json
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest

from calendar_app.accounts.callers import Caller
from calendar_app.api.http.request.state import get_services
from calendar_app.sources.runs import DateLimits
from calendar_app.storage.query.list_query import Window

CONCERT = {
    "title": "Concert",
    "start_date": "2030-03-01 19:00:00",
    "end_date": "2030-03-01 21:00:00",
    "description": "<p>With <b>choir</b></p>",
    "venue": {"venue": "Hall", "city": "Chur"},
    "tags": ["Choir"],
}
WEEKLY = CONCERT | {"recurrence": {"rrule": "FREQ=WEEKLY;COUNT=3"}}


@pytest.fixture
def add(as_editor):
    """Return a function that adds a source of published events to which programs send."""

    def adding(**settings):
        usual = {"name": "Tickets", "kind": "push", "status": "publish", "unknown_terms": "create"}
        return as_editor.post("/sources", **usual | settings).json["id"]

    return adding


@pytest.fixture
def source(add):
    return add()


@pytest.fixture
def send(as_editor, source):
    """Return a function that sends lines to the source, and returns the lines of the answer."""

    def sending(*lines, **query):
        texts = (line if isinstance(line, str) else json.dumps(line) for line in lines)
        answer = as_editor.send(
            "POST",
            "/bulk",
            query_string={"source": source, **query},
            data="\n".join(texts),
            content_type="application/x-ndjson",
        )
        assert answer.status_code == 200, answer.json
        assert answer.mimetype == "application/x-ndjson"
        return [json.loads(line) for line in answer.get_data().splitlines()]

    return sending


def concert(number, **changes):
    day = f"2030-03-{number:02}"
    times = {"start_date": f"{day} 19:00:00", "end_date": f"{day} 21:00:00"}
    return {"uid": f"{number}@tickets", **CONCERT, **times, "title": f"No {number}"} | changes


def path_of(source, uid="Seat/1@tickets"):
    return f"/events/by-source/{source}/{uid}"


def coming(client):
    answer = client.get("/events", start_date="2029-01-01", end_date="2040-01-01", per_page=50)
    return answer.json["events"]


def revisions(database):
    return sorted((each["_id"], each["revision"]) for each in database["events"].find())


def test_an_event_that_is_sent_is_new_then_changed_then_the_same(as_editor, source, database):
    path = path_of(source)
    first = as_editor.put(path, **CONCERT)
    assert first.status_code == 201, first.json
    assert first.json["venue"]["city"] == "Chur"
    assert [tag["name"] for tag in first.json["tags"]] == ["Choir"]
    changed = as_editor.put(path, **CONCERT | {"title": "Gala"})
    assert (changed.status_code, changed.json["title"]) == (200, "Gala")
    assert changed.json["id"] == first.json["id"]
    before = revisions(database)
    assert as_editor.put(path, **CONCERT | {"title": "Gala"}).status_code == 200
    assert revisions(database) == before


def test_what_is_left_out_is_empty_and_what_was_edited_here_stays(as_editor, source):
    event = as_editor.put(path_of(source), **CONCERT).json
    as_editor.put(f"/events/{event['id']}", title="Ours")
    times = {name: CONCERT[name] for name in ("title", "start_date", "end_date")}
    after = as_editor.put(path_of(source), **times | {"title": "Theirs"}).json
    assert (after["title"], after["description"], after["venue"]) == ("Ours", "", [])
    assert after["tags"] == []


def test_who_may_edit_sees_the_source_and_what_was_edited_here(
    as_editor, as_author, anyone, source
):
    event = as_editor.put(path_of(source), **CONCERT).json
    assert event["source"] | {"read": ""} == {
        "id": source,
        "uid": "Seat/1@tickets",
        "url": "",
        "read": "",
        "missing": False,
        "edited": [],
        "said": {},
    }
    as_editor.put(f"/events/{event['id']}", title="Ours")
    after = as_editor.put(path_of(source), **CONCERT | {"title": "Theirs"}).json["source"]
    assert (after["edited"], after["said"]) == (
        ["variants.de.title"],
        {"variants.de.title": "Theirs"},
    )
    for client in (anyone, as_author):
        assert "source" not in client.get(f"/events/{event['id']}").json


def test_dates_of_a_series_show_its_source_and_what_was_edited_of_them(as_editor, source):
    as_editor.put(path_of(source), **WEEKLY)
    first, second, _ = coming(as_editor)
    as_editor.put(f"/events/{second['id']}", title="Gala", start_date="2030-03-08 18:00:00")
    first, second, _ = coming(as_editor)
    assert (first["source"]["uid"], first["source"]["edited"]) == ("Seat/1@tickets", [])
    assert second["source"]["edited"] == ["times", "variants.de.title"]
    assert as_editor.get(f"/series/{first['series']['id']}").json["source"]["id"] == source


def test_events_are_listed_by_their_source(as_editor, anyone, add, source):
    as_editor.put(path_of(source), **WEEKLY)
    as_editor.put(path_of(add(), "other"), **CONCERT)
    as_editor.put(path_of(source, "single"), **CONCERT | {"title": "Single"})

    def listed(client, number):
        return client.get("/events", source=number, start_date="2030-01-01", end_date="2031-01-01")

    titles = [each["title"] for each in listed(as_editor, source).json["events"]]
    assert sorted(titles) == ["Concert"] * 3 + ["Single"]
    assert listed(as_editor, 4711).invalid_params == ["source"]
    assert listed(anyone, source).invalid_params == ["source"]


def test_an_event_with_its_source_can_be_sent_back_as_it_was_read(as_editor, source, database):
    event = as_editor.put(path_of(source), **CONCERT).json
    before = list(database["events"].find())
    answer = as_editor.put(f"/events/{event['id']}", **as_editor.get(f"/events/{event['id']}").json)
    assert answer.status_code == 200
    assert "X-Calendar-Ignored" not in answer.headers
    assert list(database["events"].find()) == before


def test_an_event_that_is_sent_by_many_at_once_is_made_once(as_editor, source, database):
    bodies = [CONCERT | {"title": f"Concert {number}"} for number in range(4)]
    with ThreadPoolExecutor(4) as pool:
        answers = list(pool.map(lambda body: as_editor.put(path_of(source), **body), bodies))
    assert sorted(answer.status_code for answer in answers) == [200, 200, 200, 201]
    assert database["events"].count_documents({}) == 1


def test_uids_differ_in_letter_case(as_editor, source):
    assert as_editor.put(path_of(source, "A"), **CONCERT).status_code == 201
    assert as_editor.put(path_of(source, "a"), **CONCERT).status_code == 201


def test_a_recurring_event_can_be_sent_and_its_rule_changed(as_editor, source):
    first = as_editor.put(path_of(source), **WEEKLY)
    assert first.status_code == 201
    assert len(coming(as_editor)) == 3
    four = CONCERT | {"recurrence": {"rrule": "FREQ=WEEKLY;COUNT=4"}}
    again = as_editor.put(path_of(source), **four)
    assert (again.status_code, again.json["id"]) == (200, first.json["id"])
    assert len(coming(as_editor)) == 4
    assert as_editor.put(path_of(source), **CONCERT).status_code == 200
    assert len(coming(as_editor)) == 1


def test_an_event_that_is_taken_away_comes_back_as_it_was(as_editor, source):
    event = as_editor.put(path_of(source), **CONCERT).json
    for _ in range(2):
        gone = as_editor.delete(path_of(source))
        assert (gone.status_code, gone.json["status"]) == (200, "trash")
    assert coming(as_editor) == []
    back = as_editor.put(path_of(source), **CONCERT)
    assert (back.status_code, back.json["status"], back.json["id"]) == (200, "publish", event["id"])
    assert as_editor.delete(path_of(source, "nobody")).json["code"] == "rest-event-not-found"


def test_a_source_that_cancels_what_vanishes_cancels_what_is_taken_away(as_editor, add):
    path = path_of(add(vanished="cancel"))
    as_editor.put(path, **CONCERT)
    assert as_editor.delete(path).json["event_status"] == "canceled"
    assert as_editor.put(path, **CONCERT).json["event_status"] == "scheduled"


@pytest.mark.parametrize(
    ("body", "refusal"),
    [
        ({"title": "Concert"}, ("rest_missing_callback_param", ["end_date", "start_date"])),
        (CONCERT | {"end_date": "2030-02-01"}, ("rest_invalid_param", ["end_date"])),
        (CONCERT | {"cost": {"a": 1}}, ("rest_invalid_param", ["cost"])),
        (CONCERT | {"tags": [4711]}, ("rest_invalid_param", ["tags"])),
    ],
)
def test_what_cannot_be_taken_is_named(as_editor, source, database, body, refusal):
    answer = as_editor.put(path_of(source), **body)
    assert answer.status_code == 400
    assert (answer.code, sorted(answer.invalid_params)) == refusal
    assert database["events"].count_documents({}) == 0


def test_the_author_of_a_source_may_send_to_it_and_other_authors_may_not(
    anyone, as_author, as_editor, add
):
    own, other = add(author=as_author.id), add()
    assert as_author.put(path_of(own), **CONCERT).status_code == 201
    refused = as_author.put(path_of(other), **CONCERT)
    assert (refused.status_code, refused.code) == (404, "rest-source-not-found")
    assert anyone.put(path_of(own), **CONCERT).status_code == 401
    assert as_editor.put(path_of(4711), **CONCERT).json["code"] == "rest-source-not-found"
    read = as_editor.post(
        "/sources", name="Club", kind="ics", address="https://club.example.org/a.ics"
    ).json["id"]
    assert as_editor.put(path_of(read), **CONCERT).invalid_params == ["source"]


@pytest.mark.parametrize("way", ["alone", "in a file"])
def test_pushed_event_is_proposed_as_a_double_of_one_from_elsewhere(
    as_editor, app, source, send, way
):
    with_venue = {name: concert(1)[name] for name in ("title", "start_date", "end_date", "venue")}
    existing = as_editor.post("/events", **with_venue).json["id"]
    if way == "alone":
        pushed = as_editor.put(path_of(source), **concert(1)).json["id"]
    else:
        pushed = send(concert(1))[0]["event"]
    proposals = (
        get_services(app)
        .sources.decisions.pairs(Caller(2, "editor", "editor"), Window(1, 10))
        .items
    )
    assert [each["events"] for each in proposals] == [[existing, pushed]]


def test_lines_are_answered_in_their_order_and_errors_name_the_parameter(send, database):
    lines = send(
        concert(1),
        concert(2, recurrence={"rrule": "FREQ=DAILY;COUNT=2"}),
        "{broken",
        concert(3, start_date="never"),
        concert(1, title="Again"),
        {"title": "Without"},
        "[]",
        concert(4, end_date="2030-02-01"),
        concert(5),
    )
    assert [each["line"] for each in lines] == list(range(1, 10))
    assert [each["status"] for each in lines] == [201, 201, 400, 400, 400, 400, 400, 400, 201]
    errors = [each["error"] for each in lines if "error" in each]
    named = ["line", "start_date", "uid", "uid", "line", "end_date"]
    assert [list(error["data"]["params"]) for error in errors] == [[name] for name in named]
    assert {error["code"] for error in errors} == {"rest_invalid_param"}
    assert database["events"].count_documents({}) == 4


def test_lines_with_single_and_recurring_events_are_answered_in_their_order(send, as_editor):
    answer = send(concert(1), concert(2, recurrence=WEEKLY["recurrence"]), concert(3))
    names = [as_editor.get(f"/events/{line['event']}").json["title"] for line in answer]
    assert [line["uid"] for line in answer] == ["1@tickets", "2@tickets", "3@tickets"]
    assert names == ["No 1", "No 2", "No 3"]


def test_the_same_lines_again_write_nothing(send, database):
    lines = [concert(number) for number in range(1, 6)]
    assert {each["outcome"] for each in send(*lines)} == {"new"}
    before = list(database["events"].find())
    assert {(each["outcome"], each["status"]) for each in send(*lines)} == {("unchanged", 200)}
    assert list(database["events"].find()) == before


def test_a_dry_run_of_lines_stores_nothing(send, database):
    assert [each["outcome"] for each in send(concert(1), concert(2), dry_run="true")] == ["new"] * 2
    assert database["events"].count_documents({}) == 0
    assert database["source_readings"].count_documents({}) == 0


def test_a_line_that_is_refused_leaves_nothing_and_holds_no_other_back(send, database):
    lines = [concert(number, venue=[{"venue": f"Hall {number}"}]) for number in range(1, 8)]
    lines[2] |= {
        "start_date": "9999-12-31 23:00",
        "end_date": "9999-12-31 23:30",
        "timezone": "Pacific/Pago_Pago",
    }
    assert [each["outcome"] for each in send(*lines)] == ["new"] * 2 + ["refused"] + ["new"] * 4
    halls = {each["variants"]["de"]["venue"] for each in database["venues"].find()}
    assert halls == {f"Hall {number}" for number in (1, 2, 4, 5, 6, 7)}
    slugs = [each["variants"]["de"]["slug"] for each in database["events"].find()]
    assert len(slugs) == len(set(slugs)) == 6


def test_what_a_complete_file_lacks_has_vanished_after_a_day(as_editor, add, clock):
    source = add(vanished="trash")

    def send(*numbers):
        data = "\n".join(json.dumps(concert(number)) for number in numbers)
        query = {"source": source, "complete": "true"}
        answer = as_editor.send("POST", "/bulk", query_string=query, data=data)
        return [json.loads(line) for line in answer.get_data().splitlines()]

    send(1, 2, 3)
    assert [each["outcome"] for each in send(1, 2)] == ["unchanged", "unchanged", "vanished"]
    assert len(coming(as_editor)) == 3
    clock.advance(hours=25)
    last = send(1, 2)[-1]
    assert (last["line"], last["uid"], last["fields"]) == (0, "3@tickets", ["trash"])
    assert len(coming(as_editor)) == 2


def test_a_complete_file_that_lacks_too_much_is_held_back(as_editor, source, send, database):
    send(*(concert(number) for number in range(1, 10)))
    before = list(database["events"].find())
    query = {"source": source, "complete": "true"}
    line = json.dumps(concert(1, title="Changed"))
    held = as_editor.send("POST", "/bulk", query_string=query, data=line)
    assert (held.status_code, held.code) == (409, "source_held")
    assert list(database["events"].find()) == before
    readings = as_editor.get(f"/sources/{source}/readings").json["readings"]
    (reading,) = (each for each in readings if each["state"] == "waiting")
    accepted = send(json.loads(line), complete="true", accept=reading["id"])
    assert [each["outcome"] for each in accepted] == ["changed"] + ["vanished"] * 8


def test_a_complete_file_that_breaks_off_changes_nothing(as_editor, source, send, database):
    send(concert(1))
    before = list(database["events"].find())
    query = {"source": source, "complete": "true"}
    data = json.dumps(concert(2)) + "\n" + json.dumps(concert(3))[:40]
    answer = as_editor.send("POST", "/bulk", query_string=query, data=data)
    assert (answer.status_code, answer.invalid_params) == (400, ["lines.2.line"])
    assert list(database["events"].find()) == before


def test_a_file_is_refused_whole_where_its_parameters_are_wrong(as_editor, as_author, source):
    line = json.dumps(concert(1))
    cases = (
        (as_editor, {}, 400),
        (as_editor, {"source": 4711}, 404),
        (as_author, {"source": 4711}, 404),
        (as_author, {"source": source}, 404),
    )
    for client, query, status in cases:
        answer = client.send("POST", "/bulk", query_string=query, data=line)
        assert answer.status_code == status


# The dates of series.


def daily(number, count):
    return concert(number, recurrence={"rrule": f"FREQ=DAILY;COUNT={count}"})


@pytest.fixture
def few_dates(app, monkeypatch):
    """Let a source bring ten dates at most."""
    sources = get_services(app).sources
    limits = DateLimits(of_source=10, of_series=1000)
    monkeypatch.setattr(sources, "parts", replace(sources.parts, date_limits=limits))


@pytest.mark.usefixtures("few_dates")
def test_lines_that_bring_too_many_dates_are_refused(send, as_editor):
    answers = send(daily(1, 6), daily(2, 5), daily(3, 4), concert(4))
    assert [each["status"] for each in answers] == [201, 400, 201, 400]
    error = answers[1]["error"]
    assert list(error["data"]["params"]) == ["recurrence"]
    assert len(coming(as_editor)) == 10
    assert [each["outcome"] for each in send(daily(1, 6), daily(3, 4))] == ["unchanged"] * 2


@pytest.mark.usefixtures("few_dates")
def test_event_with_too_many_dates_is_refused_alone(as_editor, source):
    event = daily(1, 11)
    answer = as_editor.put(path_of(source, event.pop("uid")), **event)
    assert (answer.status_code, answer.invalid_params) == (400, ["recurrence"])


def test_a_complete_file_of_series_that_lose_most_dates_is_held_back(as_editor, source, send):
    send(*(daily(number, 10) for number in range(1, 7)), complete="true")
    lines = "\n".join(json.dumps(daily(number, 1)) for number in range(1, 7))
    query = {"source": source, "complete": "true"}
    held = as_editor.send("POST", "/bulk", query_string=query, data=lines)
    assert held.status_code == 409, held.json
    last, first = as_editor.get(f"/sources/{source}/readings").json["readings"]
    assert (first["state"], first["dates"]) == ("done", 60)
    assert last["state"] == "waiting"


# What is hidden from those who send.


def test_a_sent_name_means_no_place_that_the_author_of_the_source_may_not_read(
    as_author, as_editor, add
):
    hidden = as_editor.post("/venues", venue="Hall", status="private").json
    choir = as_editor.post("/organizers", organizer="Choir", status="draft").json
    own = add(author=as_author.id)
    event = as_author.put(path_of(own), **CONCERT, organizer={"organizer": "Choir"}).json
    assert (event["venue"]["venue"], event["organizer"][0]["organizer"]) == ("Hall", "Choir")
    assert event["venue"]["id"] != hidden["id"]
    assert event["organizer"][0]["id"] != choir["id"]


@pytest.mark.parametrize("status", ["draft", "private", "pending", "future", "trash"])
def test_titles_of_hidden_events_are_not_confirmed(as_author, as_editor, add, settings, status):
    """Only public events are in feeds, so that no other can come back as our own."""
    hidden = as_editor.post("/events", **CONCERT, status="draft").json["id"]
    if status == "trash":
        as_editor.delete(f"/events/{hidden}")
    else:
        date = {"date": "2029-01-01 00:00:00"} if status == "future" else {}
        as_editor.post(f"/events/{hidden}", status=status, **date)
    host = settings.site_url.partition("://")[2]
    answer = as_author.put(path_of(add(author=as_author.id), f"{host}?id={hidden}"), **CONCERT)
    assert answer.status_code == 201, answer.json


@pytest.mark.parametrize(("role", "state"), [("author", "publish"), ("editor", "pending")])
def test_no_event_waits_for_one_that_its_sender_may_not_read(
    calling_as, as_editor, add, role, state
):
    as_editor.post("/events", **CONCERT, status="private")
    sender = calling_as(role)
    own = add(author=sender.id, doubles="wait")
    assert sender.put(path_of(own), **CONCERT).json["status"] == state
    # Editors are asked all the same.
    assert len(as_editor.get("/sources/doubles").json["doubles"]) == 1


def test_filter_by_source_finds_what_shows_its_source(anyone, as_author, as_editor, source):
    as_editor.put(path_of(source), **CONCERT)
    times = {"start_date": "2030-01-01"}
    totals = [
        client.get("/events", source=number, **times).json["total"]
        for client, number in ((as_author, source), (as_author, 4711), (as_editor, source))
    ]
    assert totals == [0, 0, 1]
    assert {anyone.get("/events", source=n).status_code for n in (source, 4711)} == {400}
    assert as_editor.get("/events", source=4711).status_code == 400


# Languages.

ROMANSH = {"title": "Concert", "excerpt": "Cun chor"}
IN_TWO = CONCERT | {"title": "Konzert", "variants": {"rm": ROMANSH}}


def texts_of(client, number, language):
    return (
        client.get(f"/events/{number}", translation_language="all").json["variants"].get(language)
    )


def test_text_of_a_language_that_is_no_longer_sent_is_empty(as_editor, source):
    event = as_editor.put(path_of(source), **IN_TWO).json["id"]
    assert texts_of(as_editor, event, "rm")["excerpt"] == "<p>Cun chor</p>"
    as_editor.put(path_of(source), **IN_TWO | {"variants": {"rm": {"title": "Concert"}}})
    assert texts_of(as_editor, event, "rm")["title"] == "Concert"
    assert "excerpt" not in texts_of(as_editor, event, "rm")
    as_editor.put(path_of(source), **CONCERT | {"title": "Konzert"})
    assert "title" not in (texts_of(as_editor, event, "rm") or {})
    assert texts_of(as_editor, event, "de")["title"] == "Konzert"


def test_text_of_another_language_that_came_from_elsewhere_stays(as_editor, source):
    sent = CONCERT | {"title": "Konzert"}
    event = as_editor.put(path_of(source), **sent).json["id"]
    as_editor.post(f"/events/{event}?translation_language=rm", title="Concert", excerpt="Curt")
    as_editor.put(path_of(source), **sent | {"title": "Konzerte"})
    assert texts_of(as_editor, event, "rm")["title"] == "Concert"
    assert texts_of(as_editor, event, "rm")["excerpt"] == "<p>Curt</p>"


@pytest.mark.parametrize(("authority", "stays"), [({}, True), ({"title": "source"}, False)])
def test_edited_text_of_a_language_that_is_no_longer_sent_stays_unless_the_source_decides(
    as_editor, add, authority, stays
):
    source = add(authority=authority)
    event = as_editor.put(path_of(source), **IN_TWO).json["id"]
    as_editor.post(f"/events/{event}?translation_language=rm", title="Il concert")
    as_editor.put(path_of(source), **CONCERT | {"title": "Konzert"})
    left = (texts_of(as_editor, event, "rm") or {}).get("title")
    assert left == ("Il concert" if stays else None)


def test_languages_that_are_sent_one_by_one_do_not_empty_each_other(as_editor, source):
    path = path_of(source)
    event = as_editor.put(path, **CONCERT | {"title": "Konzert"}).json["id"]
    as_editor.send(
        "PUT",
        path,
        json=CONCERT | {"title": "Concert"},
        query_string={"translation_language": "rm"},
    )
    as_editor.put(path, **CONCERT | {"title": "Konzerte"})
    assert texts_of(as_editor, event, "rm")["title"] == "Concert"
    assert texts_of(as_editor, event, "de")["title"] == "Konzerte"


def test_many_refused_lines_have_a_short_answer(send):
    answers = send(*["[]"] * 5000, concert(1))
    assert [each["status"] for each in answers] == [400] * 5000 + [201]
    assert sum("error" in each for each in answers) == 1000
    assert sum(len(json.dumps(each)) for each in answers) < 1 << 20


def test_error_of_a_line_repeats_little_of_it(send):
    (answer,) = send(concert(1, categories=["x" * 20_000], event_status="y" * 20_000, cost=["z"]))
    assert answer["status"] == 400
    assert len(json.dumps(answer)) < 4000


def test_words_that_mean_one_category_once_cleaned_are_one(send, as_editor):
    words = ["Musik", "Musik<script>x</script>", "<b>Musik</b>", "musik"]
    (first,) = send(concert(1, categories=words))
    again = [answer for word in words for answer in send(concert(2, categories=[word]))]
    assert {first["status"], *(each["status"] for each in again)} <= {200, 201}
    terms = as_editor.get("/categories").json["categories"]
    assert [term["name"] for term in terms] == ["Musik"]


def test_word_that_is_nothing_once_cleaned_is_refused(send):
    (answer,) = send(concert(1, categories=["<script>x</script>"]))
    assert list(answer["error"]["data"]["params"]) == ["categories"]
