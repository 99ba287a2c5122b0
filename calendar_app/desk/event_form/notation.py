"""Moments between the form, where people write them, and the interface."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, time

from calendar_app.desk.event_form.days import clock_text, day_text, parse_clock, parse_day

_DASHES = ("\u2013", "\u2014", " - ")


@dataclass(frozen=True, slots=True)
class Notation:
    """How days are written in ``language``, seen from ``today``; all of ``languages`` are read."""

    language: str
    today: date
    languages: Sequence[str] = ()

    def day(self, moment: date) -> str:
        return day_text(moment, self.language)

    def moment(self, day: str, clock: str, usual: time = time.min) -> str:
        """Return a moment for the interface; a text that is no day is left to its refusal.

        Raises ``ValueError`` for a day or a time that does not exist.
        """
        read_day = parse_day(day, self.today, self.languages)
        read_clock = parse_clock(clock) if clock.strip() else usual
        if read_day is None or read_clock is None:
            return f"{day} {clock}".strip()
        return datetime.combine(read_day, read_clock).isoformat(" ", "seconds")

    def line(self, text: str, usual: time = time.min) -> str:
        """Return the moment of a line like ``24.12.2027 19:00``; the time is optional."""
        whole = parse_day(text, self.today, self.languages)
        if whole is not None:
            return datetime.combine(whole, usual).isoformat(" ", "seconds")
        words = text.split()
        for place in range(len(words) - 1, 0, -1):
            day, clock = " ".join(words[:place]), " ".join(words[place:])
            if parse_day(day.rstrip(","), self.today, self.languages) and parse_clock(clock):
                return self.moment(day.rstrip(","), clock)
        return text

    def period(self, text: str, usual: time = time.min) -> str | dict[str, str]:
        """Return a date of a series; a line like ``24.12.2027 19:00 - 21:00`` has an end."""
        for dash in _DASHES:
            start, found, end = (part.strip() for part in text.partition(dash))
            if found:
                first = self.line(start, usual)
                day = first.partition(" ")[0]
                return {"start": first, "end": self._end(day, end)}
        return self.line(text.strip(), usual)

    def _end(self, day: str, text: str) -> str:
        return self.moment(day, text) if parse_clock(text) else self.line(text)

    def moment_text(self, moment: datetime, *, all_day: bool) -> str:
        """Return a moment as a line that ``line`` reads."""
        day = self.day(moment.date())
        return day if all_day else f"{day} {clock_text(moment)}"

    def period_text(self, start: datetime, end: datetime, *, all_day: bool) -> str:
        """Return a date with an end as a line that ``period`` reads."""
        last = (
            clock_text(end)
            if end.date() == start.date()
            else self.moment_text(end, all_day=all_day)
        )
        return f"{self.moment_text(start, all_day=all_day)} \u2013 {last}"
