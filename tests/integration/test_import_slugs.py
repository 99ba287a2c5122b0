"""Slugs of repeated imports: an address that was given to another record leads to that one."""

import pytest
from import_report import outcome
from small_calendar import calendar, event, stored, term

pytestmark = pytest.mark.needs_mongodb

# Of so many characters that no other event comes with it at once.
LONG = "<p>All are welcome.</p>" * 10_000


def slugs(database, collection, *numbers):
    records = [stored(database, collection, number) for number in numbers]
    for record in records:
        assert record["slugs"] == [f"de:{record['variants']['de']['slug']}"]
    return [record["variants"]["de"]["slug"] for record in records]


def renamed(result):
    return [line for line in result.stdout.splitlines() if line.startswith("Renamed ")]


@pytest.mark.parametrize("ids", [(63, 64), (64, 63)], ids=["old first", "new first"])
def test_new_event_has_the_slug_that_another_one_gave_up(import_calendar, database, anyone, ids):
    import_calendar({"events": [event(63, "Fest", slug="fest")]})
    told = {63: event(63, "Fest", slug="fest-2027"), 64: event(64, "Fest", slug="fest")}
    for options in (["--dry-run"], []):
        result = import_calendar({"events": [told[number] for number in ids]}, *options)
        assert (outcome(result), renamed(result)) == ((1, 1, 0, 0), [])
    assert slugs(database, "events", 63, 64) == ["fest-2027", "fest"]
    assert anyone.get("/events/by-slug/fest").json["id"] == 64


def test_events_exchange_their_slugs(import_calendar, database, anyone):
    slugs_before = {62: "alpha", 63: "beta", 64: "gamma"}
    import_calendar({"events": [event(n, "Fest", slug=slug) for n, slug in slugs_before.items()]})
    slugs_after = {62: "beta", 63: "gamma", 64: "alpha"}
    events = [event(n, "Fest", slug=slug) for n, slug in slugs_after.items()]
    result = import_calendar({"events": events})
    assert (outcome(result), renamed(result)) == ((0, 3, 0, 0), [])
    assert slugs(database, "events", 62, 63, 64) == ["beta", "gamma", "alpha"]
    for number, slug in slugs_after.items():
        assert anyone.get(f"/events/by-slug/{slug}").json["id"] == number
    assert outcome(import_calendar({"events": events})) == (0, 0, 3, 0)


def test_terms_exchange_their_slugs(import_calendar, database):
    import_calendar({"tags": [term(30, "One", "tags"), term(31, "Two", "tags")]})
    told = [term(30, "One", "tags", slug="two"), term(31, "Two", "tags", slug="one")]
    assert outcome(import_calendar({"tags": told})) == (0, 2, 0, 0)
    assert slugs(database, "tags", 30, 31) == ["two", "one"]


def long(number, slug):
    return event(number, f"Fest {number}", slug=slug, description=LONG)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ({63: "fest"}, {64: "fest", 63: "fest-2027"}),
        ({63: "fest"}, {63: "fest-2027", 64: "fest"}),
        ({62: "alpha", 63: "beta"}, {62: "beta", 63: "alpha"}),
        ({62: "alpha", 63: "beta", 64: "gamma"}, {64: "alpha", 63: "gamma", 62: "beta"}),
    ],
    ids=["given up later", "given up before", "exchanged", "in a circle"],
)
def test_slugs_move_between_events_that_do_not_come_at_once(
    import_calendar, database, anyone, before, after
):
    import_calendar({"events": [long(*each) for each in before.items()]})
    told = {"events": [long(*each) for each in after.items()]}
    new = len(after) - len(before)
    for options in (["--dry-run"], []):
        result = import_calendar(told, *options)
        assert (outcome(result), renamed(result)) == ((new, len(before), 0, 0), [])
    assert slugs(database, "events", *after) == [*after.values()]
    for number, slug in after.items():
        assert anyone.get(f"/events/by-slug/{slug}").json["id"] == number
    assert outcome(import_calendar(told)) == (0, 0, len(after), 0)


def test_categories_exchange_their_slugs_with_those_above(import_calendar, database):
    def told(above, below):
        return {"categories": [term(20, "A", slug=above), term(21, "B", slug=below, parent=20)]}

    import_calendar(told("one", "two"))
    for options in (["--dry-run"], []):
        result = import_calendar(told("two", "one"), *options)
        assert (outcome(result), renamed(result)) == ((0, 2, 0, 0), [])
    assert slugs(database, "categories", 20, 21) == ["two", "one"]


def test_event_that_waited_is_told_as_updated_once_it_has_its_slug(import_calendar, database):
    import_calendar({"events": [long(63, "fest"), long(64, "fest")]})
    told = {"events": [long(64, "fest"), long(63, "fest-2027")]}
    for options in (["--dry-run"], []):
        assert outcome(import_calendar(told, *options)) == (0, 2, 0, 0)
    assert slugs(database, "events", 64, 63) == ["fest", "fest-2027"]


@pytest.mark.parametrize("language", ["de", "rm"])
def test_a_dry_run_tells_slugs_as_taken_by_what_came_before(import_calendar, language):
    import_calendar({"events": [event(1, "Talk")]})
    categories = [term(20, "A", slug="x"), term(21, "B", slug="x", parent=20)]
    if language == "rm":
        import_calendar({"categories": [term(20, "C"), term(21, "D", parent=20)]})
    told = {"categories": categories, "events": [long(63, "fest"), long(64, "fest")]}
    options = ("--language", language, "--create-missing")
    dry, run = (renamed(import_calendar(told, *options, *more)) for more in (["--dry-run"], []))
    assert (len(dry), len(run)) == (2, 2)
    lines = ['Renamed event 64 "Fest 64": its slug is fest-2, as fest is taken here.']
    assert dry[1:] == run[1:] == lines


def test_slug_of_another_record_here_is_taken_over_once_it_is_free(
    import_calendar, database, as_admin, make_event
):
    own = make_event(title="Own", slug="talk")["id"]
    for outcomes in ((9, 0, 0, 0), (0, 0, 9, 0)):
        result = import_calendar(calendar())
        assert outcome(result) == outcomes
        assert renamed(result) == [
            'Renamed event 62 "Talk": its slug is talk-2, as talk is taken here.'
        ]
    as_admin.delete(f"/events/{own}", force=True)
    result = import_calendar(calendar())
    assert (outcome(result), renamed(result)) == ((0, 1, 8, 0), [])
    assert slugs(database, "events", 62) == ["talk"]


@pytest.mark.parametrize("told", [{}, {"cost": "20"}], ids=["told the same", "changed"])
def test_event_keeps_its_slug_where_the_one_told_is_taken(
    import_calendar, database, make_event, told
):
    import_calendar(calendar())
    make_event(title="Own", slug="lecture")
    for _ in range(2):
        lecture = event(62, "Talk", slug="lecture", **told)
        assert renamed(import_calendar({"events": [lecture]})) == [
            'Renamed event 62 "Talk": its slug is talk, as lecture is taken here.'
        ]
    assert slugs(database, "events", 62) == ["talk"]


def test_slug_that_people_chose_here_stays_while_the_site_says_the_same(
    import_calendar, database, as_admin, make_event
):
    own = make_event(title="Own", slug="talk")["id"]
    import_calendar(calendar())
    as_admin.patch("/events/62", slug="lecture")
    as_admin.delete(f"/events/{own}", force=True)
    assert outcome(import_calendar(calendar())) == (0, 0, 9, 0)
    assert slugs(database, "events", 62) == ["lecture"]
