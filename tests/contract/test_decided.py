"""The list of decided differences says what it is about."""

import re
from pathlib import Path

import pytest
from replaying.deciding import decisions_in
from replaying.recording import recorded_conversation

HERE = Path(__file__).parent
NAMES = [one.name for one in recorded_conversation(HERE / "recorded" / "transcript.jsonl.xz")]
DECISIONS = decisions_in(HERE / "decided.json")
SECTION = re.compile(r"decisions\.md §\d+a?(, §\d+a?)*")


@pytest.mark.parametrize("decision", DECISIONS, ids=lambda one: one.cases[0])
def test_each_decision_names_its_section_and_its_reason(decision):
    assert SECTION.fullmatch(decision.section)
    assert decision.why


@pytest.mark.parametrize("decision", DECISIONS, ids=lambda one: one.cases[0])
def test_each_pattern_names_a_recorded_case(decision):
    for pattern in decision.cases:
        one = type(decision)(cases=[pattern], section="", why="")
        assert any(one.speaks_of(name) for name in NAMES), pattern


def test_no_case_is_decided_twice():
    counts = {name: sum(one.speaks_of(name) for one in DECISIONS) for name in NAMES}
    assert [name for name, count in counts.items() if count > 1] == []


@pytest.mark.parametrize("decision", DECISIONS, ids=lambda one: one.cases[0])
def test_each_decision_says_what_is_expected_instead(decision):
    replaced = decision.status or decision.code or decision.response_json is not None
    assert decision.skip != bool(replaced or decision.ignore)
