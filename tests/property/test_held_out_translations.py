"""A fifth of a calendar's translations is held out: the memory proposes what people wrote.

The texts are those of the calendar of ``make run``, said again and again, the usual ones most
often. ``make test-ledger`` holds out of 2,000 events; ``make test`` of some of them.
"""

import json
import os
import re
from html import unescape
from pathlib import Path
from random import Random

import pytest

import calendar_app.cli.demo

pytestmark = pytest.mark.timeout(0)
EVENTS = int(os.environ.get("HELD_OUT_EVENTS", "100"))
EVENING = {"start_date": "2030-03-10 19:00:00", "end_date": "2030-03-10 22:00:00"}
FIELDS = ("title", "excerpt", "description")
# In a hundred: whose source has changed since, whom a machine translated, who chose other words.
OUTDATED, UNREAD, OTHERWISE = 5, 5, 2
# What no proposal may say.
WITHDRAWN = "(retratg)"


def text_pairs():
    """Return the pairs of German and Romansh texts of the demo calendar, by field."""
    source = Path(calendar_app.cli.demo.__file__).parent / "de-rm.json"
    events = json.loads(source.read_text(encoding="utf-8"))["events"]
    return {
        name: list(
            {
                each["variants"]["de"][name]: each["variants"]["rm"][name]
                for each in events
                if all(each["variants"].get(tag, {}).get(name) for tag in ("de", "rm"))
            }.items()
        )
        for name in FIELDS
    }


def words(text):
    """Return the words of a text, whatever its markup."""
    return unescape(re.sub(r"<[^>]+>", " ", text)).split()


class Calendar:
    """Writes the events of a calendar, a fifth of them in German alone."""

    def __init__(self, client):
        self.random = Random(31)  # noqa: S311  # no secret
        self.client, self.pairs = client, text_pairs()
        self.held_out = []

    def pair(self, name):
        """Return a pair of texts; the first ones come most often."""
        pairs = self.pairs[name]
        return pairs[min(int(self.random.paretovariate(0.7)) - 1, len(pairs) - 1)]

    def post(self, path, **body):
        answer = self.client.post(path, **body)
        assert answer.status_code in (200, 201), answer.json
        return answer.json["id"]

    def write(self, *, is_held_out):
        pairs = {name: self.pair(name) for name in FIELDS}
        source = {name: de for name, (de, _) in pairs.items()}
        if is_held_out:
            self.post("/events", **EVENING, variants={"de": source})
            self.held_out.append(pairs)
            return
        chance = self.random.randrange(100)
        target = {name: rm for name, (_, rm) in pairs.items()}
        if chance < OTHERWISE:
            target = {name: f"{text} (auter)" for name, text in target.items()}
        if OTHERWISE <= chance < OTHERWISE + OUTDATED + UNREAD:
            target = {name: f"{text} {WITHDRAWN}" for name, text in target.items()}
        is_read = chance < OTHERWISE + OUTDATED or chance >= OTHERWISE + OUTDATED + UNREAD
        origin = {} if is_read else {"translation_origin": {"rm": {"origin": "machine"}}}
        number = self.post("/events", **EVENING, variants={"de": source, "rm": target}, **origin)
        if OTHERWISE <= chance < OTHERWISE + OUTDATED:
            changed = {name: self.pair(name)[0] for name in FIELDS}
            changed = {name: f"{text} Neu." for name, text in changed.items()}
            self.post(f"/events/{number}", variants={"de": changed})


def test_held_out_translations_are_proposed_as_people_wrote_them(as_admin, as_editor):
    calendar = Calendar(as_admin)
    for number in range(EVENTS):
        calendar.write(is_held_out=number % 5 == 0)
    exact = right = 0
    for pairs in calendar.held_out:
        texts = {name: de for name, (de, _) in pairs.items()}
        answer = as_editor.post("/translations/propose", source="de", target="rm", texts=texts)
        assert WITHDRAWN not in answer.get_data(as_text=True)
        for entry in answer.json["texts"]:
            equal = [each for each in entry["proposals"] if each["likeness"] == 100]
            if equal:
                exact += 1
                right += words(equal[0]["text"]) == words(pairs[entry["field"]][1])
    print(f"{len(calendar.held_out)} events held out: {right} of {exact} exact proposals right")  # noqa: T201
    assert exact > 2 * len(calendar.held_out)
    assert right >= 0.99 * exact
