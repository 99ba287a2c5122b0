"""Readings in processes of their own: two at once, killed in the middle, and large ones.

``SOURCE_EVENTS`` is the length of the large calendar; ``make test-sources`` takes 50,000 events,
and then also looks at the time.
"""

import os
import signal
import sys
from subprocess import PIPE, Popen

import pytest
from calendars import calendar
from serving import wait_for

pytestmark = pytest.mark.timeout(600)  # commands start and end beside other tests

EVENTS = int(os.environ.get("SOURCE_EVENTS", "100"))
MOST_MEMORY = 300 << 10  # kilobytes, as the system counts them
SOME = 600
# Answers Ctrl-C, though the tests themselves may run where that is ignored.
INTERRUPTIBLE = """
import signal
from calendar_app.cli.main import main
signal.signal(signal.SIGINT, signal.default_int_handler)
main()
"""
# Runs a command, and writes the kilobytes that it took. A process begins with what its parent has
# taken, so a small one stands between the command and the tests.
MEASURE = """
import resource, subprocess, sys
code = subprocess.call([sys.executable, "-m", "calendar_app", *sys.argv[1:]])
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
sys.exit(code)
"""


def day(n):
    return f"20{30 + n % 9}{1 + n % 12:02}{1 + n % 28:02}"


def events(number, stamp="20260101T000000Z"):
    return calendar(
        *(
            "\n".join(
                [
                    "BEGIN:VEVENT",
                    f"UID:{n}@club",
                    f"DTSTAMP:{stamp}",
                    f"DTSTART;TZID=Europe/Zurich:{day(n)}T190000",
                    f"DTEND;TZID=Europe/Zurich:{day(n)}T210000",
                    f"SUMMARY:Evening {n}",
                    f"DESCRIPTION:{'Words of the evening. ' * 10}{n}",
                    f"LOCATION:Hall {n % 50}",
                    "END:VEVENT",
                ]
            )
            for n in range(number)
        )
    )


@pytest.fixture
def begin(mongod_uri, database, app):
    """Return a function that begins a command on the database of the tests."""
    del database, app
    environment = {**os.environ, "CALENDAR_MONGODB_URI": mongod_uri}
    begun = []

    def beginning(*arguments, runner=("-m", "calendar_app")):
        command = [sys.executable, *runner, *arguments]
        begun.append(Popen(command, env=environment, stdout=PIPE, stderr=PIPE, text=True))
        return begun[-1]

    yield beginning
    for process in begun:
        if process.poll() is None:
            process.kill()
        process.communicate()


@pytest.fixture
def source(begin):
    added = begin("sources", "add", "Club", "https://club.example.org/a.ics")
    output, errors = added.communicate()
    assert added.returncode == 0, errors
    return output.strip()


def test_two_processes_that_read_at_once_write_each_event_once(begin, source, tmp_path, database):
    file = tmp_path / "club.ics"
    file.write_text(events(SOME))
    both = [begin("sources", "read", source, "--file", str(file)) for _ in range(2)]
    outputs = [process.communicate() for process in both]
    codes = [process.returncode for process in both]
    assert 0 in codes, outputs
    for code, (output, errors) in zip(codes, outputs, strict=True):
        # The other one came too early, or found nothing to do.
        assert "being read" in errors if code else output.startswith(("done", "unchanged"))
    assert database["events"].count_documents({}) == SOME


def test_a_killed_reading_is_gone_on_with_where_it_was(begin, source, tmp_path, database):
    file = tmp_path / "club.ics"
    file.write_text(events(SOME))
    killed = begin("sources", "read", source, "--file", str(file))
    wait_for(lambda: database["events"].count_documents({}) >= 25, 180)
    killed.send_signal(signal.SIGKILL)
    killed.wait()
    written = database["events"].count_documents({})
    assert 25 <= written < SOME
    # Each event that is there is whole: its note was stored in the same transaction.
    assert database["events"].count_documents({"from_sources.source": int(source)}) == written
    # The lease of a killed process ends by itself.
    database["leases"].delete_many({})
    again = begin("sources", "read", source, "--file", str(file))
    output, errors = again.communicate()
    assert again.returncode == 0, errors
    assert output.startswith(f"done: {written} unchanged, {SOME - written} new")
    assert database["events"].count_documents({}) == SOME
    states = {each["state"] for each in database["source_readings"].find()}
    assert states == {"interrupted", "done"}


def test_an_interrupted_reading_says_so_and_is_gone_on_with(begin, source, tmp_path, database):
    file = tmp_path / "club.ics"
    file.write_text(events(SOME))
    command = ("sources", "read", source, "--file", str(file))
    interrupted = begin(*command, runner=("-c", INTERRUPTIBLE))
    wait_for(lambda: database["events"].count_documents({}) >= 25, 180)
    interrupted.send_signal(signal.SIGINT)
    assert interrupted.wait() != 0
    written = database["events"].count_documents({})
    assert 25 <= written < SOME
    assert database["events"].count_documents({"from_sources.source": int(source)}) == written
    (reading,) = database["source_readings"].find()
    assert (reading["state"], reading["finished"] is None) == ("interrupted", False)
    assert database["source_states"].find_one()["result"] == "interrupted"
    # It has given its lease back.
    output, errors = begin(*command).communicate()
    assert output.startswith(f"done: {written} unchanged, {SOME - written} new"), errors


def test_a_large_calendar_takes_little_memory_and_little_time_unchanged(
    begin, source, tmp_path, database
):
    durations = []
    # Programs write another DTSTAMP at each download.
    for stamp in ("20260101T000000Z", "20260102T000000Z"):
        file = tmp_path / "club.ics"
        file.write_text(events(EVENTS, stamp))
        command = ("sources", "read", source, "--file", str(file))
        process = begin(*command, runner=("-c", MEASURE))
        output, errors = process.communicate()
        assert process.returncode == 0, errors
        kilobytes = int(output.splitlines()[-1])
        assert kilobytes < MOST_MEMORY
        reading = database["source_readings"].find_one(sort=[("started", -1), ("_id", -1)])
        durations.append(reading["duration"])
        figures = f"{EVENTS} events: {reading['duration']} s, {kilobytes >> 10} MB"
        print(figures)  # noqa: T201  # the figures of make test-sources
    assert reading["numbers"] == {"unchanged": EVENTS}
    assert database["events"].count_documents({}) == EVENTS
    if "SOURCE_EVENTS" in os.environ:
        assert durations[1] <= durations[0] / 10
