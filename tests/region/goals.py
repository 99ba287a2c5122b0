"""The measures after each day, their goals, and the shortfalls that are accepted."""

from collections import defaultdict
from dataclasses import dataclass, field
from typing import NamedTuple


class Goal(NamedTuple):
    """A figure of each day, of which the worst has to be within a bound; ``None`` is no bound."""

    name: str
    bound: float | None = 0
    is_share: bool = False

    def worst(self, figures: list[float]) -> float:
        return (min if self.is_share else max)(figures)

    def is_reached(self, figures: list[float]) -> bool:
        if self.bound is None:
            return True
        worst = self.worst(figures)
        return worst >= self.bound if self.is_share else worst <= self.bound


WRONG_TOWN = Goal("events in a wrong town")
NO_TOWN = Goal("events without the town that their feed names")
PRECISION = Goal("venues that are one place", 1.0, is_share=True)
RECALL = Goal("places that are one venue", 0.98, is_share=True)
WRONG_CONTACT = Goal("events with the contacts of another organizer")
LACKS_ADDRESS = Goal("events that lack a part of their address")
DOUBLES = Goal("doubles that are public")
FALSE_DOUBLES = Goal("pairs of doubles that are two events", None)
REFUSED_DECISIONS = Goal("decisions on doubles that were refused")
LOST_EDITS = Goal("lost edits")
TAKEN_AWAY = Goal("events canceled or trashed that take place")
NOT_PUBLIC = Goal("events not public that a feed has")
WRONG_START = Goal("events at another time")
STALE = Goal("events public that do not take place")
HALVES = Goal("half files that were taken")
HELD = Goal("whole calendars held back or failed")
REFUSED = Goal("events refused")
FOLLOWER = Goal("events in which a follower differs")
WRITES = Goal("collections that an unchanged day writes")
FIRST_CPU = Goal("seconds of computing of the first reading", 600)
UNCHANGED_CPU = Goal("seconds of computing of an unchanged day", 30)
MEMORY = Goal("megabytes at most", 400)
GOALS = (
    *(WRONG_TOWN, NO_TOWN, PRECISION, RECALL, WRONG_CONTACT, LACKS_ADDRESS, DOUBLES, FALSE_DOUBLES),
    *(
        REFUSED_DECISIONS,
        LOST_EDITS,
        TAKEN_AWAY,
        NOT_PUBLIC,
        WRONG_START,
        STALE,
        HALVES,
        HELD,
        REFUSED,
        FOLLOWER,
    ),
    *(WRITES, FIRST_CPU, UNCHANGED_CPU, MEMORY),
)

# Goals that are missed so far. Each has to be missed: a goal that is reached leaves the table.
SHORTFALLS: dict[Goal, str] = {}


class Finding(NamedTuple):
    """A case that falls short: which event, what its feeds say, and what the calendar has."""

    event: str
    feeds: str
    says: str
    has: str

    @property
    def text(self) -> str:
        return f"  {self.event}\n    {self.feeds}\n    says: {self.says}\n    has:  {self.has}"


@dataclass
class Figures:
    """The figures of all days by goal, and the first cases that fall short of each."""

    by_goal: defaultdict[Goal, list[float]] = field(default_factory=lambda: defaultdict(list))
    findings: defaultdict[Goal, list[Finding]] = field(default_factory=lambda: defaultdict(list))
    notes: list[str] = field(default_factory=list)

    def note(self, goal: Goal, figure: float) -> None:
        self.by_goal[goal].append(figure)

    def count(self, goal: Goal, findings: list[Finding], day: int) -> None:
        """Note how many cases a day has; each is listed once."""
        self.note(goal, len(findings))
        self.list(goal, findings, day)

    def list(self, goal: Goal, findings: list[Finding], day: int) -> None:
        listed = {each[1:] for each in self.findings[goal]}
        for each in findings:
            if each[1:] not in listed:
                listed.add(each[1:])
                self.findings[goal].append(each._replace(event=f"day {day}: {each.event}"))

    def table(self) -> str:
        """Return a line for each goal: worst day, last day, what has to be, and whether it is."""
        lines = [f"{'':52} {'worst':>8} {'last':>8} {'goal':>8}"]
        for goal in GOALS:
            figures = self.by_goal[goal]
            if not figures:
                continue
            bound = (
                "" if goal.bound is None else f"{'>=' if goal.is_share else '<='} {goal.bound:g}"
            )
            verdict = "" if goal.is_reached(figures) else "  MISSED"
            numbers = [
                f"{each:8.3f}" if goal.is_share else f"{each:8.0f}"
                for each in (goal.worst(figures), figures[-1])
            ]
            lines.append(f"{goal.name:52} {' '.join(numbers)} {bound:>8}{verdict}")
        return "\n".join([*lines, *self.notes])

    def cases(self, most: int) -> str:
        """Return the first cases that fall short of each goal."""
        lines = []
        for goal in GOALS:
            if findings := self.findings[goal]:
                lines.append(f"\n{goal.name} ({len(findings)} different ones):")
                lines += [each.text for each in findings[:most]]
        return "\n".join(lines)
