"""Keepers of a source read, edit and publish its events over HTTP, and no events of others."""

import pytest

ADMIN, AUTHOR, CONTRIBUTOR = 1, 3, 4
TIMES = {"start_date": "2030-03-01 19:00:00", "end_date": "2030-03-01 21:00:00"}
CONCERT = {"title": "Concert", **TIMES}
WEEKLY = {**CONCERT, "title": "Choir", "recurrence": {"rrule": "FREQ=WEEKLY;COUNT=3"}}
UNPUBLISHED = ("draft", "pending", "private")
# Who asks: the contributor keeps the source, the author another one.
CALLERS = ("anyone", "as_subscriber", "as_contributor2", "as_author", "as_contributor", "as_editor")
OF_KEEPERS = (401, 403, 403, 403, 200, 200)
READ_BY_KEEPERS = (403, 403, 403, 403, 200, 200)


@pytest.fixture
def add_source(as_admin):
    """Return a function that adds a source that programs push to; it returns its id."""

    def add(name, *keepers, status="draft"):
        values = {"name": name, "kind": "push", "status": status, "keepers": keepers}
        return as_admin.post("/sources", **values).json["id"]

    return add


@pytest.fixture
def club(add_source):
    """Return the id of a source that a contributor keeps."""
    return add_source("Club", CONTRIBUTOR)


@pytest.fixture
def town(add_source):
    """Return the id of a source that an author keeps."""
    return add_source("Town", AUTHOR)


@pytest.fixture
def push(as_admin):
    """Return a function that sends an event to a source; it returns the id of that."""

    def pushing(source, body=CONCERT, uid="1", **changes):
        answer = as_admin.put(f"/events/by-source/{source}/{uid}", **{**body, **changes})
        assert answer.status_code == 201, answer.json
        return answer.json["id"]

    return pushing


@pytest.fixture
def statuses(request):
    """Return a function that returns the status for each caller, the strongest last."""

    def ask(method, path, **body):
        callers = map(request.getfixturevalue, CALLERS)
        return tuple(each.send(method, path, json=body or None).status_code for each in callers)

    return ask


def listed(client, **query):
    answer = client.get("/events", start_date="2030-01-01", **query).json
    assert answer["total"] == len(answer["events"])
    return [each["id"] for each in answer["events"]]


def dates(client, event):
    answer = client.get(f"/series/{event}/events", status="any").json
    return [each["id"] for each in answer["events"]]


# One event


@pytest.mark.usefixtures("town")
@pytest.mark.parametrize("status", UNPUBLISHED)
def test_unpublished_event_is_read_by_keepers_of_its_source(push, club, as_admin, statuses, status):
    event = push(club)
    as_admin.put(f"/events/{event}", status=status)
    assert statuses("GET", f"/events/{event}") == READ_BY_KEEPERS


@pytest.mark.usefixtures("town")
@pytest.mark.parametrize("status", ["publish", *UNPUBLISHED])
def test_event_in_any_state_is_edited_by_keepers_of_its_source(
    push, club, as_admin, statuses, status
):
    event = push(club)
    as_admin.put(f"/events/{event}", status=status)
    assert statuses("PUT", f"/events/{event}", title="Recital") == OF_KEEPERS


CHANGES = {
    "publish": {"status": "publish"},
    "call off": {"event_status": "canceled"},
    "move": {"start_date": "2030-03-02 19:00:00", "end_date": "2030-03-02 20:00:00"},
    "trash": {"status": "trash"},
}


@pytest.mark.usefixtures("town")
@pytest.mark.parametrize("action", CHANGES)
def test_keepers_publish_call_off_move_and_trash(push, club, statuses, as_contributor, action):
    event, change = push(club), CHANGES[action]
    after = as_contributor.put(f"/events/{event}", **change).json
    assert {name: after[name] for name in change} == change
    assert statuses("PUT", f"/events/{event}", **change) == OF_KEEPERS


def test_published_by_a_keeper_an_event_is_for_everybody(push, club, as_contributor, anyone):
    event = push(club)
    answer = as_contributor.put(f"/events/{event}", status="publish").json
    assert (answer["status"], answer["slug"]) == ("publish", "concert")
    assert anyone.get("/events/by-slug/concert").json["id"] == event


def test_keeper_trashes_an_event_and_takes_it_back(push, club, as_contributor):
    event = push(club)
    as_contributor.put(f"/events/{event}", status="publish")
    assert as_contributor.delete(f"/events/{event}").json["status"] == "trash"
    assert as_contributor.put(f"/events/{event}", status="publish").json["status"] == "publish"


def test_what_a_keeper_reads_can_be_sent_back(push, club, as_contributor):
    event = push(club)
    read = as_contributor.get(f"/events/{event}").json
    answer = as_contributor.put(f"/events/{event}", **read)
    assert answer.status_code == 200
    answer = as_contributor.get(f"/events/{event}")
    assert answer.json["modified"] == read["modified"]


@pytest.mark.parametrize("author", [CONTRIBUTOR, AUTHOR])
def test_keepers_make_nobody_else_the_author(push, club, as_contributor, as_admin, author):
    event = push(club)
    assert as_contributor.put(f"/events/{event}", author=author).status_code == 403
    assert as_contributor.put(f"/events/{event}", author=ADMIN).status_code == 200
    assert as_admin.get(f"/events/{event}").json["author"] == str(ADMIN)


def test_history_names_the_keeper(push, club, as_contributor):
    event = push(club)
    as_contributor.put(f"/events/{event}", title="Recital")
    entries = as_contributor.get(f"/events/{event}/history").json["history"]
    assert "contributor" in str(entries[0])


def test_new_events_of_a_keeper_wait_as_before(club, as_contributor):
    assert as_contributor.get(f"/sources/{club}").status_code == 200
    new = as_contributor.post("/events", **CONCERT, status="publish").json
    assert new["status"] == "pending"


def test_venues_of_the_source_stay_as_they_are(push, club, as_contributor, as_admin):
    event = push(club, venue={"venue": "Hall"})
    (venue,) = as_admin.get("/venues", status="any").json["venues"]
    as_admin.put(f"/venues/{venue['id']}", status="publish")
    assert as_contributor.put(f"/venues/{venue['id']}", venue="Barn").status_code == 403
    assert as_contributor.put(f"/events/{event}", title="Recital").status_code == 200


# Series


@pytest.mark.usefixtures("town")
@pytest.mark.parametrize("scope", ["this", "following", "all"])
def test_keepers_edit_each_date_and_the_whole_of_a_series(push, club, as_admin, statuses, scope):
    second = dates(as_admin, push(club, WEEKLY))[1]
    assert statuses("PUT", f"/events/{second}?scope={scope}", title="Recital") == OF_KEEPERS


@pytest.mark.usefixtures("town")
def test_dates_are_read_by_keepers_of_their_series(push, club, as_contributor, as_author):
    event = push(club, WEEKLY)
    assert len(dates(as_contributor, event)) == 3
    assert listed(as_contributor, status="draft") == dates(as_contributor, event)
    assert listed(as_author, status="any") == []


def test_split_series_stays_with_its_keeper(push, club, as_contributor, as_admin):
    first, second, third = dates(as_admin, push(club, WEEKLY))
    path = f"/events/{second}?scope=following"
    assert as_contributor.put(path, title="Recital").status_code == 200
    assert as_contributor.put(f"/events/{third}?scope=all", title="Matinee").status_code == 200
    assert as_contributor.get(f"/events/{first}").json["title"] == "Choir"


def test_event_that_becomes_a_series_stays_with_its_keeper(push, club, as_contributor):
    event = push(club)
    path = f"/events/{event}?scope=all"
    series = as_contributor.put(path, recurrence=WEEKLY["recurrence"])
    assert series.status_code == 200, series.json
    later = dates(as_contributor, event)[2]
    assert as_contributor.put(f"/events/{later}?scope=all", title="Recital").status_code == 200


def test_a_date_that_its_series_loses_stays_with_its_keeper(push, club, as_contributor):
    event = push(club, WEEKLY)
    single = as_contributor.put(f"/events/{event}?scope=all", recurrence=None)
    assert single.status_code == 200, single.json
    assert as_contributor.put(f"/events/{event}", title="Recital").status_code == 200


# Lists


@pytest.mark.parametrize(
    "query",
    [
        {"status": "any"},
        {"status": "draft"},
        {"status": "any", "search": "concert"},
        {"status": "any", "translation_status": "missing", "translation_language": "rm"},
        {"status": "any", "categories": "music"},
    ],
)
def test_lists_show_keepers_the_drafts_of_their_own_sources(push, club, town, calling_as, query):
    calling_as("admin").post("/categories", name="Music")
    own, other = push(club, categories=["Music"]), push(town, categories=["Music"])
    assert listed(calling_as("contributor"), **query) == [own]
    assert listed(calling_as("author"), **query) == [other]
    assert listed(calling_as("contributor2"), **query) == []


def test_totals_count_no_drafts_of_other_sources(push, club, town, as_contributor):
    push(club)
    for uid in "123":
        push(town, uid=uid)
    answer = as_contributor.get("/events", status="any", start_date="2030-01-01", per_page=1).json
    assert (answer["total"], answer["total_pages"]) == (1, 1)


def test_event_of_two_sources_is_edited_by_keepers_of_both(
    add_source, push, as_contributor, as_author, as_admin
):
    first = push(add_source("Club", CONTRIBUTOR, status="publish"), venue={"venue": "Hall"})
    second = push(add_source("Town", AUTHOR, status="publish"), venue={"venue": "Hall"})
    path = f"/sources/doubles/{first}-{second}"
    assert as_admin.post(path, decision="unite").status_code == 200
    for keeper in (as_contributor, as_author):
        assert keeper.put(f"/events/{first}", title="Recital").status_code == 200


# The right begins and ends


def test_former_keeper_sees_no_draft_at_once(push, club, as_admin, as_contributor):
    event = push(club)
    tag = as_contributor.get(f"/events/{event}").headers["ETag"]
    list_of = {"start_date": "2030-01-01", "status": "any"}
    list_tag = as_contributor.get("/events", **list_of).headers["ETag"]
    as_admin.put(f"/sources/{club}", keepers=[])
    headers = {"If-None-Match": tag}
    assert as_contributor.send("GET", f"/events/{event}", headers=headers).status_code == 403
    headers = {"If-None-Match": list_tag}
    answer = as_contributor.send("GET", "/events", headers=headers, query_string=list_of)
    assert (answer.status_code, answer.json["total"]) == (200, 0)
    assert listed(as_contributor, status="any") == []
    assert as_contributor.put(f"/events/{event}", title="Recital").status_code == 403


def test_new_keeper_sees_drafts_at_once(push, town, as_admin, as_contributor):
    event = push(town)
    assert listed(as_contributor, status="any") == []
    as_admin.put(f"/sources/{town}", keepers=[AUTHOR, CONTRIBUTOR])
    assert listed(as_contributor, status="any") == [event]


def test_right_ends_with_the_source(push, club, as_admin, as_contributor):
    event = push(club)
    as_admin.delete(f"/sources/{club}")
    assert as_contributor.put(f"/events/{event}", title="Recital").status_code == 403
    assert listed(as_contributor, status="any") == []


def test_right_ends_with_the_role(push, club, as_admin, as_contributor):
    event = push(club)
    as_admin.put(f"/users/{CONTRIBUTOR}", role="subscriber")
    assert as_contributor.put(f"/events/{event}", title="Recital").status_code == 403
    assert as_contributor.get(f"/events/{event}").status_code == 403


def test_source_taken_up_again_has_the_keepers_that_are_named_then(
    push, add_source, as_admin, as_contributor, as_author
):
    club = add_source("Club", CONTRIBUTOR)
    event = push(club)
    as_admin.delete(f"/sources/{club}")
    assert add_source("Club", AUTHOR) == club
    assert as_contributor.get(f"/events/{event}").status_code == 403
    assert as_author.get(f"/events/{event}").status_code == 200


# Followers and feeds


def followed(client, token=None):
    since = {"since": token} if token else {}
    answer = client.get("/changes", status="any", **since).json
    return [(each["change"], each["id"]) for each in answer["changes"]], answer["next"]


def test_followers_hear_of_the_drafts_of_their_own_sources(push, club, town, calling_as):
    keeper, other = calling_as("contributor"), calling_as("contributor2")
    (_, first), (_, second) = followed(keeper), followed(other)
    own = push(club)
    push(town)
    changes, first = followed(keeper, first)
    assert changes == [("upsert", own)]
    calling_as("admin").delete(f"/events/{own}")
    assert followed(keeper, first)[0] == [("delete", own)]
    assert followed(other, second)[0] == []


def test_followers_hear_of_the_dates_of_series_of_their_own_sources(
    push, club, town, as_contributor, as_admin
):
    _, token = followed(as_contributor)
    push(town, WEEKLY)
    own = dates(as_admin, push(club, WEEKLY))
    changes, token = followed(as_contributor, token)
    assert changes == [("upsert", each) for each in own]
    as_admin.delete(f"/events/{own[1]}", scope="all")
    assert sorted(followed(as_contributor, token)[0]) == [("delete", each) for each in own]


@pytest.mark.parametrize("suffix", ["ics", "atom", "csv", "geojson"])
def test_feeds_of_a_keeper_show_own_drafts_alone(push, club, town, calling_as, suffix):
    push(club, title="Recital")
    push(town, title="Matinee")
    feed = {"start_date": "2030-01-01", "status": "any"}
    own = calling_as("contributor").get(f"/events.{suffix}", **feed).text
    assert "Recital" in own
    assert "Matinee" not in own
    assert "Recital" not in calling_as("contributor2").get(f"/events.{suffix}", **feed).text
