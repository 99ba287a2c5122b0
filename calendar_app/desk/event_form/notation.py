"""Moments between the form, where people write them, and the interface."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import date, datetime, time

from calendar_app.content.written_dates import is_clock, read_clock, read_day

_DASHES = ("\u2013", "\u2014", " - ")


@dataclass(frozen=True, slots=True)
class Notation:
    """How days are written in ``language``, seen from ``today``; all of ``languages`` are read."""

    language: str
    today: date
    languages: Sequence[str] = ()
    month_first: bool = False

    def day(self, moment: date) -> str:
        """Return a day in figures, as the language writes it and each reader reads it."""
        return f"{moment:%Y-%m-%d}" if self.language.startswith("en") else f"{moment:%d.%m.%Y}"

    def moment(self, day: str, clock: str, usual: time = time.min) -> str:
        """Return a moment for the interface; the day may have its time behind it.

        Raises ``ValueError`` with the reason, for readers.
        """
        if not clock.strip():
            return self.line(day, usual)
        return datetime.combine(self._day(day), read_clock(clock)).isoformat(" ", "seconds")

    def line(self, text: str, usual: time = time.min) -> str:
        """Return the moment of a line like ``24.12.2027 19:00``; the time is optional.

        Raises ``ValueError`` with the reason, for readers.
        """
        try:
            return datetime.combine(self._day(text), usual).isoformat(" ", "seconds")
        except ValueError:
            words = text.split()
            for place in range(len(words) - 1, 0, -1):
                with suppress(ValueError):
                    clock = read_clock(" ".join(words[place:]))
                    day = self._day(" ".join(words[:place]))
                    return datetime.combine(day, clock).isoformat(" ", "seconds")
            raise

    def _day(self, text: str) -> date:
        return read_day(text, self.languages, self.today, month_first=self.month_first)

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
        return f"{day} {read_clock(text)}" if is_clock(text) else self.line(text)

    def moment_text(self, moment: datetime, *, all_day: bool) -> str:
        """Return a moment as a line that ``line`` reads."""
        day = self.day(moment.date())
        return day if all_day else f"{day} {moment:%H:%M}"

    def period_text(self, start: datetime, end: datetime, *, all_day: bool) -> str:
        """Return a date with an end as a line that ``period`` reads."""
        last = (
            f"{end:%H:%M}" if end.date() == start.date() else self.moment_text(end, all_day=all_day)
        )
        return f"{self.moment_text(start, all_day=all_day)} \u2013 {last}"
