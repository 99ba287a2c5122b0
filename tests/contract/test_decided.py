"""Each decided difference names its section, its reason and its cases."""

import re
from functools import cache
from pathlib import Path

from replaying.deciding import Decision, decisions_in
from replaying.recording import recorded_conversation

FOLDER = Path(__file__).parent
DECISIONS = decisions_in(FOLDER / "decided.json")
SECTION = re.compile(r"decisions\.md §\d+a?(, §\d+a?)*")


@cache
def _names():
    recording = recorded_conversation(FOLDER / "recorded" / "transcript.jsonl.xz")
    return [exchange.name for exchange in recording]


def _which(is_wrong):
    """Return the first case of each decision that is wrong."""
    return [decision.cases[0] for decision in DECISIONS if is_wrong(decision)]


def test_each_decision_names_its_section_and_its_reason():
    assert _which(lambda decision: not SECTION.fullmatch(decision.section)) == []
    assert _which(lambda decision: not decision.why) == []


def test_each_pattern_names_a_recorded_case():
    patterns = [pattern for decision in DECISIONS for pattern in decision.cases]
    assert [pattern for pattern in patterns if not _names_a_case(pattern)] == []


def _names_a_case(pattern):
    single = Decision(cases=[pattern], section="", why="")
    return any(single.covers(name) for name in _names())


def test_no_case_is_decided_twice():
    counts = {name: sum(decision.covers(name) for decision in DECISIONS) for name in _names()}
    assert [name for name, count in counts.items() if count > 1] == []


def test_each_decision_replaces_or_ignores_or_skips():
    assert _which(_does_neither_or_both) == []


def _does_neither_or_both(decision):
    replaced = decision.status or decision.code or decision.response_json is not None
    return decision.skip == bool(replaced or decision.ignore)
