"""Sources are read in a process of their own, which ends where one takes too much."""

import os
import pickle
import select
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest
from reading import readers, source

from calendar_app.domain.moments import system_clock
from calendar_app.sources.packing import unpacked
from calendar_app.sources.parsed import ParsedCalendar, SourceError
from calendar_app.sources.readers.orders import Bounds
from calendar_app.sources.readers.registry import SourceKind
from calendar_app.sources.readers.service import ReadingService

ZONE = """BEGIN:VTIMEZONE
TZID:Own
BEGIN:STANDARD
DTSTART:19700101T000000
TZOFFSETFROM:+0200
TZOFFSETTO:+0217
END:STANDARD
END:VTIMEZONE
"""
EVENT = """BEGIN:VEVENT
UID:{number}
SUMMARY:Anlass {number}
DTSTART;TZID={zone}:20270101T100000
RRULE:FREQ=DAILY;COUNT=3
END:VEVENT
"""
OWN_ONE = """BEGIN:VEVENT
UID:own
SUMMARY:Anlass
DTSTART;TZID=Own:20270101T100000
END:VEVENT
"""


def calendar(number=3, behind=""):
    events = "".join(EVENT.format(number=each, zone="Europe/Zurich") for each in range(number))
    text = f"BEGIN:VCALENDAR\n{ZONE}{events}{OWN_ONE}{behind}END:VCALENDAR\n"
    return text.replace("\n", "\r\n").encode()


def service(**bounds):
    return ReadingService(replace(readers(), clock=system_clock), Bounds(**bounds))


def read(content, **bounds):
    return service(**bounds).read(content, source("ics"))


def test_calendar_is_the_same_as_if_it_were_read_here():
    content = calendar(behind="BEGIN:VTODO\nEND:VTODO\nBEGIN:VEVENT\nUID:bad\nEND:VEVENT\n")
    there, here = read(content), readers().read(content, source("ics"))
    assert list(there.events.packed()) == list(here.events.packed())
    assert [each.uid for each in there.events] == ["0", "1", "2", "own"]
    assert there.refused == here.refused != []
    assert there.left_out == here.left_out != []
    assert there.unparsed_uids == here.unparsed_uids == {"bad"}
    assert there.whole


def test_report_has_no_longer_words_than_people_read():
    line = f"UID:own\r\nATTACH:{'a' * 50_000}\r\n".encode()
    parsed = read(calendar().replace(b"UID:own\r\n", line))
    assert [len(words) for _, words in parsed.left_out] == [1000]
    assert len(parsed.events) == 4


def test_report_does_not_list_left_out_parts_without_end():
    parts = [("a", "Not taken.")] * 100_002
    club = SourceKind("text/plain", lambda *_: ParsedCalendar(left_out=parts))
    parsed = readers(kinds={"club": club}).read(b"x", source("club"))
    assert len(parsed.left_out) == 100_001
    assert parsed.left_out[-1] == ("…", "More is left out than is listed.")


def test_event_that_still_has_its_text_is_not_read_again():
    texts = {each.uid: each.text_digest for each in read(calendar()).events}
    again = service().read(calendar(), source("ics"), texts)
    assert list(again.events) == []
    assert again.unparsed_uids == {"0", "1", "2", "own"}


@pytest.mark.parametrize(
    ("bounds", "words"),
    [
        ({"computing": 1}, "The source took more than 1 s of computing to read."),
        ({"seconds": 1}, "The source took more than 1 s to read."),
    ],
)
def test_reading_that_takes_too_long_ends_and_the_next_one_goes_on(bounds, words):
    with pytest.raises(SourceError) as refusal:
        read(calendar(30_000), **bounds)
    assert str(refusal.value) == words
    assert len(read(calendar()).events) == 4


def test_reading_that_takes_too_much_memory_ends_and_the_next_one_goes_on():
    with pytest.raises(SourceError) as refusal:
        read(calendar(behind="X-A:\U0001f600" + "a" * 30_000_000 + "\n"), memory=50)
    assert str(refusal.value) == "The source took more than 50 MB of memory to read."
    assert len(read(calendar()).events) == 4


def test_refusal_of_a_reader_is_the_reason():
    with pytest.raises(SourceError, match="there is no VCALENDAR in it"):
        read(b"x")
    with pytest.raises(SourceError, match="It is empty"):
        read(b" ")


def test_defect_of_a_reader_fails_this_reading_alone():
    club = SourceKind("text/plain", sorted)  # takes other arguments
    failing = ReadingService(replace(readers(kinds={"club": club}), clock=system_clock))
    with pytest.raises(SourceError, match="It cannot be read: TypeError"):
        failing.read(b"x", source("club"))
    assert len(read(calendar()).events) == 4


def test_kind_of_a_plugin_without_a_name_is_refused():
    club = SourceKind("text/plain", lambda *_: None)
    with pytest.raises(SourceError, match="have to be found by their names"):
        ReadingService(readers(kinds={"club": club})).read(b"x", source("club"))


def test_address_is_fetched_there_too():
    with pytest.raises(SourceError, match="not a web address"):
        service().fetch(source("ics", "file:///etc/passwd"))


def test_nothing_but_an_event_is_unpacked():
    for value in (os.getcwd, getattr, "text", signal.SIGTERM):
        with pytest.raises(pickle.UnpicklingError):
            unpacked(pickle.dumps(value))


def test_reading_process_knows_neither_application_nor_database():
    names = ("process", "schema_org", "sitemaps", "tables", "tec")
    program = "".join(f"import calendar_app.sources.readers.{name}\n" for name in names)
    program += "import sys, calendar_app.sources.imports.ics.reader\n"
    unwanted = (
        "flask",
        "werkzeug",
        "jinja2",
        "pymongo",
        "calendar_app.api.http",
        "calendar_app.storage.mongo",
    )
    program += f"print([name for name in {unwanted} if name in sys.modules])"
    output = subprocess.check_output([sys.executable, "-c", program], text=True)
    assert output.strip() == "[]"


def computed(process):
    """Return for how many seconds a process has computed."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return int(fields[11]) / os.sysconf("SC_CLK_TCK")


@pytest.mark.parametrize(("events", "computing"), [(3, 0), (50_000, 1)], ids=["idle", "busy"])
def test_reading_process_ends_with_whoever_started_it(events, computing):
    program = f"""
import sys, time
sys.path.insert(0, {str(Path(__file__).parent)!r})
from test_reading_service import calendar, read
read(calendar())
print("read", flush=True)
read(calendar({events}))
time.sleep(600)
"""
    owner = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE)
    assert owner.stdout.readline() == b"read\n"
    (child,) = Path(f"/proc/{owner.pid}/task/{owner.pid}/children").read_text().split()
    watch = os.pidfd_open(int(child))
    begun = computed(child)
    while computed(child) < begun + computing:
        time.sleep(0.1)
    owner.kill()
    owner.wait()
    owner.stdout.close()
    ended, _, _ = select.select([watch], [], [], 60)
    os.close(watch)
    assert ended
