"""``import tec`` makes a source of a site, which is read again without doubles."""

import json

import pytest
from agenda import png
from calendars import vevent
from data_format import raise_format
from import_report import outcome
from small_calendar import BAND, FAMILY, HALL, SITE, calendar, event, pages, post, stored
from two_languages import Site

from calendar_app.accounts.callers import Caller
from calendar_app.storage.query.list_query import Window

EDITOR = Caller(2, "editor", "editor")
CONTENT = ("events", "series", "venues", "organizers", "categories", "tags", "history")
DAYS = ("2027-05-05", "2027-05-12", "2027-05-19", "2027-05-26")


def market(day, number, **fields):
    """Return a date of a recurring event, which has an id that may be another one tomorrow."""
    times = {"start_date": f"{day} 10:00:00", "end_date": f"{day} 12:00:00"}
    address = {"url": f"https://{SITE}/event/market/{day}/", "slug": "market", "website": ""}
    return event(10_000_000 + number, fields.pop("title", "Market"), **address | times | fields)


def markets(*days, **fields):
    return [market(day, number, **fields) for number, day in enumerate(days, 1)]


@pytest.fixture
def read_again(sources, as_admin):
    """Return a function that reads some events of the site as its source."""

    def reading(*events, source=None):
        page = json.dumps({"page": 1, "pages": 1, "events": events})
        source = source or as_admin.get("/sources").json["sources"][0]["id"]
        return sources.readings.read(source, EDITOR, content=page.encode())

    return reading


def content(database):
    """Return all records without the notes of sources."""
    return {name: list(database[name].find({}, {"from_sources": 0})) for name in CONTENT}


def test_site_is_a_source_with_a_report(import_calendar, as_admin):
    import_calendar(calendar(events=[event(62, "Talk"), event(63, "<b></b>")]))
    (source,) = as_admin.get("/sources").json["sources"]
    assert (source["name"], source["kind"], source["address"]) == ("site.jsonl", "tec", "")
    assert (source["result"], source["language"], source["due"]) == ("done", "de", None)
    (talk,) = as_admin.get("/events", source=source["id"], start_date="2027-01-01").json["events"]
    assert (talk["id"], talk["source"]["uid"]) == (62, f"events/{SITE}?id=62")
    path = f"/sources/{source['id']}/readings"
    (reading,) = as_admin.get(path).json["readings"]
    assert (reading["numbers"], reading["bytes"] > 0) == ({"new": 1, "refused": 1}, True)
    entries = as_admin.get(f"{path}/{reading['id']}", outcome="refused").json["entries"]
    assert entries[0]["reason"] == "Es hat keinen Titel."


def test_recorded_site_has_settings_and_is_read_by_itself_once_it_has_an_address(
    import_calendar, as_admin
):
    import_calendar(calendar())
    path = f"/sources/{as_admin.get('/sources').json['sources'][0]['id']}"
    assert as_admin.put(path, authority={"title": "source"}).status_code == 200
    assert as_admin.put(path, every=60).invalid_params == ["address"]
    address = f"https://{SITE}/wp-json/tribe/events/v1"
    assert as_admin.put(path, every=60, address=address).json["due"]
    assert as_admin.put(path, address="").invalid_params == ["address"]


def test_dry_run_makes_no_source(import_calendar, as_admin):
    import_calendar(calendar(), "--dry-run")
    assert as_admin.get("/sources").json["sources"] == []


def test_field_edited_here_stays_when_others_change_at_the_site(import_calendar, as_admin):
    import_calendar(calendar())
    as_admin.patch("/events/62", title="Our talk")
    changed = event(62, "New talk", slug="talk", cost="20")
    assert outcome(import_calendar({"events": [changed]})) == (0, 1, 0, 0)
    talk = as_admin.get("/events/62").json
    assert (talk["title"], talk["cost"]) == ("Our talk", "20")
    source = talk["source"]["id"]
    reading = as_admin.get(f"/sources/{source}/readings").json["readings"][0]
    assert reading["numbers"] == {"changed": 1, "kept": 1}


def test_import_leaves_a_field_to_the_source_of_the_higher_rank(
    import_calendar, add, read, sources, as_admin
):
    import_calendar({"events": [event(62, "Talk")]})
    (site,) = as_admin.get("/sources").json["sources"]
    sources.change(site["id"], {"authority": {"title": "source"}}, EDITOR)
    club = add(name="Club", authority={"title": "source"}, rank=1)
    talk = vevent("1@club", title="Talk, by the club", start="20270501T190000")
    read(club, talk)
    (pair,) = sources.decisions.pairs(EDITOR, Window(1, 10)).items
    sources.decisions.unite(*pair["events"], EDITOR)
    read(club, talk)
    import_calendar({"events": [event(62, "Another talk", slug="talk", cost="20")]})
    (remaining,) = as_admin.get("/events", start_date="2027-01-01").json["events"]
    assert (remaining["title"], remaining["cost"]) == ("Talk, by the club", "20")


def test_reading_after_an_import_finds_all_as_it_is(import_calendar, read_again, database):
    dates = markets(*DAYS)
    many = [event(number, f"Concert {number}", venue=HALL) for number in range(70, 90)]
    site = calendar(events=[*calendar()["events"], *many, *dates])
    import_calendar(site)
    before = content(database)
    reading = read_again(*site["events"])
    assert (reading.state, reading.numbers) == ("done", {"unchanged": 24})
    assert content(database) == before
    assert outcome(import_calendar(site))[:2] == (0, 0)
    assert content(database) == before


def test_changes_at_the_site_are_taken_and_edits_here_stay(
    import_calendar, read_again, as_admin, database
):
    import_calendar(calendar())
    as_admin.patch("/venues/40", venue="Our hall")
    as_admin.patch("/events/60", excerpt="Ours")
    concert = {"venue": HALL, "organizer": [BAND], "tags": [FAMILY]}
    reading = read_again(event(60, "Gala", slug="concert", excerpt="Theirs", **concert))
    assert reading.numbers["changed"] == reading.numbers["kept"] == 1
    gala = as_admin.get("/events/60").json
    assert (gala["title"], gala["excerpt"]) == ("Gala", "<p>Ours</p>")
    assert gala["venue"]["venue"] == "Our hall"
    assert database["venues"].count_documents({}) == 1


def test_copied_picture_stays_when_the_site_is_read_again(
    import_told, read_again, host, as_admin, database
):
    picture = {"url": host.put("/poster.png", png()), "id": 90}
    events = [
        event(62, "Talk", image=picture),
        *(market(day, number, image=picture) for number, day in enumerate(DAYS, 1)),
    ]
    import_told({"events": events}, "--media")
    assert read_again(*events).numbers == {"unchanged": 2}
    assert {each["image"] for each in database["events"].find()} == {90}
    changed = [event(62, "Talks", slug="talk", image=picture), *events[1:]]
    assert read_again(*changed).numbers == {"changed": 1, "unchanged": 1}
    assert as_admin.get("/events/62").json["image"]["id"] == 90


def test_what_a_reading_has_brought_is_found_by_an_import(import_calendar, read_again, database):
    import_calendar(calendar())
    square = post(41, venue="Square", slug="square", city="Dorta")
    play = event(64, "Play", venue=square)
    assert read_again(*calendar()["events"], play).numbers["new"] == 1
    again = {"venues": [HALL, square], "events": [*calendar()["events"], {**play, "cost": "5"}]}
    import_calendar(again)
    assert database["events"].count_documents({}) == 4
    assert database["venues"].count_documents({}) == 2
    assert database["events"].find_one({"variants.de.title": "Play"})["cost"]["text"] == "5"


def test_coming_dates_of_a_series_are_added_to_it(import_calendar, read_again, listed):
    import_calendar({"events": markets(*DAYS[:3])})
    for _ in range(2):
        assert read_again(*markets(*DAYS[1:])).state in ("done", "unchanged")
        assert [each["start_date"][:10] for each in listed()] == [*DAYS]
        assert len({each["series"]["id"] for each in listed()}) == 1
    reading = read_again(*markets(*DAYS[1:], title="Fair"))
    # The first date is not listed any more.
    assert [each["title"] for each in listed()] == ["Market", "Fair", "Fair", "Fair"]
    assert reading.numbers == {"changed": 1}


def test_series_of_a_rule_keeps_it(import_calendar, read_again, listed):
    series = {"id": 5, "rrule": "FREQ=WEEKLY;COUNT=4", "rdate": [], "exdate": []}
    dates = [
        market(day, number, series=series, recurrence_id=f"{day} 10:00:00")
        for number, day in enumerate(DAYS, 1)
    ]
    import_calendar({"events": dates})
    read_again(*dates[2:])
    assert [each["start_date"][:10] for each in listed()] == [*DAYS]
    assert listed()[0]["series"]["rrule"] == series["rrule"]


def test_second_language_is_a_source_of_its_own(import_language, as_admin, database):
    import_language(Site("de"))
    import_language(Site("rm"))
    named = as_admin.get("/sources").json["sources"]
    assert {(each["name"], each["language"]) for each in named} == {
        ("site.jsonl", "de"),
        ("site.jsonl (rm)", "rm"),
    }
    notes = database["events"].distinct("from_sources.source")
    assert sorted(notes) == sorted(each["id"] for each in named)


def test_import_can_be_repeated_after_its_source_was_removed(import_calendar, as_admin, database):
    import_calendar(calendar())
    (source,) = as_admin.get("/sources").json["sources"]
    assert as_admin.delete(f"/sources/{source['id']}").status_code == 200
    assert outcome(import_calendar(calendar())) == (0, 0, 9, 0)
    assert [each["id"] for each in as_admin.get("/sources").json["sources"]] == [source["id"]]
    assert stored(database, "events", 62)["from_sources"][0]["source"] == source["id"]


def test_edited_venue_of_a_reading_stays_while_the_site_says_the_same(
    import_calendar, read_again, as_admin, database
):
    import_calendar(calendar())
    square = post(41, venue="Square", slug="square", city="Dorta", phone="1")
    play = event(64, "Play", venue=square)
    read_again(*calendar()["events"], play)
    venue = database["venues"].find_one({"variants.de.venue": "Square"})["_id"]
    as_admin.patch(f"/venues/{venue}", phone="999")
    site = {"venues": [HALL, square], "events": [*calendar()["events"], play]}
    import_calendar(site)
    assert stored(database, "venues", venue)["phone"] == "999"
    import_calendar({**site, "venues": [HALL, {**square, "phone": "2"}]})
    assert stored(database, "venues", venue)["phone"] == "2"


def test_dates_that_have_passed_keep_what_was_their_own(import_calendar, read_again, listed):
    opening = market(DAYS[0], 1, title="Opening")
    import_calendar({"events": [opening, *markets(*DAYS[1:])]})
    read_again(*markets(*DAYS[1:]))
    assert [each["title"] for each in listed()] == ["Opening", "Market", "Market", "Market"]


@pytest.mark.parametrize("again", ["import", "reading"])
def test_series_at_other_times_here_still_gets_further_dates(
    import_calendar, read_again, listed, as_admin, again
):
    import_calendar({"events": markets(*DAYS[:3])})
    times = {"start_date": f"{DAYS[0]} 11:00:00", "end_date": f"{DAYS[0]} 13:00:00"}
    as_admin.patch(f"/events/{listed()[0]['id']}", **times, scope="all")
    if again == "import":
        import_calendar({"events": markets(*DAYS)})
    else:
        read_again(*markets(*DAYS))
    assert [each["start_date"] for each in listed()] == [f"{day} 11:00:00" for day in DAYS]


def test_second_date_of_a_day_is_added(import_calendar, read_again, listed):
    import_calendar({"events": markets(*DAYS)})
    late = {"start_date": f"{DAYS[3]} 18:00:00", "end_date": f"{DAYS[3]} 20:00:00"}
    address = f"https://{SITE}/event/market/{DAYS[3]}/2/"
    read_again(*markets(*DAYS), market(DAYS[3], 9) | late | {"url": address})
    assert [each["start_date"][5:16] for each in listed()][3:] == ["05-26 10:00", "05-26 18:00"]


def test_rule_with_an_end_gets_further_dates(import_calendar, read_again, listed):
    def dates(*days, count):
        series = {"id": 5, "rrule": f"FREQ=WEEKLY;COUNT={count}", "rdate": [], "exdate": []}
        return [
            market(day, number, series=series, recurrence_id=f"{day} 10:00:00")
            for number, day in enumerate(days, 1)
        ]

    import_calendar({"events": dates(*DAYS, count=4)})
    assert read_again(*dates(*DAYS[1:], count=4)).numbers == {"unchanged": 1}
    assert outcome(import_calendar({"events": dates(*DAYS, count=4)})) == (0, 0, 4, 0)
    read_again(*dates(*DAYS[1:], "2027-06-02", count=5))
    assert [each["start_date"][:10] for each in listed()] == [*DAYS, "2027-06-02"]


def of_an_earlier_release(database):
    """Give events the notes of an import that knew no sources."""
    for each in database["events"].find():
        (note,) = each["from_sources"]
        imported = [
            {"source": note["uid"], "language": language, **own}
            for language, own in note["by_language"].items()
        ]
        update = {"$set": {"imported": imported}, "$unset": {"from_sources": ""}}
        database["events"].update_one({"_id": each["_id"]}, update)
    raise_format(database)


def test_event_in_the_trash_of_an_earlier_release_does_not_come_back(
    import_calendar, read_again, as_admin, database
):
    import_calendar(calendar())
    as_admin.delete("/events/62")
    of_an_earlier_release(database)
    import_calendar(calendar())
    read_again(*calendar()["events"])
    assert database["events"].count_documents({}) == 3
    assert stored(database, "events", 62)["status"] == "trash"


def test_pictures_that_come_later_are_those_of_series_too(import_told, host, database):
    picture = {"url": host.put("/poster.png", png()), "id": 90}
    dates = [market(day, number, image=picture) for number, day in enumerate(DAYS, 1)]
    import_told({"events": dates})
    import_told({"events": dates}, "--media")
    assert {each["image"] for each in database["events"].find()} == {90}


@pytest.mark.parametrize("kind", ["events", "series"])
def test_mass_change_is_held_back_after_an_import(import_calendar, read_again, kind):
    later = {"start_date": "2031-05-01 19:00:00", "end_date": "2031-05-01 21:00:00"}
    site = [event(number, f"Concert {number}", **later) for number in range(100, 130)]
    if kind == "series":
        site = [
            market(day, 100 * number + n, url=f"https://{SITE}/event/m{number}/{day}/")
            for number in range(20)
            for n, day in enumerate(("2031-05-06", "2031-05-13"))
        ]
    import_calendar({"events": site})
    assert read_again(*site).state == "done"
    assert read_again(*[{**each, "title": "Hacked"} for each in site]).state == "waiting"


def test_edited_series_reports_what_was_edited_and_what_the_site_says(
    import_calendar, listed, as_admin, database
):
    import_calendar({"events": markets(*DAYS)})
    as_admin.patch(f"/events/{listed()[0]['id']}", title="Ours", scope="all")
    import_calendar({"events": markets(*DAYS, cost="5")})
    (note,) = database["series"].find_one()["from_sources"]
    assert note["kept"] == {"variants/de/title": "Market"}


def test_kept_venue_is_that_of_the_site(import_calendar, read_again, as_admin, database):
    import_calendar(calendar())
    ours = as_admin.post("/venues", venue="Ours").json["id"]
    as_admin.patch("/events/60", venue=ours)
    square = post(41, venue="Square", slug="square", city="Dorta")
    read_again(event(60, "Gala", slug="concert", venue=square, organizer=[BAND], tags=[FAMILY]))
    (note,) = stored(database, "events", 60)["from_sources"]
    assert stored(database, "events", 60)["venues"] == [ours]
    assert note["kept"]["venues"][0]["variants"]["de"]["venue"] == "Square"


def test_second_language_brings_texts_alone_when_it_is_read(
    import_language, read_again, as_admin, database
):
    import_language(Site("de"))
    import_language(Site("rm"))
    sources = as_admin.get("/sources").json["sources"]
    number = next(each["id"] for each in sources if each["language"] == "rm")
    before = content(database)
    read_again(*Site("rm").collections()["events"], source=number)
    assert content(database) == before
    for each in database["events"].find({"from_sources.source": number}):
        assert "kept" not in next(n for n in each["from_sources"] if n["source"] == number)


def test_site_in_two_languages_of_one_id_stays_two_sources(import_from, as_admin, listed):
    def site(talk, title):
        return pages({"events": [event(62, talk, slug="talk"), *markets(*DAYS, title=title)]})

    import_from(site("Talk", "Market"), timezone="Europe/Zurich")
    import_from(site("Referat", "Martgà"), "--language", "rm", timezone="Europe/Zurich")
    first = next(each for each in as_admin.get("/sources").json["sources"] if each["id"] == 1)
    address = f"https://{SITE}/wp-json/tribe/events/v1"
    as_admin.put(f"/sources/{first['id']}", address=address)
    as_admin.patch("/events/62", title="Our talk")
    import_from(site("New talk", "Market"), timezone="Europe/Zurich")
    assert len(as_admin.get("/sources").json["sources"]) == 2
    assert len({each["series"]["id"] for each in listed() if "series" in each}) == 1
    assert as_admin.get("/events/62").json["title"] == "Our talk"


def test_one_series_that_cannot_be_read_spoils_no_other(import_calendar, read_again, listed):
    wrong = market("2027-02-31", 9, url=f"https://{SITE}/event/wrong/2027-02-31/")
    wrong |= {"start_date": "2027-03-01 10:00:00", "end_date": "2027-03-01 12:00:00"}
    assert outcome(import_calendar({"events": [wrong, *markets(*DAYS)]})) == (4, 0, 0, 1)
    assert read_again(wrong, *markets(*DAYS)).numbers == {"refused": 1, "unchanged": 1}
    assert len(listed()) == 4


def test_venues_of_one_name_at_a_site_are_known_by_their_ids(import_calendar, read_again, database):
    import_calendar(calendar())
    here = post(41, venue="Barn", slug="barn", city="Chur")
    there = post(42, venue="Barn", slug="barn-2", city="Davos")
    plays = [
        event(number, f"Play {number}", venue=venue)
        for number, venue in enumerate((here, there, there, here), 70)
    ]
    site = {"venues": [HALL, here, there], "events": [*calendar()["events"], *plays]}
    for read in (read_again, read_again, lambda *_: import_calendar(site)):
        read(*site["events"])
        venues = list(database["venues"].find({"variants.de.venue": "Barn"}))
        cities = {each["_id"]: each["variants"]["de"]["city"] for each in venues}
        assert sorted(cities.values()) == ["Chur", "Davos"]
        played = database["events"].find({"variants.de.title": {"$regex": "Play"}}).sort("_id")
        assert [cities[each["venues"][0]] for each in played] == ["Chur", "Davos", "Davos", "Chur"]
