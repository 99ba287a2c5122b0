"""Reads 250 kB of the worst case of each parser and pattern; started by a test.

Prints the name of each case behind it. A case that takes more than some seconds of computing ends
the process: work that grows with the square of its content takes minutes.
"""

import resource
import signal
import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from datetime import datetime

from calendar_app.domain.cost import Currency, parse_cost
from calendar_app.domain.postal import parse_line
from calendar_app.domain.texts.sanitizing import clean_html, clean_name, web_url
from calendar_app.errors import CalendarError
from calendar_app.sources.imports.ics.events import Languages
from calendar_app.sources.imports.ics.reader import CalendarReader
from calendar_app.sources.imports.ics.zones import iana_name
from calendar_app.sources.imports.participation import participation_of
from calendar_app.sources.imports.tec.reading import _linked
from calendar_app.sources.likeness import ComparedEvent, likeness
from calendar_app.sources.places import Towns
from calendar_app.sources.readers.fetching import refuse_page
from calendar_app.sources.readers.json_ld import json_ld_of
from calendar_app.sources.readers.markup import sitemap_entries
from calendar_app.sources.readers.records import Reading
from calendar_app.sources.readers.schema_org import read_jsonld
from calendar_app.sources.readers.sheets import shows_clock
from calendar_app.sources.readers.tables import read_table
from calendar_app.sources.readers.tec import read_events
from calendar_app.sources.site_names import at_host

SIZE = 250_000
READING = Reading(("de",), "de", "Europe/Zurich", Currency("CHF ", "CHF", "prefix"))
SECONDS = 4


def many(text: str, behind: str = "") -> str:
    return text * (SIZE // len(text)) + behind


def ics(lines: str) -> bytes:
    return f"BEGIN:VCALENDAR\r\n{lines}\r\nEND:VCALENDAR\r\n".encode()


def event(line: str) -> bytes:
    head = "BEGIN:VEVENT\r\nUID:a\r\nSUMMARY:A\r\nDTSTART:20270101T100000Z\r\n"
    return ics(f"{head}{line}\r\nEND:VEVENT")


def json_ld(name: str, value: str) -> bytes:
    head = '{"@type": "Event", "name": "A", "startDate": "2027-01-01"'
    return f'{head}, "{name}": "{value}"}}'.encode()


def table(start: str) -> bytes:
    return f"title,start\nA,{start[:130_000]}\n".encode() * (SIZE // 130_000)


def _ics(content: bytes) -> object:
    return CalendarReader(Languages(("de",), "de"), "Europe/Zurich").read(content, partly=True)


def _json_ld(content: bytes) -> object:
    return read_jsonld(content, "https://example.org/", READING)


def _table(content: bytes) -> object:
    return read_table(content, {}, READING)


def _page(text: str) -> Callable[[], object]:
    return lambda: [refuse_page(text.encode(), "calendar")]


def _scripts(text: str) -> Callable[[], object]:
    return lambda: list(json_ld_of(text))


def _sitemap(text: str) -> Callable[[], object]:
    return lambda: list(sitemap_entries(text))


CASES: Mapping[str, Callable[[], object]] = {
    "page behind comments": _page(many("<!---->")),
    "page behind comments that begin alone": _page(many("<!--")),
    "page behind white space": _page(many(" ", "x")),
    "title that begins again and again": _page("<html>" + many("<title")),
    "field that begins again and again": _page("<html>" + many("<input")),
    "comments in a page": _scripts(many("<!--")),
    "tags without an end": _scripts(many("<a ")),
    "attributes without an end": _scripts(many('<a b="')),
    "elements within elements": _scripts(many("<div>")),
    "inline elements within elements": _scripts(many("<b><p>")),
    "marks within a script": _scripts('<script type="application/ld+json">' + many("<&")),
    "scripts without an end": _scripts(many('<script type="application/ld+json">')),
    "packed script": _scripts('<script type="application/ld+json">' + many("--> ") + "x"),
    "commas in a document": _scripts("[" + many(", ")),
    "lists in lists": _scripts(many("[")),
    "entries of a sitemap that do not end": _sitemap("<urlset>" + many("<url>")),
    "address of white space": _sitemap("<urlset><url><loc>" + many(" ", "x")),
    "addresses that do not end": _sitemap("<urlset>" + many("<url><loc> ")),
    "changes that do not end": _sitemap("<urlset>" + many("<url><loc>a</loc><lastmod> ")),
    "sitemap with entities": _sitemap('<!DOCTYPE a [<!ENTITY b "b">]><urlset>' + many("&b;")),
    "calendars in calendars": lambda: _ics(many("BEGIN:VCALENDAR\r\n").encode()),
    "components in an event": lambda: _ics(event(many("BEGIN:VALARM\r\n"))),
    "components that end": lambda: _ics(event(many("BEGIN:VALARM\r\nEND:VALARM\r\n"))),
    "body of a description": lambda: _ics(event("X-ALT-DESC;FMTTYPE=text/html:" + many("<body"))),
    "words of a description": lambda: _ics(event("X-ALT-DESC;FMTTYPE=text/html:" + many("a"))),
    "marks of a description": lambda: _ics(event("DESCRIPTION:" + many("<p "))),
    "name of a zone": lambda: _ics(
        event("RECURRENCE-ID;TZID=" + many("/AA") + "!:20270101T100000")
    ),
    "parameters": lambda: _ics(event("COMMENT" + many(";A=1") + ":x")),
    "quoted parameters": lambda: _ics(event("COMMENT;A=" + many('"a",') + '"b":x')),
    "folded line": lambda: _ics(event("COMMENT:a" + many("\r\n a"))),
    "categories": lambda: _ics(event("CATEGORIES:" + many("a,"))),
    "zones of cities": lambda: iana_name("(UTC+01:00) " + many(" ", "\nx")),
    "names in a zone": lambda: iana_name(many("/AA", "!")),
    "ages": lambda: participation_of({"typicalAgeRange": many(" ", "!")}, "Europe/Zurich"),
    "many events of one name": lambda: _json_ld(
        ('[{"@type": "Event", "name": "%s"}' % ("A" * (SIZE // 2))).encode()
        + b', {"@type": "Event", "name": ""}' * (SIZE // 50)
        + b"]"
    ),
    "name of white space": lambda: _json_ld(json_ld("name", many(" "))),
    "description of tags": lambda: _json_ld(json_ld("description", many("<pre "))),
    "time of a table": lambda: _table(table(many(","))),
    "clock of a table": lambda: _table(table(many("1:11"))),
    "quoted cell": lambda: _table(b'title,start\n"' + many('""').encode()),
    "pages in JSON": lambda: read_events(many("[").encode(), READING),
    "address with queries": lambda: _linked(many("/1?", "\nx")),
    "site of a term": lambda: at_host("tags/" + many("a/") + "?x?id=5"),
    "host of colons": lambda: web_url("http://[" + many(":")),
    "host of points": lambda: web_url("http://" + many("a.")),
    "element with addresses": lambda: clean_html(
        '<pre title="' + many("<pre ") + '">x</pre>', trusted=False
    ),
    "name of brackets": lambda: clean_name(many("<a '")),
    "location of addresses": lambda: _ics(event("LOCATION:" + many("http://a!"))),
    "location of points": lambda: _ics(event("LOCATION:www." + many("."))),
    "escaped quotes": lambda: _ics(event("ORGANIZER;CN=" + many('\\"', ":mailto:a"))),
    "quotes without an end": lambda: _ics(event("COMMENT" + many(';A="'))),
    "times of a rule": lambda: _ics(event("EXDATE:" + many("20270101T1000,"))),
    "lines that are none": lambda: _ics(event(many("a\r\n"))),
    "backslashes in JSON": _scripts("{" + many("\\") + "'"),
    "openings of a script": _scripts('<script type="application/ld+json">' + many(";")),
    "nodes that refer to each other": lambda: _json_ld(
        ("[" + many('{"@id":"#a","@type":"Event","location":{"@id":"#a"}},', "{}]")).encode()
    ),
    "days of a table": lambda: _table(table(many("1.-"))),
    "prices": lambda: parse_cost(many("1 - "), READING.currency),
    "commas of an address": lambda: parse_line("Via Nova 3" + many(", ", "x")),
    "white space of an address": lambda: parse_line("7500" + many(" ", "1")),
    "country of white space": lambda: parse_line("7500 Chur," + many(" ", "1")),
    "place of commas": lambda: Towns("Chur").place(
        {"variants": {"de": {"venue": "Hall, " + many(",", "x")}}}
    ),
    "titles of the same words": lambda: likeness(*titled_pair(), {}),
    "format of a cell": lambda: shows_clock(many("[")),
}


def titled_pair() -> list[ComparedEvent]:
    """Return two events with the same words in their titles, in opposite order."""
    words = [f"{number * 7919 % 999_983:06}" for number in range(SIZE // 7)]
    usual = {"start": datetime(2030, 1, 1), "all_day": False, "venues": []}  # noqa: DTZ001  # in UTC
    return [
        ComparedEvent.of(
            {**usual, "_id": number, "variants": {"de": {"title": " ".join(own)}}},
            [{"source": number, "uid": "a"}],
        )
        for number, own in enumerate((words, words[::-1]), 1)
    ]


def main() -> None:
    """Read all cases, each within its seconds."""
    signal.signal(signal.SIGXCPU, signal.SIG_DFL)
    for name, read in CASES.items():
        used = resource.getrusage(resource.RUSAGE_SELF)
        seconds = int(used.ru_utime + used.ru_stime) + SECONDS
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, resource.RLIM_INFINITY))
        with suppress(CalendarError, ValueError):  # refused, in time
            read()
        sys.stdout.write(f"{name}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
