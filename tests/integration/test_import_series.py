"""``import tec``: the dates of a recurring event become one series, and stay it."""

from import_report import joined, missing, outcome
from small_calendar import HALL, SITE, event

DAYS = ("2027-05-05", "2027-05-12", "2027-05-19")
CONTENT = ("events", "series", "venues", "organizers", "categories", "tags")


def market(day, number=10_000_001, at=("10:00", "12:00"), **fields):
    """Return a date as Events Calendar Pro sends it, with a provisional id."""
    start, end = at
    address = fields.pop("url", f"https://{SITE}/event/market/{day}/")
    times = {"start_date": f"{day[:10]} {start}:00", "end_date": f"{day[:10]} {end}:00"}
    fields = {"slug": "market", "url": address, "website": address, **times, **fields}
    return event(number, fields.pop("title", "Market"), **fields)


def markets(*days, base=10_000_001, **fields):
    return {"events": [market(day, base + n, **fields) for n, day in enumerate(days)]}


def starts(events):
    return [each["start_date"][:16] for each in events]


def content(database):
    return {name: list(database[name].find()) for name in CONTENT}


def test_dates_become_one_series(import_calendar, listed, anyone):
    assert outcome(import_calendar(markets(*DAYS))) == (3, 0, 0, 0)
    assert starts(listed()) == [f"{day} 10:00" for day in DAYS]
    assert {each["series"]["id"] for each in listed()} == {listed()[0]["id"]}
    assert [each["overrides"] for each in listed()] == [[], [], []]
    assert all(each["id"] < 10_000_000 for each in listed())
    assert anyone.get("/events/by-slug/market").json["id"] == listed()[-1]["id"]


def test_second_import_from_a_moved_base_changes_nothing(import_calendar, database):
    import_calendar(markets(*DAYS))
    before = content(database)
    assert outcome(import_calendar(markets(*DAYS, base=10_005_001))) == (0, 0, 3, 0)
    assert content(database) == before


def test_dry_run_counts_dates_and_writes_nothing(import_calendar, database):
    before = content(database)
    assert outcome(import_calendar(markets(*DAYS), "--dry-run")) == (3, 0, 0, 0)
    assert content(database) == before


def test_series_are_apart_by_slug_and_host(import_calendar, listed):
    fair = market(DAYS[0], url=f"https://{SITE}/event/fair/{DAYS[0]}/", slug="fair", title="Fair")
    other = market(DAYS[0], 10_000_003, global_id="other.example?id=10000003")
    import_calendar({"events": [market(DAYS[0], 10_000_002), fair, other]})
    assert len({each["series"]["id"] for each in listed()}) == 3


def test_other_texts_and_times_are_overrides(import_calendar, listed):
    late = market(DAYS[1], 10_000_002, at=("18:00", "22:00"))
    night = market(DAYS[2], 10_000_003, title="Night market")
    more = [market(f"2027-06-0{n}", 10_000_010 + n) for n in (2, 9)]
    import_calendar({"events": [market(DAYS[0]), late, night, *more]})
    assert [each["overrides"] for each in listed()][:3] == [
        [],
        ["end_date", "start_date"],
        ["title"],
    ]
    assert starts(listed())[1] == f"{DAYS[1]} 18:00"
    assert [each["title"] for each in listed()][1:3] == ["Market", "Night market"]


def test_second_one_of_a_day_is_a_date_of_its_own(import_calendar, listed):
    second = market(f"{DAYS[1]}-2", 10_000_009, at=("18:00", "20:00"))
    import_calendar({"events": [*markets(*DAYS)["events"], second]})
    assert starts(listed())[1:3] == [f"{DAYS[1]} 10:00", f"{DAYS[1]} 18:00"]
    assert len({each["series"]["id"] for each in listed()}) == 1


def test_changed_texts_and_times_of_all_are_those_of_the_series(import_calendar, listed):
    import_calendar(markets(*DAYS))
    ids = [each["id"] for each in listed()]
    changed = markets(*DAYS, title="Fair", at=("11:00", "13:00"))
    assert outcome(import_calendar(changed)) == (0, 3, 0, 0)
    assert [each["id"] for each in listed()] == ids
    assert starts(listed()) == [f"{day} 11:00" for day in DAYS]
    assert [(each["title"], each["overrides"]) for each in listed()] == [("Fair", [])] * 3


def test_new_dates_are_added_and_missing_ones_stay(import_calendar, listed):
    import_calendar(markets(*DAYS))
    ids = [each["id"] for each in listed()]
    assert outcome(import_calendar(markets(*DAYS[1:], "2027-05-26"))) == (0, 3, 0, 0)
    assert starts(listed()) == [f"{day} 10:00" for day in (*DAYS, "2027-05-26")]
    assert [each["id"] for each in listed()][:3] == ids
    assert outcome(import_calendar(markets("2027-04-28", *DAYS))) == (0, 4, 0, 0)
    assert [each["id"] for each in listed()][1:4] == ids


def test_missing_date_is_named(import_calendar, listed):
    import_calendar(markets(*DAYS))
    (line,) = missing(import_calendar(markets(*DAYS[1:])))
    assert line == f'events: 1 here that the site no longer has: {listed()[0]["id"]} "Market"'


def test_date_deleted_here_stays_deleted(import_calendar, listed, as_admin):
    import_calendar(markets(*DAYS))
    as_admin.delete(f"/events/{listed()[1]['id']}")
    assert missing(import_calendar(markets(*DAYS, title="Fair"))) == []
    assert starts(listed()) == [f"{DAYS[0]} 10:00", f"{DAYS[2]} 10:00"]


def test_edit_here_stays_while_the_site_says_the_same(import_calendar, listed, as_admin):
    import_calendar(markets(*DAYS))
    as_admin.patch(f"/events/{listed()[1]['id']}", title="Open-air market")
    as_admin.patch(f"/series/{listed()[0]['id']}", cost="5")
    assert outcome(import_calendar(markets(*DAYS))) == (0, 0, 3, 0)
    assert listed()[1]["title"] == "Open-air market"


def test_rule_that_the_site_tells_is_that_of_the_series(import_calendar, listed):
    series = {
        "id": 5,
        "rrule": "FREQ=WEEKLY;COUNT=4",
        "rdate": [],
        "exdate": [f"{DAYS[1]} 10:00:00"],
    }
    dates = [
        market(day, 5 + n, series=series, recurrence_id=f"{day} 10:00:00", slug=f"market-{day}")
        for n, day in enumerate((DAYS[0], DAYS[2]))
    ]
    assert outcome(import_calendar({"events": dates})) == (2, 0, 0, 0)
    assert starts(listed()) == [f"{day} 10:00" for day in (DAYS[0], DAYS[2], "2027-05-26")]
    assert listed()[0]["series"]["rrule"] == series["rrule"]
    assert listed()[0]["slug"] == f"market-{DAYS[0]}"
    assert outcome(import_calendar({"events": dates})) == (0, 0, 2, 0)


def test_second_language_joins_the_series(import_calendar, listed, anyone):
    german = {"venues": [HALL], **markets(*DAYS)}
    import_calendar(german)
    address = f"https://{SITE}/rm/event/martga"
    site = {
        "events": [
            market(day, 10_000_100 + n, title="Martgà", slug="martga", url=f"{address}/{day}/")
            for n, day in enumerate(DAYS)
        ]
    }
    result = import_calendar(site, "--language", "rm")
    assert joined(result) == (0, 0, 3, 0)
    events = listed(translation_language="rm")
    assert [each["title"] for each in events] == ["Martgà"] * 3
    assert [each["overrides"] for each in events] == [[], [], []]
    assert anyone.get("/events/by-slug/martga").json["series"]["id"] == events[0]["series"]["id"]
    assert outcome(import_calendar(site, "--language", "rm")) == (0, 0, 3, 0)
    assert outcome(import_calendar(german)) == (0, 0, 4, 0)
