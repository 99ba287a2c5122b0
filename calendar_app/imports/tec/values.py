"""Values as The Events Calendar tells them, read with care: a site may say anything."""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any
from urllib.parse import urlsplit

from calendar_app.content.sanitizing import is_url
from calendar_app.domain.degrees import ANTIMERIDIAN, POLE
from calendar_app.domain.iris import in_ascii
from calendar_app.domain.moments import Moment
from calendar_app.domain.richtext import decoded, legible, plain
from calendar_app.domain.zones import wall_of, with_wall_everywhere, zone_of

Raw = Mapping[str, Any]

# How dates are told that nobody has set yet.
_NEVER = "0000-00-00 00:00:00"
_NO = frozenset({"", "0", "false", "no", "off"})
_LARGEST = 2**53 - 1


class Unreadable(ValueError):
    """A record cannot be taken over; the message says why."""


class Protected(Unreadable):
    """A password protects a record, so that its site shows nothing of it."""


def text(raw: Raw, name: str) -> str:
    """Return a text; missing and ``false`` are none, and numbers are as they are written."""
    value = raw.get(name)
    if isinstance(value, str):
        return legible(value)
    if value is None or value is False:
        return ""
    if isinstance(value, int | float) and not isinstance(value, bool):
        return str(value)
    raise Unreadable(f"{name} is no text.")


def line(raw: Raw, name: str) -> str:
    """Return a text of one line, its entities resolved."""
    return decoded(text(raw, name))


def required(raw: Raw, name: str) -> str:
    """Return HTML that has any words."""
    value = text(raw, name)
    if not plain(value):
        raise Unreadable(f"It has no {name}.")
    return value


def address(raw: Raw, name: str) -> str:
    """Return an absolute address; one without a scheme gets one, what is no address is none."""
    value = line(raw, name).strip()
    try:
        if value and not urlsplit(value).scheme:
            value = f"http://{value.removeprefix('//')}"
        value = in_ascii(value)
    except ValueError:
        return ""
    return value if is_url(value) else ""


def unusable_addresses(raw: Raw) -> dict[str, str]:
    """Return what is told as addresses and is none, by the field in which it stands."""
    told = {name: raw.get(name) for name in ("website", "online_url", "virtual_url")}
    told["image"] = _image(raw).get("url")
    texts = {name: value for name, value in told.items() if isinstance(value, str)}
    return {name: line(texts, name) for name in texts if texts[name] and not address(texts, name)}


def number(raw: Raw, name: str) -> int:
    """Return a whole number, also one that is told as a text; 0 where there is none."""
    value = raw.get(name) or 0
    if isinstance(value, str) and value.isascii() and value.isdecimal():
        value = int(value)
    if isinstance(value, bool) or not isinstance(value, int) or value > _LARGEST:
        raise Unreadable(f"{name} is no number.")
    return value


def flag(raw: Raw, name: str) -> bool:
    """Return whether something is so; texts say no by a word or a figure."""
    value = raw.get(name)
    if isinstance(value, str):
        return value.strip().lower() not in _NO
    return bool(value)


def flags(raw: Raw, names: Mapping[str, str]) -> dict[str, bool]:
    """Return those flags that are told, by what they are called here."""
    return {
        ours: flag(raw, theirs) for theirs, ours in names.items() if raw.get(theirs) is not None
    }


def picture(raw: Raw) -> str | None:
    """Return the address of the picture at its full size."""
    return address(_image(raw), "url") or None


def _image(raw: Raw) -> Raw:
    image = raw.get("image")
    return image if isinstance(image, dict) else {}


def instant(raw: Raw, name: str) -> datetime | None:
    """Return an instant in UTC, or ``None`` where nobody has set it."""
    value = text(raw, name)
    return None if value in ("", _NEVER) else _date_time(value, name)


def publication(raw: Raw, name: str) -> datetime | None:
    """Do as ``instant`` with a time that is shown on the clocks of the site."""
    told = instant(raw, name)
    if told is None:
        return None
    try:
        return with_wall_everywhere(told)
    except ValueError as error:
        raise Unreadable(f"{name} is no date of a calendar.") from error


def moment(raw: Raw, name: str) -> Moment:
    """Return when an event starts or ends, on the clocks of its zone.

    Where the clocks show a time twice, the instant in UTC says which of the two it is. Else it
    does not count: sites that changed the zone of an event have told it wrong ever since.
    """
    wall = _date_time(required(raw, name), name)
    zone = zone_of(text(raw, "timezone") or "UTC")
    told = instant(raw, f"utc_{name}")
    if told is not None and wall_of(told, zone) == wall:
        return Moment(told, UTC)
    return Moment(wall)


def end(raw: Raw) -> Moment:
    """Return when an event ends.

    Where the clocks are put back so far that they show less at the end than at the start, a
    calendar such as this one tells the start as the end; the instant in UTC is right then.
    """
    told = moment(raw, "end_date")
    starts, ends = instant(raw, "utc_start_date"), instant(raw, "utc_end_date")
    if starts is None or ends is None or ends <= starts:
        return told
    zone = zone_of(text(raw, "timezone") or "UTC")
    start = _date_time(required(raw, "start_date"), "start_date")
    is_put_back = wall_of(starts, zone) == start == told.wall and wall_of(ends, zone) < start
    return Moment(ends, UTC) if is_put_back else told


def coordinates(raw: Raw) -> tuple[float, float] | None:
    """Return latitude and longitude; ``None`` where one is missing or impossible."""
    try:
        latitude, longitude = float(raw["geo_lat"]), float(raw["geo_lng"])
    except (KeyError, TypeError, ValueError):
        return None
    possible = abs(latitude) <= POLE and abs(longitude) <= ANTIMERIDIAN
    return (latitude, longitude) if possible else None


def texts(raw: Raw, name: str) -> list[str]:
    """Return the members of a list, each as a text."""
    value = raw.get(name)
    return [legible(str(member)) for member in value] if isinstance(value, list) else []


def members(raw: Raw, name: str) -> list[Raw]:
    """Return the objects in a list, or the one that stands instead of a list."""
    value = raw.get(name) or []
    found = value if isinstance(value, list) else [value]
    return [member for member in found if isinstance(member, dict)]


def _date_time(value: str, name: str) -> datetime:
    try:
        told = datetime.fromisoformat(value)
    except ValueError as error:
        raise Unreadable(f"{name} is no date.") from error
    return told if told.tzinfo is None else told.replace(tzinfo=None)
