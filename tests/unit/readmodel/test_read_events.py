"""Events as one caller reads them, for all renderers."""

from datetime import date, datetime
from zoneinfo import ZoneInfo

import pytest

from calendar_app.accounts.callers import ANYONE, Caller
from calendar_app.readmodel.addresses import Addresses
from calendar_app.readmodel.events import ReadEvent
from calendar_app.readmodel.records import LocalText, ReadContext, local_text

SITE = "https://calendar.example"
EDITOR = Caller(3, "editor", "editor")
CHURCH = {
    "_id": 7,
    "status": "publish",
    "variants": {"de": {"venue": "Kirche", "city": "Dorta"}, "rm": {"city": "Dorta"}},
    "zip": "7000",
    "phone": "",
    "location": {"coordinates": [9.5, 46.8]},
}
MUSIC = {"_id": 4, "variants": {"de": {"name": "Musik"}, "rm": {"name": "Musica"}}}
EVENT = {
    "_id": 5,
    "author": 1,
    "status": "publish",
    "password": None,
    "variants": {
        "de": {"title": "Konzert & Tanz", "excerpt": "<p>Bach</p>", "slug": "konzert"},
        "rm": {"title": "Concert", "slug": "concert"},
    },
    "start_local": datetime.fromisoformat("2030-03-10 19:00"),
    "end_local": datetime.fromisoformat("2030-03-11 00:00"),
    "start": datetime.fromisoformat("2030-03-10 18:00"),
    "end": datetime.fromisoformat("2030-03-10 23:00"),
    "timezone": "Europe/Zurich",
    "all_day": False,
    "featured": True,
    "cost": {"text": "Free", "values": ["free"], "symbol": "", "code": "", "position": ""},
    "venues": [7, 8],
    "organizers": [],
    "categories": [4],
    "tags": [],
    "image": "https://pictures.example/a.jpg",
}


@pytest.fixture
def read(settings):
    """Return a reader of events in Romansh, else in German."""

    def read(event=EVENT, caller=ANYONE, chain=("rm", "de"), venue=CHURCH, **context):
        linked = {"venues": {7: venue}, "organizers": {}, "categories": {4: MUSIC}, "tags": {}}
        return ReadEvent(
            event,
            ReadContext(
                caller=caller,
                chain=chain,
                addresses=Addresses(SITE, SITE, settings),
                settings=settings,
                zone=ZoneInfo("UTC"),
                linked=linked,
                **context,
            ),
        )

    return read


def test_text_is_in_the_first_language_of_the_chain_that_has_it(read):
    event = read()
    assert event.title == LocalText("Concert", "rm")
    assert event.excerpt == LocalText("<p>Bach</p>", "de", is_borrowed=True)
    assert event.description == LocalText("", "rm")
    assert read(chain=("rm",)).excerpt == LocalText("", "rm")


@pytest.mark.parametrize(
    ("language", "asked", "attributes"),
    [
        ("de", "rm", ' lang="de"'),
        ("ar", "de", ' lang="ar" dir="rtl"'),
        ("de", "ar", ' lang="de" dir="ltr"'),
        ("he", "ar", ' lang="he"'),
    ],
)
def test_borrowed_text_of_another_direction_says_so(language, asked, attributes):
    record = {"variants": {language: {"title": "…"}}}
    assert local_text(record, "title", (asked, language)).attributes == attributes


def test_only_a_borrowed_text_names_its_language_in_a_page(read):
    assert read(chain=("de",)).title.__html__() == "Konzert &amp; Tanz"
    borrowed = LocalText("Konzert & Tanz", "de", is_borrowed=True)
    assert borrowed.__html__() == '<span lang="de">Konzert &amp; Tanz</span>'


def test_summary_has_the_words_of_the_excerpt_and_its_language(read):
    assert read().summary == LocalText("Bach", "de", is_borrowed=True)


def test_description_is_preferred_to_the_excerpt_as_body(read):
    variants = {"de": {"title": "Konzert", "excerpt": "<p>Bach</p>", "description": "<p>Viel</p>"}}
    assert read().body.text == "<p>Bach</p>"
    assert read(EVENT | {"variants": variants}).body.text == "<p>Viel</p>"


def test_venue_that_the_caller_may_not_read_is_no_place_of_the_event(read):
    assert [place.id for place in read().places] == [7]


@pytest.mark.parametrize(
    ("venue", "city", "where"),
    [
        ("Kirche", "Dorta", "Kirche, Dorta"),
        ("Kirche Dorta", "Dorta", "Kirche Dorta"),
        ("Kirche", "", "Kirche"),
    ],
)
def test_place_is_named_with_its_town_unless_the_name_has_it(read, venue, city, where):
    variants = {"de": {"venue": venue, "city": city}}
    assert read(venue=CHURCH | {"variants": variants}).where.text == where


def test_place_of_an_event_has_name_address_and_point(read):
    event = read()
    assert event.where == LocalText("Kirche, Dorta", "de", is_borrowed=True)
    assert event.places[0].name_and_address.text == "Kirche, 7000 Dorta"
    assert event.point == (9.5, 46.8)


def test_event_until_midnight_is_on_one_day(read):
    event = read()
    assert event.days == (date(2030, 3, 10), date(2030, 3, 10))
    assert not event.is_long


def test_free_is_said_in_the_language_of_the_reader(read):
    event = read(chain=("de", "rm"))
    assert event.is_free
    assert event.cost_text == "Kostenlos"


def test_withdrawn_event_is_canceled(read):
    event = read()
    withdrawn = ReadEvent(EVENT, event.context, is_withdrawn=True)
    assert (event.status, event.is_off) == ("scheduled", False)
    assert (withdrawn.status, withdrawn.is_off) == ("canceled", True)


@pytest.mark.parametrize(
    ("name", "empty"),
    [
        ("excerpt", LocalText("", "rm")),
        ("description", LocalText("", "rm")),
        ("website", ""),
        ("places", []),
        ("organizers", []),
        ("categories", []),
        ("tags", []),
        ("picture", None),
        ("cost", None),
        ("cost_text", ""),
        ("is_free", False),
        ("is_featured", False),
        ("attendance_mode", None),
        ("online_url", ""),
        ("series", None),
        ("overrides", []),
        ("point", None),
    ],
)
def test_locked_event_shows_nothing_but_title_and_dates(read, name, empty):
    locked = read(EVENT | {"password": "sealed"})
    assert locked.is_locked
    assert locked.title.text == "Concert"
    assert locked.start == EVENT["start_local"]
    assert getattr(locked, name) == empty
    assert list(locked.open_fields(("title", "excerpt", "slug"))) == ["title", "slug"]


def test_locked_event_is_open_to_who_may_edit_it(read):
    assert not read(EVENT | {"password": "sealed"}, EDITOR).is_locked


def test_picture_at_another_site_has_one_address_in_all_sizes(read):
    picture = read().picture
    assert picture.full.url == EVENT["image"]
    assert {size.url for size in picture.sizes.values()} == {EVENT["image"]}


def test_page_is_in_the_language_asked_for_and_relative_to_the_host(read):
    event = read()
    assert event.url == f"{SITE}/rm/event/concert/"
    assert event.path == "/rm/event/concert/"


def test_draft_has_a_page_by_its_id(read):
    assert read(EVENT | {"status": "draft"}, EDITOR).url == f"{SITE}/rm/?post_type=event&p=5"
