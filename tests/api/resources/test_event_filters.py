"""Lists filtered by properties, links and words of events."""

import pytest


def test_include_goes_together_with_other_filters(make_on, listed):
    plain, featured = make_on("2030-05-01"), make_on("2030-05-02", featured=True)

    assert listed(include=f"{plain},{featured}", featured=True) == [featured]


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

    for category in (music["id"], music["slug"], "Music & Dance", "music & dance"):
        assert listed(categories=category) == [in_music, in_bebop]
    assert listed(categories="jazz") == [in_bebop]
    assert listed(categories=f"jazz, {art['id']},") == [in_bebop, in_art]
    assert listed(**{"categories[]": ["jazz", "art"]}) == [in_bebop, in_art]


def test_an_unknown_term_fails_the_whole_filter(anyone, make_category):
    make_category(name="Jazz")
    for query in ({"categories": "jazz,nope"}, {"categories": ""}, {"tags": "999999"}):
        answer = anyone.get("/events", **query)

        assert answer.status_code == 400
        assert answer.invalid_params == list(query)


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
    other_event_id = make_event(tags=linked["tags"], venue=elsewhere)["id"]

    assert listed(tags=linked["tags"]) == [full, other_event_id]
    assert listed(tags=linked["tags"], categories=linked["categories"]) == [full]
    assert listed(venue=f"{linked['venue']},{elsewhere}") == [full, other_event_id]
    assert listed(venue=linked["venue"], organizer=linked["organizer"]) == [full]
    assert listed(venue=elsewhere, organizer=linked["organizer"]) == []


def test_featured_and_ticketed_select_either_way(make_event, listed):
    featured, ticketed = make_event(featured=True)["id"], make_event(ticketed=True)["id"]

    assert listed(featured=True) == [featured]
    assert listed(featured=False) == [ticketed]
    assert listed(ticketed=1) == [ticketed]
    assert listed(ticketed="FALSE") == [featured]


@pytest.mark.parametrize(
    ("text", "matches"),
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
def test_search_finds_words_in_title_description_and_excerpt(make_event, listed, text, matches):
    event = make_event(
        title="Frühlings-Konzert",
        description="<p><strong>Im Hof</strong> in Zürich, 100% gratis</p>",
        excerpt="Vorspann",
    )["id"]

    assert listed(search=text) == ([event] if matches else [])


def test_an_empty_search_is_refused(anyone):
    assert anyone.get("/events", search="").invalid_params == ["search"]


def test_search_for_zero_is_an_ordinary_one(make_event, listed):
    event = make_event(title="Level 0")["id"]

    assert listed(search="0") == [event]
