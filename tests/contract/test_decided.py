"""Each decided difference names its section, its reason and its cases."""

import re
from pathlib import Path

import pytest
from replaying.deciding import decisions_in
from replaying.recording import recorded_conversation

FOLDER = Path(__file__).parent
NAMES = [
    exchange.name for exchange in recorded_conversation(FOLDER / "recorded" / "transcript.jsonl.xz")
]
DECISIONS = decisions_in(FOLDER / "decided.json")
SECTION = re.compile(r"decisions\.md §\d+a?(, §\d+a?)*")


@pytest.mark.parametrize("decision", DECISIONS, ids=lambda decision: decision.cases[0])
def test_each_decision_names_its_section_and_its_reason(decision):
    assert SECTION.fullmatch(decision.section)
    assert decision.why


@pytest.mark.parametrize("decision", DECISIONS, ids=lambda decision: decision.cases[0])
def test_each_pattern_names_a_recorded_case(decision):
    for pattern in decision.cases:
        single = type(decision)(cases=[pattern], section="", why="")
        assert any(single.covers(name) for name in NAMES), pattern


def test_no_case_is_decided_twice():
    counts = {name: sum(decision.covers(name) for decision in DECISIONS) for name in NAMES}
    assert [name for name, count in counts.items() if count > 1] == []


@pytest.mark.parametrize("decision", DECISIONS, ids=lambda decision: decision.cases[0])
def test_each_decision_replaces_or_ignores_or_skips(decision):
    replaced = decision.status or decision.code or decision.response_json is not None
    assert decision.skip != bool(replaced or decision.ignore)
