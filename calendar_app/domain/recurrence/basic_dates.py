"""Dates in the basic format of iCalendar: ``20271231`` and ``20271231T225959Z``."""

import re
from datetime import UTC, date, datetime

_DATE = re.compile(r"(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)(\d\d)(Z?))?", re.ASCII)


def read_basic(text: str) -> datetime | date:
    """Return a day, or a moment that is aware if in UTC. Raises ``ValueError``."""
    match = _DATE.fullmatch(text)
    if match is None:
        raise ValueError(text)
    year, month, day = (int(digits) for digits in match.groups()[:3])
    if match[4] is None:
        return date(year, month, day)
    hour, minute, second = (int(digits) for digits in match.groups()[3:6])
    zone = UTC if match[7] else None
    return datetime(year, month, day, hour, minute, second, tzinfo=zone)


def basic_text(value: datetime | date) -> str:
    """Return a day or a moment in the basic format; Z marks aware ones, in UTC."""
    if not isinstance(value, datetime):
        return value.isoformat().replace("-", "")
    text = value.replace(tzinfo=None).isoformat(timespec="seconds")
    return text.replace("-", "").replace(":", "") + ("Z" if value.tzinfo else "")
