"""The numbers beside filters are those of the lists behind them, under all other filters."""

import random
import re
from urllib.parse import urlencode

import pytest

SEED = 20300115
COMBINATIONS = 20


@pytest.fixture
def calendar(make_event, make_category, make_venue, make_organizer, as_admin):
    """Fill a calendar with events of all sorts; return the slugs of its terms."""
    chance = random.Random(SEED)  # noqa: S311  # the same calendar each time
    music = make_category(name="Music", slug="music")
    jazz = make_category(name="Jazz", slug="jazz", parent=music["id"])
    sport = make_category(name="Sport", slug="sport")
    tags = [as_admin.post("/tags", name=name, slug=name).json for name in ("free", "open-air")]
    terms = [music, jazz, sport]
    venues = [make_venue(venue=name)["id"] for name in ("Hall", "Square")]
    organizers = [make_organizer(organizer=name)["id"] for name in ("Choir", "Club")]
    for number in range(30):
        day = f"2030-{chance.randint(2, 4):02}-{chance.randint(1, 28):02}"
        make_event(
            title=f"Event {number} {chance.choice(['concert', 'match'])}",
            start_date=(day := f"2030-{chance.randint(2, 4):02}-{chance.randint(1, 28):02}")
            + " 19:00",
            end_date=f"{day} 22:00",
            categories=[each["id"] for each in terms if chance.random() < 0.4],
            tags=[each["id"] for each in tags if chance.random() < 0.4],
            venue=[each for each in venues if chance.random() < 0.4],
            organizer=[each for each in organizers if chance.random() < 0.4],
            featured=chance.random() < 0.3,
            attendance_mode=chance.choice(["offline", "online", "mixed"]),
            **({"password": "sesame"} if chance.random() < 0.1 else {}),
            **({"translation_language": "rm"} if chance.random() < 0.3 else {}),
        )
    for number in range(4):
        series = make_event(
            title=f"Weekly concert {number}",
            start_date=f"2030-02-2{number} 19:00",
            end_date=f"2030-02-2{number} 22:00",
            categories=[chance.choice(terms)["id"]],
            venue=[chance.choice(venues)],
            recurrence={"rrule": "FREQ=WEEKLY;COUNT=4"},
        )
        other_date = {"categories": [sport["id"]], "venue": venues, "featured": True}
        as_admin.patch(f"/events/{series['id'] + 2}", **other_date)
    return {
        "categories": ["music", "jazz", "sport"],
        "tags": ["free", "open-air"],
        "venue": venues,
        "organizer": organizers,
    }


def chosen(chance, terms):
    """Return filters as people combine them."""
    possible = {
        "categories": chance.choice(terms["categories"]),
        "tags": chance.choice(terms["tags"]),
        "venue": chance.choice(terms["venue"]),
        "organizer": chance.choice(terms["organizer"]),
        "featured": "true",
        "attendance_mode": "online,mixed",
        "search": chance.choice(["concert", "match", "event"]),
        "start_date": "2030-03-01",
        "end_date": "2030-03-31",
        "fallback": "none",
        "first_in_series": "true",
    }
    return {name: value for name, value in possible.items() if chance.random() < 0.35}


def numbers_of(page):
    """Return the numbers of a page by the name and the value of their filter."""
    boxes = page.tree.xpath('//input[@type="checkbox"][../*[@class="number"]]')
    options = page.tree.xpath('//select[@name="venue" or @name="organizer"]/option[@value!=""]')
    numbers = [(option, re.search(r" \((\d+)\)$", option.text_content())) for option in options]
    return {
        (option.getparent().get("name"), option.get("value")): int(number[1])
        for option, number in numbers
        if number
    } | {
        (box.get("name").removesuffix("[]"), box.get("value")): int(
            box.getparent().xpath('./*[@class="number"]')[0].text_content()
        )
        for box in boxes
    }


def test_numbers_beside_filters_are_exact(browse, anyone, calendar):
    chance, compared = random.Random(SEED), 0  # noqa: S311  # the same filters each time
    for _ in range(COMBINATIONS):
        filters, language = chosen(chance, calendar), chance.choice(["", "/rm"])
        page = browse(f"{language}/events/list/?{urlencode(filters)}")
        for (name, value), number in numbers_of(page).items():
            query = {**filters, name: value, "translation_language": language[1:] or "de"}
            listed = anyone.get("/events", **query)
            assert listed.status_code == 200, listed.json
            assert number == listed.json["total"], (filters, name, value)
            compared += 1
    assert compared > COMBINATIONS * 3


def test_venues_and_organizers_are_chosen_by_name(browse, calendar):
    page = browse("/events/list/")
    venues = page.tree.xpath('//select[@name="venue"]/option')
    assert [venue.text_content().split(" (")[0] for venue in venues] == [
        "Alle Orte",
        "Hall",
        "Square",
    ]
    hall = calendar["venue"][0]
    (chosen_venue,) = browse(f"/events/list/?venue={hall}").tree.xpath("//option[@selected]")
    assert chosen_venue.text_content().startswith("Hall (")


def test_hidden_venue_is_no_choice(browse, make_event, make_venue):
    hidden = make_venue(venue="Secret hall", status="draft")["id"]
    make_event(venue=[hidden])
    assert "Secret hall" not in browse("/events/list/").text


@pytest.fixture
def change(make_event, make_category, make_venue, as_admin):
    """Create an event in a category and at a venue; return a function that changes one of them."""
    category = make_category(name="Music", slug="music")["id"]
    venue = make_venue(venue="Hall")["id"]
    make_event(title="Concert", categories=[category], venue=[venue])
    event = make_event(title="Ball")["id"]

    def patch(path, fields):
        answer = as_admin.patch(path.format(event=event, category=category, venue=venue), **fields)
        assert answer.status_code == 200, answer.json

    return patch


def choices_of(page):
    """Return the categories and venues that a page offers, with their numbers."""
    options = page.tree.xpath('//select[@name="venue"]/option[@value!=""]')
    boxes = page.tree.xpath('//label[input[@name="categories[]"]]')
    return {" ".join(each.text_content().split()) for each in (*options, *boxes)}


@pytest.mark.parametrize(
    ("path", "fields", "shown"),
    [
        ("/events/{event}", {"title": "Grand ball"}, {"Music 1", "Hall (1)"}),
        ("/events/{event}", {"categories": ["music"]}, {"Music 2", "Hall (1)"}),
        ("/venues/{venue}", {"venue": "Court"}, {"Music 1", "Court (1)"}),
        ("/venues/{venue}", {"status": "draft"}, {"Music 1"}),
        ("/categories/{category}", {"name": "Song"}, {"Song 1", "Hall (1)"}),
    ],
    ids=["title", "category of an event", "venue renamed", "venue hidden", "category renamed"],
)
def test_filters_follow_what_is_written(browse, change, path, fields, shown):
    assert [choices_of(browse("/events/list/")) for _ in range(2)] == [{"Music 1", "Hall (1)"}] * 2
    change(path, fields)
    assert [choices_of(browse("/events/list/")) for _ in range(2)] == [shown] * 2
