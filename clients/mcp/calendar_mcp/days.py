"""Which days are meant by the words that people say: today, tomorrow, weekend, week, a day."""

from datetime import date, timedelta

_SATURDAY = 5
WORDS = "today, tomorrow, weekend, week, month, or a day such as 2026-12-24"


def days_of(when: str, today: date) -> tuple[date, date]:
    """Return the first and the last day; raise ``ValueError`` for other words.

    The weekend is the one that is on, else the next one; the week is the next seven days.
    """
    match when.strip().casefold():
        case "today" | "":
            return today, today
        case "tomorrow":
            return today + timedelta(days=1), today + timedelta(days=1)
        case "weekend" | "this weekend":
            saturday = today + timedelta(days=_SATURDAY - today.weekday())
            return max(today, saturday), saturday + timedelta(days=1)
        case "week" | "this week":
            return today, today + timedelta(days=6)
        case "month" | "this month":
            return today, today + timedelta(days=29)
        case day:
            return date.fromisoformat(day), date.fromisoformat(day)
