"""Who may write series and occurrences: as for events, whatever the scope."""

import pytest

pytestmark = pytest.mark.without_mongodb

SCOPES = ("this", "following", "all")


@pytest.fixture
def weekly(make_weekly, occurrences):
    """Return the ids of five Wednesdays of the administrator."""
    return [event["id"] for event in occurrences(make_weekly()["id"])]


@pytest.fixture
def state(occurrences, as_admin):
    """Return a function that reads all events of a series, and the series."""

    def read(series_id):
        series = as_admin.get(f"/series/{series_id}").json
        return occurrences(series_id, as_admin, status="any"), series

    return read


@pytest.mark.parametrize("scope", SCOPES)
def test_strangers_write_no_occurrence(weekly, anyone, state, scope):
    before = state(weekly[0])
    path = f"/events/{weekly[2]}"
    assert anyone.patch(path, title="Mine", scope=scope).status_code == 401
    assert anyone.put(path, title="Mine", scope=scope).status_code == 401
    assert anyone.delete(path, scope=scope).status_code == 401
    assert state(weekly[0]) == before


@pytest.mark.parametrize("user", ["as_subscriber", "as_contributor", "as_author"])
@pytest.mark.parametrize("scope", SCOPES)
def test_series_of_others_stay(request, weekly, state, user, scope):
    by = request.getfixturevalue(user)
    before = state(weekly[0])
    path = f"/events/{weekly[2]}"
    assert by.patch(path, title="Mine", scope=scope).status_code == 403
    assert by.delete(path, scope=scope).status_code == 403
    assert by.delete(path, scope=scope, force=True).status_code == 403
    assert state(weekly[0]) == before


@pytest.mark.parametrize(
    ("user", "status"),
    [("anyone", 401), ("as_subscriber", 403), ("as_contributor", 403), ("as_author", 403)],
)
def test_series_themselves_are_as_safe(request, weekly, state, user, status):
    by = request.getfixturevalue(user)
    before = state(weekly[0])
    path = f"/series/{weekly[0]}"
    for answer in (
        by.patch(path, title="Mine"),
        by.put(path, recurrence={"rrule": "FREQ=DAILY;COUNT=2"}),
        by.delete(path),
        by.delete(path, force=True),
    ):
        assert answer.status_code == status
    assert state(weekly[0]) == before


@pytest.mark.parametrize("scope", ["following", "all"])
def test_own_occurrence_gives_no_right_on_the_series(weekly, as_admin, as_author, state, scope):
    as_admin.patch(f"/events/{weekly[2]}", author=as_author.id)
    before = state(weekly[0])
    path = f"/events/{weekly[2]}"
    assert as_author.patch(path, title="Mine", scope=scope).status_code == 403
    assert as_author.delete(path, scope=scope).status_code == 403
    assert state(weekly[0]) == before
    assert as_author.patch(path, title="Mine").status_code == 200


@pytest.mark.parametrize("scope", ["this", "following", "all"])
def test_occurrence_of_another_gives_no_right_on_own_series(
    make_weekly, as_admin, as_author, state, scope
):
    first = make_weekly(by=as_author)["id"]
    as_admin.patch(f"/events/{first + 2}", author=as_admin.id)
    before = state(first)
    path = f"/events/{first + 2}"
    assert as_author.patch(path, title="Mine", scope=scope).status_code == 403
    assert as_author.delete(path, scope=scope).status_code == 403
    assert state(first) == before


def test_contributors_series_waits_for_review(make_weekly, as_contributor, anyone, occurrences):
    event = make_weekly(by=as_contributor)
    assert event["status"] == "draft"
    assert anyone.get(f"/series/{event['series']['id']}").status_code == 403
    statuses = {e["status"] for e in occurrences(event["id"], as_contributor, status="any")}
    assert statuses == {"draft"}


@pytest.mark.parametrize("scope", SCOPES)
def test_contributors_publish_nothing(make_weekly, as_contributor, anyone, scope):
    first = make_weekly(by=as_contributor)["id"]
    answer = as_contributor.patch(f"/events/{first + 1}", status="publish", scope=scope)
    assert answer.json["status"] == "pending"
    assert anyone.get("/events", start_date="2030-01-01").json["total"] == 0


def test_contributors_change_no_published_series(make_weekly, as_contributor, as_admin, state):
    first = make_weekly(by=as_contributor)["id"]
    as_admin.patch(f"/series/{first}", status="publish")
    before = state(first)
    assert as_contributor.patch(f"/series/{first}", title="New").status_code == 403
    answer = as_contributor.patch(f"/events/{first + 1}", title="New", scope="all")
    assert answer.status_code == 403
    assert state(first) == before


@pytest.mark.parametrize("scope", ["all", "following"])
def test_published_occurrence_of_a_contributors_draft_series_stays(
    make_weekly, as_contributor, as_admin, anyone, scope
):
    first = make_weekly(by=as_contributor)["id"]
    as_admin.patch(f"/events/{first + 3}", status="publish")
    before = anyone.get(f"/events/{first + 3}").json
    answers = (
        as_contributor.patch(f"/events/{first + 1}", title="Sneaked", scope=scope),
        as_contributor.delete(f"/events/{first + 1}", scope=scope),
    )
    assert {answer.status_code for answer in answers} == {403}
    assert anyone.get(f"/events/{first + 3}").json == before


@pytest.mark.parametrize("scope", ["following", "all"])
def test_occurrence_of_another_stops_wider_writes(make_weekly, as_admin, as_author, state, scope):
    first = make_weekly(by=as_author)["id"]
    as_admin.patch(f"/events/{first + 3}", author=as_admin.id)
    before = state(first)
    path = f"/events/{first + 1}"
    assert as_author.patch(path, title="Mine", scope=scope).status_code == 403
    assert as_author.delete(path, scope=scope).status_code == 403
    assert as_author.patch(f"/series/{first}", title="Mine").status_code == 403
    assert state(first) == before
    assert as_author.patch(f"/events/{first + 4}", title="My", scope="following").json["title"]


def test_unknown_scope_comes_after_the_role(weekly, anyone, as_subscriber):
    assert anyone.patch(f"/events/{weekly[0]}", scope="sideways").status_code == 401
    assert as_subscriber.patch(f"/events/{weekly[0]}", scope="sideways").status_code == 403
