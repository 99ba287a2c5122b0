"""Decided differences from the reference, with the expected responses.

``decided.json`` is a list of objects: ``cases`` (patterns of names), ``section`` and ``why``, and
what replaces the recorded answer: ``status``, ``code``, ``response_json`` (in the ids of the
recording); ``ignore`` (patterns of paths that are not compared); ``skip`` for what is out of scope.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from replaying.comparing import Difference
from replaying.recording import Exchange

# Their fixtures have passwords that the interface cannot set.
_OUT_OF_REACH = ("venue/pw/", "organizer/pw/")


class Verdict(StrEnum):
    """How an answer stands to the recorded one."""

    AGREES = "agrees"
    DECIDED = "decided"
    DIFFERS = "differs"
    SKIPPED = "skipped"


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """One entry of ``decided.json``."""

    cases: Sequence[str]
    section: str
    why: str
    status: int | None = None
    code: str | None = None
    response_json: Any = None
    ignore: Sequence[str] = field(default_factory=tuple)
    skip: bool = False

    def covers(self, name: str) -> bool:
        """Whether the case of this name is one of its cases."""
        return any(fnmatchcase(name, pattern) for pattern in self.cases)

    def expected(self, exchange: Exchange) -> Exchange:
        """Return the exchange with the answer that replaces the recorded one."""
        status = self.status or exchange.status
        answer = exchange.answer
        if self.code is not None:
            answer = {"code": self.code, "message": "", "data": {"status": status}}
        elif self.response_json is not None:
            answer = _laid_over(answer, self.response_json)
        return replace(exchange, status=status, answer=answer)

    def remaining(self, differences: Sequence[Difference]) -> list[Difference]:
        """Return the differences that the decision does not cover."""
        return [
            difference
            for difference in differences
            if not any(fnmatchcase(difference.at, ignored) for ignored in self.ignore)
        ]


def _laid_over(recorded: Any, replacing: Any) -> Any:
    """Replace an error or a list, but of one record only the fields that are named."""
    if isinstance(recorded, dict) and isinstance(replacing, dict) and "id" in recorded:
        return recorded | replacing
    return replacing


def decisions_in(file: Path) -> list[Decision]:
    """Read all decisions."""
    return [Decision(**entry) for entry in json.loads(file.read_text(encoding="utf-8"))]


def decision_for(name: str, decisions: Sequence[Decision]) -> Decision | None:
    """Return the first decision that speaks of the case, if any does."""
    return next((decision for decision in decisions if decision.covers(name)), None)


def is_out_of_reach(name: str) -> bool:
    """Whether the fixture of the case cannot be created over HTTP."""
    return name.startswith(_OUT_OF_REACH)
