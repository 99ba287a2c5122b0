"""Broken iCalendar files: what can be taken is taken, the rest is named, nothing is a traceback."""

import pytest

from calendar_app.sources.imports.ics.content import split
from calendar_app.sources.imports.ics.events import Languages
from calendar_app.sources.imports.ics.reader import CalendarReader
from calendar_app.sources.parsed import SourceError

ZONE = """
BEGIN:VTIMEZONE
TZID:Customized
{}BEGIN:STANDARD
DTSTART:19701025T030000
TZOFFSETFROM:+0200
TZOFFSETTO:+0137
END:STANDARD
END:VTIMEZONE"""
EVENT = """
BEGIN:VEVENT
UID:{uid}
DTSTAMP:20261101T100000Z
DTSTART;TZID=Europe/Zurich:20270106T190000
SUMMARY:Chor für alle
{lines}
BEGIN:VALARM
TRIGGER:-PT15M
END:VALARM
END:VEVENT"""


def event(*lines, uid="one"):
    return EVENT.format(uid=uid, lines="\n".join(lines))


def calendar(*components):
    lines = "\n".join(["BEGIN:VCALENDAR", "VERSION:2.0", *components, "END:VCALENDAR", ""])
    return lines.replace("\n\n", "\n").replace("\n", "\r\n")


def read(text, default="de"):
    content = text if isinstance(text, bytes) else text.encode()
    languages = Languages(["de", "fr", "it", "rm", "en"], default)
    return CalendarReader(languages, "Europe/Zurich").read(content)


def title(parsed):
    (only,) = parsed.events
    return only.changes["variants"][only.language]["title"]


def test_two_tzid_lines_refuse_the_events_of_that_zone_alone():
    other = event(uid="two").replace("Europe/Zurich", "Customized")
    parsed = read(calendar(ZONE.format("TZID:Another\n"), event(), other))
    assert [each.source for each in parsed.events] == ["ics:one"]
    ((label, reason),) = parsed.refused
    assert (label, "Customized" in reason) == ('event two "Chor für alle"', True)


@pytest.mark.parametrize("name", ["TZOFFSETFROM:+0200", "TZID:Customized", "BEGIN:STANDARD"])
def test_zone_without_what_it_needs_does_not_hinder_others(name):
    zone = ZONE.format("")
    if name == "BEGIN:STANDARD":
        zone = "\nBEGIN:VTIMEZONE\nTZID:Customized\nEND:VTIMEZONE"
    parsed = read(calendar(zone.replace(f"{name}\n", "", 1), event()))
    assert (len(parsed.events), parsed.refused) == (1, [])


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("DTEND;TZID=Nowhere:20270106T210000", "DTEND has an unknown time zone, Nowhere."),
        ("DTEND;VALUE=PERIOD:20270106T190000Z/PT1H", "DTEND is not a date."),
        ("DURATION:2H", "DURATION cannot be read: 2H"),
        ("DTEND;VALUE=DATE:20270107", "One of DTSTART and DTEND is a day, the other a time."),
    ],
)
def test_end_that_is_no_time_is_named(line, reason):
    parsed = read(calendar(event(line)))
    assert len(parsed.events) == 0
    assert parsed.refused == [('event one "Chor für alle"', reason)]


LEFT_OUT = {
    "EXRULE": "EXRULE:FREQ=DAILY",
    "GEO": "GEO:46.8;9.5",
    "ATTACH": "ATTACH;FMTTYPE=image/png;ENCODING=BASE64;VALUE=BINARY:aGFsbG8=",
    "ATTACH, which is not a picture": "ATTACH:https://example.org/a.pdf",
    "IMAGE": "IMAGE;ENCODING=BASE64;VALUE=BINARY:aGFsbG8=",
    "URL": "URL:ftp//nowhere",
    "https://b.example": "URL:https://a.example https://b.example",
    "(Passwort 123)": "LOCATION:https://zoom.example/j/3 (Passwort 123)",
    "RRULE": "RRULE:FREQ=WEEKLY;UNTIL=20270105T000000Z",
    "Achtung: kein Parkplatz": "DESCRIPTION:Kommt alle\nAchtung: kein Parkplatz",
}


@pytest.mark.parametrize("name", LEFT_OUT)
def test_left_out_part_is_named(name):
    parsed = read(calendar(event(LEFT_OUT[name])))
    assert (len(parsed.events), parsed.refused) == (1, [])
    ((label, words),) = parsed.left_out
    assert (label, name in words) == ('event one "Chor für alle"', True)


def test_point_at_the_edge_of_the_map_is_one():
    (only,) = read(calendar(event("LOCATION:Pol", "GEO:90;180"))).events
    (venue,) = only.changes["venues"]
    assert venue["geo"] == (90, 180)


def test_complete_event_leaves_nothing_out():
    lines = ("LOCATION:Aula", "GEO:46.8;9.5", "URL:https://example.org/")
    assert read(calendar(event(*lines))).left_out == []


def test_rule_of_a_single_date_of_a_series_is_named():
    rule = "RRULE:FREQ=WEEKLY;COUNT=4"
    date = event(rule, "RECURRENCE-ID;TZID=Europe/Zurich:20270113T190000")
    parsed = read(calendar(event(rule), date))
    ((label, words),) = parsed.left_out
    assert ("2027-01-13" in label, words) == (
        True,
        "RRULE, which a single date of a series cannot have.",
    )


def test_rule_that_ends_before_its_event_begins_leaves_the_first_date():
    parsed = read(calendar(event("RRULE:FREQ=MONTHLY;UNTIL=20261231T000000Z")))
    assert [each.parts["rrule"] for each in parsed.events] == [[]]


@pytest.mark.parametrize(
    ("location", "link", "venue"),
    [
        ("Saal 2", "", "Saal 2"),
        ("https://zoom.example/j/1", "https://zoom.example/j/1", None),
        ("https://zoom.example/j/1 \\; Saal 2", "https://zoom.example/j/1", "Saal 2"),
        ("Saal 2\\; https://zoom.example/j/2", "https://zoom.example/j/2", "Saal 2"),
        ("Zoom: https://zoom.example/j/2", "https://zoom.example/j/2", None),
        ("https://zoom.example/j/3 (Passwort 123)", "https://zoom.example/j/3", None),
    ],
)
def test_location_has_a_link_a_place_or_both(location, link, venue):
    (only,) = read(calendar(event(f"LOCATION:{location}"))).events
    venues = [each["variants"]["de"]["venue"] for each in only.changes["venues"]]
    assert (only.changes["online_url"], venues) == (link, [venue] if venue else [])


def test_of_two_events_with_one_uid_the_highest_sequence_counts():
    newer = event("SEQUENCE:3").replace("Chor", "Band")
    parsed = read(calendar(newer, event("SEQUENCE:2")))
    assert title(parsed) == "Band für alle"
    ((label, words),) = parsed.left_out
    assert ("Chor" in label, "UID" in words) == (True, True)


def test_uid_counts_across_the_calendars_of_a_file():
    parsed = read(calendar(event()) + calendar(event()))
    assert (len(parsed.events), len(parsed.left_out)) == (1, 1)


def test_event_without_uid_gets_one_from_start_title_and_place():
    plain = event().replace("UID:one\n", "")
    (first,) = read(calendar(plain)).events
    (again,) = read(calendar(plain.replace("20261101", "20261102"))).events
    (other,) = read(calendar(plain.replace("T19", "T20"))).events
    assert first.source == again.source != other.source
    assert first.label == 'event without UID "Chor für alle"'


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("de", "(ohne Titel)"),
        ("fr", "(sans titre)"),
        ("it", "(senza titolo)"),
        ("rm", "(senza titel)"),
        ("en", "(no title)"),
    ],
)
def test_event_without_summary_gets_a_title_in_its_language(language, words):
    untitled = event().replace("SUMMARY:Chor für alle", "SUMMARY:")
    assert title(read(calendar(untitled), language)) == words


def test_override_without_summary_has_that_of_its_series():
    override = event("RECURRENCE-ID;TZID=Europe/Zurich:20270113T190000", "STATUS:CANCELLED")
    series = event("RRULE:FREQ=WEEKLY;COUNT=3")
    (only,) = read(calendar(series, override.replace("SUMMARY:Chor für alle\n", ""))).events
    assert only.overrides[0].changes["variants"]["de"]["title"] == "Chor für alle"


@pytest.mark.parametrize("line", ["RRULE:", 'RRULE;X-A="b:c": ', "RDATE:", "EXDATE;VALUE=DATE:"])
def test_empty_property_is_none(line):
    parsed = read(calendar(event(line)))
    assert (len(parsed.events), parsed.refused) == (1, [])
    assert not parsed.events[0].recurs


def test_comment_of_a_canceled_event_is_its_reason():
    canceled = read(calendar(event("STATUS:CANCELLED", "COMMENT:Zu wenig Schnee")))
    planned = read(calendar(event("COMMENT:Bitte beachten")))
    reasons = [
        each.events[0].changes["variants"]["de"].get("status_reason")
        for each in (canceled, planned)
    ]
    assert reasons == ["Zu wenig Schnee", None]


def test_truncated_file_is_called_that_wherever_it_is_cut():
    whole = calendar(ZONE.format(""), event("RRULE:FREQ=WEEKLY"), event(uid="two")).encode()
    begun = len(b"BEGIN:VCALENDAR")
    for cut in range(begun + 1, len(whole) - len(b"\r\n")):
        with pytest.raises(SourceError, match="cut off"):
            split(whole[:cut])
    for cut in range(begun):
        with pytest.raises(SourceError, match="no VCALENDAR"):
            split(whole[:cut])


@pytest.mark.parametrize(
    "encode",
    [
        lambda text: text.encode("utf-16"),
        lambda text: text.encode("utf-16-le"),
        lambda text: text.encode("utf-16-be"),
        lambda text: text.encode("utf-8-sig"),
        lambda text: text.encode("latin-1"),
        lambda text: text.replace("\r\n", "\n").encode(),
        lambda text: text.replace("\r\n", "\r").encode(),
        lambda text: text.replace("\r\n", "\r\r\n").encode(),
        lambda text: text.replace("\r\nSUMMARY", "\nSUMMARY").encode(),
        lambda text: text.replace("Chor", "Ch\0or").encode(),
        lambda text: text.encode().replace(b"\xc3\xbc", b"\xc3\r\n \xbc"),
    ],
)
def test_text_is_read_in_any_encoding_and_with_any_line_ends(encode):
    assert title(read(encode(calendar(event())))) == "Chor für alle"


@pytest.mark.parametrize(
    "text",
    [
        calendar(event().replace("END:VEVENT", "")),
        calendar(event().replace("END:VALARM", "")),
        calendar("BEGIN:VEVENT\n" * 3000, event()),
        calendar(event().replace("BEGIN:VEVENT", "")),
        "BEGIN:VCALENDAR\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n",
        "END:VCALENDAR\r\n",
        "X-WR-TIMEZONE:Europe/Zurich\r\n" + event(),
        "BEGIN:VCARD\r\nEND:VCARD\r\n",
    ],
)
def test_components_out_of_order_are_refused_in_a_sentence(text):
    with pytest.raises(SourceError, match="iCalendar") as refused:
        read(text)
    assert "\n" not in str(refused.value)


ODD = [
    "DTSTART;VALUE=PERIOD:20270101T100000Z/PT1H",
    "RECURRENCE-ID;VALUE=PERIOD:20270101T100000Z/PT1H",
    *(
        "DTSTART:99991231T235959Z",
        "DTSTART:nonsense",
        "DURATION:P99999999999999W",
        "DTEND:20270101",
    ),
    *("RRULE:FREQ=", "RRULE:FREQ=WEEKLY;COUNT=99999999999999999999", "RDATE;VALUE=PERIOD:1/2"),
    *(
        "RECURRENCE-ID:nonsense",
        "RECURRENCE-ID;RANGE=THISANDFUTURE:20270101",
        "GEO:a;b",
        "GEO:nan;inf",
    ),
    *(
        "SEQUENCE:" + "9" * 5000,
        "SEQUENCE:x",
        "UID:two",
        "SUMMARY;LANGUAGE=:x",
        "STATUS;X=Y:CANCELLED",
    ),
    *(
        "ORGANIZER:mailto:%ff",
        "URL:http://[",
        "CATEGORIES:,,,",
        "CONTACT:,",
        ";:",
        ":",
        "x" * 100_000,
    ),
    *("DTSTART;TZID=../../etc/passwd:20270101T100000", "EXDATE;TZID=Nowhere:20270101T100000"),
]


@pytest.mark.parametrize("line", ODD)
@pytest.mark.parametrize("place", ["first", "last"])
def test_odd_line_ends_in_an_event_or_a_refusal(line, place):
    odd = event(line)
    if place == "first":
        odd = event().replace("BEGIN:VEVENT\n", f"BEGIN:VEVENT\n{line}\n")
    parsed = read(calendar(odd, event(uid="other")))
    assert "ics:other" in [each.source for each in parsed.events]
    assert len(parsed.events) + len(parsed.refused) == 2


@pytest.mark.parametrize(
    "line",
    [
        "RECURRENCE-ID;RANGE=THISANDPRIOR:20270113T180000Z",
        "RECURRENCE-ID;RANGE=THISANDFUTURE:20270114T180000Z",
    ],
)
def test_a_date_that_cannot_be_taken_is_named_and_the_series_stays(line):
    parsed = read(calendar(event("RRULE:FREQ=WEEKLY"), event(line)))
    (series,) = parsed.events
    assert series.overrides == ()
    ((label, _),) = parsed.refused
    assert label.startswith('event one "Chor für alle" on 2027-01-1')


def test_file_that_is_cut_off_has_the_events_before_the_cut():
    content = calendar(event(), event(uid="two")).encode()
    languages = Languages(["de"], "de")
    parsed = CalendarReader(languages, "Europe/Zurich").read(content[:-40], partly=True)
    assert ([each.uid for each in parsed.events], parsed.whole) == (["one"], False)
    assert CalendarReader(languages, "Europe/Zurich").read(content, partly=True).whole


def test_components_that_are_no_events_are_counted():
    task = "BEGIN:VTODO\nUID:t\nEND:VTODO"
    parsed = read(calendar(task, task, event(), "BEGIN:VJOURNAL\nEND:VJOURNAL"))
    assert [label for label, _ in parsed.left_out] == ["2 VTODO", "1 VJOURNAL"]
