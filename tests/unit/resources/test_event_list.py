"""Which events a list holds, and in which order."""

from datetime import UTC, datetime

import pytest

FROM_ALL_TIMES = {"start_date": "2000-01-01", "end_date": "2100-01-01"}


@pytest.fixture
def make_on(make_event):
    """Return what makes an event from one day (and time) to another."""

    def make(start, end=None, **changes):
        end = end or start
        start = start if " " in start else f"{start} 10:00:00"
        end = end if " " in end else f"{end} 12:00:00"
        return make_event(start_date=start, end_date=end, title=start, **changes)["id"]

    return make


@pytest.fixture
def listed(anyone):
    """Return what lists the ids of events for given parameters."""

    def ids(**query):
        answer = anyone.get("/events", **query)
        assert answer.status_code == 200, answer.json
        assert answer.json["total"] == len(answer.json["events"])
        return [event["id"] for event in answer.json["events"]]

    return ids


# The window


def test_the_default_window_is_from_today_for_two_years(make_on, listed, anyone):
    make_on("2030-01-14 23:00:00", "2030-01-15 20:00:00")
    make_on("2032-01-15", "2032-01-16")
    today, last = make_on("2030-01-15 00:00:00"), make_on("2032-01-15 23:00:00")

    assert listed() == [today, last]
    link = anyone.get("/events").json["rest_url"]
    assert "start_date=2030-01-15+00%3A00%3A00" in link
    assert "end_date=2032-01-15+23%3A59%3A59" in link


def test_the_window_begins_where_utc_ends_its_day(make_on, listed, clock):
    clock.now = datetime(2030, 1, 15, 23, 30, tzinfo=UTC)  # already the 16th in Zurich
    make_on("2030-01-14 23:59:59")
    make_on("2030-01-15 12:00:00")
    today = make_on("2030-01-16 00:00:00")

    assert listed()[-1] == today


def test_a_list_holds_what_lies_wholly_in_the_window(make_on, listed):
    inside = make_on("2030-04-02")
    make_on("2030-04-01", "2030-04-03")

    assert listed(start_date="2030-04-02", end_date="2030-04-02") == [inside]


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ({"start_date": "2030-09-10"}, "10 11 12"),
        ({"start_date": "2030-09-10 23:00:00"}, "10 11 12"),
        ({"end_date": "2030-09-11"}, "09 10 11"),
        ({"end_date": "2030-09-11 00:00:01"}, "09 10 11"),
        ({"starts_after": "2030-09-10"}, "11 12"),
        ({"starts_before": "2030-09-10"}, "09 10"),
        ({"ends_after": "2030-09-10"}, "11 12"),
        ({"ends_before": "2030-09-10"}, "09 10"),
        ({"starts_after": "2030-09-09", "ends_before": "2030-09-11"}, "10 11"),
        ({"start_date": "2030-09-11", "starts_after": "2030-09-09"}, "11 12"),
        ({"end_date": "2030-09-10", "ends_before": "2030-09-12"}, "09 10"),
        ({"start_date": "2030-09-10 10:00:00", "strict_dates": "true"}, "10 11 12"),
        ({"start_date": "2030-09-10 10:00:01", "strict_dates": "true"}, "11 12"),
        ({"start_date": "2030-09-10 10:00:01", "strict_dates": "false"}, "10 11 12"),
        ({"end_date": "2030-09-10 12:00:00", "strict_dates": "1"}, "09 10"),
        ({"end_date": "2030-09-10 11:59:59", "strict_dates": "on"}, "09"),
        ({"starts_before": "2030-09-10 10:00:00", "strict_dates": "yes"}, "09"),
        ({"ends_after": "2030-09-10 11:00:00", "strict_dates": "true"}, "10 11 12"),
        ({"start_date": "2030/09/11"}, "11 12"),
        ({"start_date": "11 September 2030"}, "11 12"),
        ({"start_date": "2030-09-10T12:00:00Z", "strict_dates": "true"}, "11 12"),
        ({"start_date": "2030-09-10T07:00:00Z", "strict_dates": "true"}, "10 11 12"),
        ({"starts_after": "2030-02-30", "ends_before": "2030-09-09"}, "09"),
    ],
)
def test_dates_select_whole_days_unless_they_are_strict(make_on, listed, query, found):
    days = {make_on(f"2030-09-{day}"): day for day in ("09", "10", "11", "12")}

    assert [days[event] for event in listed(**query)] == found.split()


def test_relative_dates_drop_the_default_window(make_on, listed):
    past, far = make_on("2020-01-01"), make_on("2050-01-01")

    assert listed() == []
    assert listed(starts_before="2100-01-01") == [past, far]
    assert listed(ends_after="2000-01-01") == [past, far]
    assert listed(starts_before="2100-01-01", start_date="2040-01-01") == [far]


def test_an_overlap_is_asked_for_by_name(make_on, listed):
    before = make_on("2030-05-01 10:00:00", "2030-05-02 10:00:00")
    across = make_on("2030-05-01 11:00:00", "2030-05-09 10:00:00")
    inside = make_on("2030-05-03 10:00:00", "2030-05-03 12:00:00")
    after = make_on("2030-05-04 10:00:00", "2030-05-05 10:00:00")
    span = {"overlaps_from": "2030-05-02 10:00:00", "overlaps_to": "2030-05-04 10:00:00"}

    assert listed(**span, strict_dates="true") == [across, inside]
    assert set(listed(overlaps_from="2030-05-02", overlaps_to="2030-05-03")) == {
        before,
        across,
        inside,
    }
    assert after not in listed(overlaps_to="2030-05-03")
    assert listed(overlaps_from="2030-05-06") == [across]


def test_dates_are_compared_on_the_clocks_of_each_event(make_event, listed):
    gala = make_event(
        start_date="2030-05-05 20:00:00",
        end_date="2030-05-05 23:00:00",
        timezone="America/New_York",
    )["id"]

    assert listed(start_date="2030-05-05", end_date="2030-05-05") == [gala]
    assert listed(start_date="2030-05-06", end_date="2030-05-06") == []


@pytest.mark.parametrize(
    "name",
    ["start_date", "end_date", "starts_before", "starts_after", "ends_before", "ends_after"],
)
@pytest.mark.parametrize("value", ["", "foo", "2030-13-01", "[]"])
def test_a_date_that_is_none_is_refused(anyone, name, value):
    answer = anyone.get("/events", **{name: value})

    assert answer.status_code == 400
    assert answer.named == [name]


# include


def test_include_switches_off_every_date_filter(make_on, listed):
    past, future = make_on("2020-01-01"), make_on("2050-01-01")
    both = f"{future},{past}"

    assert listed(include=both) == [past, future]
    assert listed(include=both, start_date="2040-01-01", ends_before="1990-01-01") == [past, future]
    assert listed(include=f"{past},999999") == [past]


def test_include_goes_together_with_other_filters(make_on, listed):
    plain, featured = make_on("2030-05-01"), make_on("2030-05-02", featured=True)

    assert listed(include=f"{plain},{featured}", featured=True) == [featured]


# Filters


def test_categories_are_found_by_id_slug_or_name_with_all_below_them(
    make_event, make_category, listed
):
    music = make_category(name="Music & Dance")
    jazz = make_category(name="Jazz", parent=music["id"])
    bebop = make_category(name="Bebop", parent=jazz["id"])
    art = make_category(name="Art")
    in_music, in_bebop, in_art = (
        make_event(categories=[term["id"]])["id"] for term in (music, bebop, art)
    )
    make_event()

    for asked in (music["id"], music["slug"], "Music & Dance", "music & dance"):
        assert listed(categories=asked) == [in_music, in_bebop]
    assert listed(categories="jazz") == [in_bebop]
    assert listed(categories=f"jazz, {art['id']},") == [in_bebop, in_art]
    assert listed(**{"categories[]": ["jazz", "art"]}) == [in_bebop, in_art]


def test_an_unknown_term_fails_the_whole_filter(anyone, make_category):
    make_category(name="Jazz")
    for query in ({"categories": "jazz,nope"}, {"categories": ""}, {"tags": "999999"}):
        answer = anyone.get("/events", **query)

        assert answer.status_code == 400
        assert answer.named == list(query)


@pytest.fixture
def linked(make_category, make_tag, make_venue, make_organizer):
    """Return the ids of records that events can be linked to."""
    return {
        "categories": make_category()["id"],
        "tags": make_tag()["id"],
        "venue": make_venue()["id"],
        "organizer": make_organizer()["id"],
    }


def test_filters_join_with_or_inside_and_with_and_between(make_event, make_venue, linked, listed):
    elsewhere = make_venue()["id"]
    full = make_event(**linked)["id"]
    other = make_event(tags=linked["tags"], venue=elsewhere)["id"]

    assert listed(tags=linked["tags"]) == [full, other]
    assert listed(tags=linked["tags"], categories=linked["categories"]) == [full]
    assert listed(venue=f"{linked['venue']},{elsewhere}") == [full, other]
    assert listed(venue=linked["venue"], organizer=linked["organizer"]) == [full]
    assert listed(venue=elsewhere, organizer=linked["organizer"]) == []


def test_featured_and_ticketed_select_either_way(make_event, listed):
    featured, ticketed = make_event(featured=True)["id"], make_event(ticketed=True)["id"]

    assert listed(featured=True) == [featured]
    assert listed(featured=False) == [ticketed]
    assert listed(ticketed=1) == [ticketed]
    assert listed(ticketed="FALSE") == [featured]


# search


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("konzert", True),
        ("KONZERT", True),
        ("kon", True),
        ("frühling", True),
        ("fruhling", True),
        ("zürich konzert", True),
        ("konzert nirgendwo", False),
        ('"im hof"', True),
        ('"hof im"', False),
        ("hof im", True),
        ("konzert -hof", False),
        ("konzert -theater", True),
        ("vorspann", True),
        ("100%", True),
        ("strong", False),
        (".*", False),
        ("kon.ert", False),
    ],
)
def test_search_finds_words_in_title_description_and_excerpt(make_event, listed, text, found):
    event = make_event(
        title="Frühlings-Konzert",
        description="<p><strong>Im Hof</strong> in Zürich, 100% gratis</p>",
        excerpt="Vorspann",
    )["id"]

    assert listed(search=text) == ([event] if found else [])


def test_an_empty_search_is_refused(anyone):
    assert anyone.get("/events", search="").named == ["search"]


def test_search_for_zero_is_an_ordinary_one(make_event, listed):
    event = make_event(title="Level 0")["id"]

    assert listed(search="0") == [event]


# Order


def test_events_stand_in_the_order_of_their_start(make_on, listed):
    third = make_on("2030-05-03")
    first = make_on("2030-05-01", "2030-05-30", sticky=True)
    second = make_on("2030-05-02", featured=True)
    fourth = make_on("2030-05-03")

    assert listed()[:2] == [first, second]
    assert set(listed()[2:]) == {third, fourth}
    assert listed(order="desc")[-2:] == [second, first]
    assert listed(include=f"{third},{first}") == [first, third]


@pytest.mark.parametrize(
    ("orderby", "expected"), [("end_date", "BAC"), ("id", "ABC"), ("title", "CAB")]
)
def test_events_stand_in_the_order_that_is_asked_for(make_event, listed, orderby, expected):
    ids = {
        make_event(title=title, start_date="2030-05-01", end_date=end)["id"]: name
        for name, title, end in (
            ("A", "Mitte", "2030-05-09"),
            ("B", "Zug", "2030-05-08"),
            ("C", "Anfang", "2030-05-10"),
        )
    }

    assert "".join(ids[event] for event in listed(orderby=orderby)) == expected
    down = listed(orderby=orderby, order="desc")
    assert "".join(ids[event] for event in down) == expected[::-1]


def test_the_last_changed_event_is_found_by_order(make_event, as_admin, listed, clock):
    first, second = make_event()["id"], make_event()["id"]
    clock.advance(minutes=5)
    as_admin.put(f"/events/{first}", title="Changed")

    assert listed(orderby="modified", order="desc") == [first, second]


@pytest.mark.parametrize(
    "query", [{"orderby": "bogus"}, {"orderby": "distance"}, {"order": "up"}, {"orderby": ""}]
)
def test_an_unknown_order_is_refused(anyone, query):
    answer = anyone.get("/events", **query)

    assert answer.status_code == 400
    assert answer.named == list(query)


@pytest.mark.needs_mongodb
def test_titles_sort_as_readers_of_the_language_expect(make_event, listed):
    titles = ["Ähre", "Zebra", "apfel", "Berg", "Ärmel", "Zug 10", "Zug 9"]
    ids = {make_event(title=title)["id"]: title for title in titles}

    assert [ids[event] for event in listed(orderby="title")] == [
        "Ähre",
        "apfel",
        "Ärmel",
        "Berg",
        "Zebra",
        "Zug 9",
        "Zug 10",
    ]
