"""The page on plugins has all that a plugin is given, and nothing that is not there."""

import dataclasses
import inspect
import re
from pathlib import Path

from calendar_app import plugins
from calendar_app.domain.cost import Currency
from calendar_app.plugins import PLACES, Reading
from calendar_app.sources.readers.columns import NAMES
from calendar_app.sources.readers.tables import read_table

ROOT = Path(__file__).parents[3]
PAGE = (ROOT / "docs" / "reference" / "plugins.md").read_text(encoding="utf-8")
SECTIONS = dict(re.findall(r"^## (.+?)\n(.*?)(?=^## |\Z)", PAGE, re.MULTILINE | re.DOTALL))
TYPES = {title.strip("`"): text for title, text in SECTIONS.items() if title.startswith("`")}
# Of these the page has what a plugin needs; the service itself uses more of them.
SELECTED = {"ReadEvent", "CalendarEvent", "Feed", "FeedSeries", "LocalText"}
# What only the service calls.
INTERNAL = {
    "DeskPage": {"title_in"},
    "Fetcher": {"close"},
    "Moment": {"in_zone", "instant"},
}


def first_cells(text):
    return re.findall(r"^\| `(\w+)` \|", text, re.MULTILINE)


def attributes_of(name):
    """Return the public attributes of a type of the contract."""
    cls = getattr(plugins, name)
    fields = (
        [field.name for field in dataclasses.fields(cls)] if dataclasses.is_dataclass(cls) else []
    )
    own = {*fields, *getattr(cls, "_fields", ()), *getattr(cls, "__annotations__", ())}
    for each in inspect.getmro(cls):
        if each.__module__.startswith("calendar_app"):
            own |= set(vars(each)) | _assigned(each)
    return {attribute for attribute in own if not attribute.startswith("_")}


def _assigned(cls):
    source = inspect.getsource(cls)
    return set(re.findall(r"^ +self\.([a-z]\w*)(?:: [^=\n]+)? = ", source, re.MULTILINE))


def test_attributes_of_a_type_are_those_of_the_code(subtests):
    for name, section in TYPES.items():
        with subtests.test(name=name):
            described, there = set(first_cells(section)), attributes_of(name)
            assert described - there == set()
            if name not in SELECTED:
                assert there - described == INTERNAL.get(name, set())


def test_every_name_of_the_contract_is_described():
    assert {*TYPES, *first_cells(SECTIONS["Further names"])} == set(plugins.__all__)


def test_places_of_blocks_are_named():
    assert ", ".join(f"`{place}`" for place in PLACES) in SECTIONS["Further names"]


def test_keys_of_a_change_are_those_that_our_own_readers_give():
    cells = {
        "title": "Konzert",
        "start": "2030-01-15",
        "start_time": "20:00",
        "cost": "12",
        "categories": "Musik",
        "tags": "Chor",
        "venue": "Kirche",
        "organizer": "Chor",
        "online_url": "https://club.example/live",
        "image": "https://club.example/chor.jpg",
        "registration_url": "https://club.example/kasse",
        "accessibility": "wheelchair",
        "in_language": "de",
        "min_age": "6",
        "sensitivity": "private",
    }
    lines = (NAMES, [cells.get(name, "") for name in NAMES])
    content = "\n".join(";".join(line) for line in lines).encode()
    reading = Reading(("de",), "de", "Europe/Zurich", Currency("CHF", "CHF", "prefix"))
    (event,) = read_table(content, {}, reading).events
    assert set(first_cells(SECTIONS["The keys of a change"])) == event.changes.keys()
