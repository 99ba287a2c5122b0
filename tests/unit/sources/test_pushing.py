"""A pushed event is complete: each field that is not sent is empty."""

from datetime import UTC, datetime

from calendar_app.domain.moments import Moment
from calendar_app.domain.recurrence.notation import parse
from calendar_app.sources.notes import fingerprint, key_of
from calendar_app.sources.pushing import pushed_event
from calendar_app.sources.source import Source

NOW = datetime(2027, 1, 1, tzinfo=UTC)
TICKETS = Source(id=1, name="Tickets", kind="push", language="de", timezone="Europe/Zurich")
CHOIR = {
    "variants": {"de": {"title": "Chor"}},
    "start": Moment(datetime.fromisoformat("2027-01-06 19:00")),
    "end": Moment(datetime.fromisoformat("2027-01-06 21:00")),
}


def test_event_that_a_program_sends_has_the_zone_of_its_source():
    event = pushed_event("7#a", CHOIR, TICKETS)
    assert event.changes["timezone"] == "Europe/Zurich"
    assert (key_of(event), event.language) == (("7#a", ""), "de")


def test_what_is_not_sent_is_empty():
    changes = pushed_event("7", CHOIR, TICKETS).changes
    assert changes["variants"]["de"]["description"] is None
    assert (changes["cost"], list(changes["venues"])) == (None, [])
    assert changes["event_status"] == "scheduled"


def test_texts_are_in_the_first_language_that_has_a_title():
    french = CHOIR | {"variants": {"de": {"excerpt": "x"}, "fr": {"title": "Chœur"}}}
    assert pushed_event("7", french, TICKETS).language == "fr"


def test_another_rule_is_another_event():
    prints = {
        fingerprint(pushed_event("7", CHOIR | {"recurrence": parse(rule, NOW)}, TICKETS))
        for rule in ("", "FREQ=WEEKLY;COUNT=3", "FREQ=WEEKLY;COUNT=4")
    }
    assert len(prints) == 3
