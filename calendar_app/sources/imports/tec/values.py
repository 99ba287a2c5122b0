"""Converters for values in the responses of The Events Calendar, which may be malformed."""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any
from urllib.parse import urlsplit

from calendar_app.domain.addresses import in_ascii
from calendar_app.domain.custom_fields import NAME, PARTS, VALUE, is_key
from calendar_app.domain.moments import Moment
from calendar_app.domain.pictures import MAX_SIDE
from calendar_app.domain.points import ANTIMERIDIAN, POLE
from calendar_app.domain.richtext import decoded, legible, plain
from calendar_app.domain.texts.sanitizing import is_url
from calendar_app.domain.zones import wall_of, with_wall_everywhere, zone_of

Raw = Mapping[str, Any]

# A date in WordPress that is not set.
_NEVER = "0000-00-00 00:00:00"
_NO = frozenset({"", "0", "false", "no", "off"})
_LARGEST = 2**53 - 1


class UnreadableRecord(ValueError):
    """A record cannot be imported; the message says why."""


def text(raw: Raw, name: str) -> str:
    """Return a text; a missing one and ``false`` are empty, numbers become texts."""
    value = raw.get(name)
    if isinstance(value, str):
        return legible(value)
    if value is None or value is False:
        return ""
    if isinstance(value, int | float) and not isinstance(value, bool):
        return str(value)
    raise UnreadableRecord(f"{name} is no text.")


def unescaped(words: str) -> str:
    """Read the HTML entities of a foreign text: WordPress escapes even names and addresses."""
    return decoded(words)


def line(raw: Raw, name: str) -> str:
    """Return a plain text, its entities read."""
    return unescaped(text(raw, name))


def required(raw: Raw, name: str) -> str:
    """Return HTML with text in it; raise ``UnreadableRecord`` otherwise."""
    value = text(raw, name)
    if not plain(value):
        raise UnreadableRecord(f"It has no {name}.")
    return value


def address(raw: Raw, name: str) -> str:
    """Return an absolute URL, with ``http`` as default scheme; empty if it is invalid."""
    value = line(raw, name).strip()
    try:
        if value and not urlsplit(value).scheme:
            value = f"http://{value.removeprefix('//')}"
        value = in_ascii(value)
    except ValueError:
        return ""
    return value if is_url(value) else ""


def invalid_addresses(raw: Raw) -> dict[str, str]:
    """Return the invalid URLs of a record by field."""
    urls = {name: raw.get(name) for name in ("website", "online_url", "virtual_url")}
    urls["image"] = _image(raw).get("url")
    texts = {name: value for name, value in urls.items() if isinstance(value, str)}
    return {name: line(texts, name) for name in texts if texts[name] and not address(texts, name)}


def number(raw: Raw, name: str) -> int:
    """Return an integer, also from a text; 0 if it is missing."""
    value = raw.get(name) or 0
    if isinstance(value, str) and value.isascii() and value.isdecimal():
        value = int(value)
    if isinstance(value, bool) or not isinstance(value, int) or value > _LARGEST:
        raise UnreadableRecord(f"{name} is no number.")
    return value


def flag(raw: Raw, name: str) -> bool:
    """Return a boolean, also from texts like ``no`` and ``0``."""
    value = raw.get(name)
    if isinstance(value, str):
        return value.strip().lower() not in _NO
    return bool(value)


def flags(raw: Raw, names: Mapping[str, str]) -> dict[str, bool]:
    """Return the flags that a record has; ``names`` maps their names there to ours."""
    return {
        ours: flag(raw, theirs) for theirs, ours in names.items() if raw.get(theirs) is not None
    }


def picture(raw: Raw) -> str | None:
    """Return the URL of the picture in full size."""
    return address(_image(raw), "url") or None


def picture_file(raw: Raw) -> dict[str, Any]:
    """Return the change that keeps measures and sizes of the picture, if the site has any."""
    image, url = _image(raw), picture(raw)
    if url is None:
        return {}
    sizes = image.get("sizes")
    size_items = sizes.items() if isinstance(sizes, dict) else ()
    files = {
        name: _file(size) for name, size in size_items if isinstance(size, dict) and is_key(name)
    }
    usable = {name: size for name, size in files.items() if size["url"]}
    return {"image_file": {**_file(image), "sizes": usable}}


def picture_texts(raw: Raw) -> dict[str, str]:
    """Return alternative text, credit and license of the picture, as far as the site has them."""
    image = _image(raw)
    texts = {
        "alt_text": line(image, "alt_text") or line(image, "alt"),
        "credit": line(image, "credit") or line(image, "caption"),
        "license": line(image, "license"),
    }
    return {name: text for name, text in texts.items() if text}


def _file(raw: Raw) -> dict[str, Any]:
    width, height = (
        pixels if type(pixels := raw.get(name)) is int and 0 < pixels <= MAX_SIDE else None
        for name in ("width", "height")
    )
    return {"url": address(raw, "url"), "width": width, "height": height}


def _image(raw: Raw) -> Raw:
    image = raw.get("image")
    return image if isinstance(image, dict) else {}


def instant(raw: Raw, name: str) -> datetime | None:
    """Return an instant in UTC, or ``None`` if it is not set."""
    value = text(raw, name)
    return None if value in ("", _NEVER) else _date_time(value, name)


def publication(raw: Raw, name: str) -> datetime | None:
    """Return an instant that has a wall clock time in every zone, or ``None``."""
    published = instant(raw, name)
    if published is None:
        return None
    try:
        return with_wall_everywhere(published)
    except ValueError as error:
        raise UnreadableRecord(f"{name} is not a date of a calendar.") from error


def moment(raw: Raw, name: str) -> Moment:
    """Return the start or end of an event as wall clock time of its zone.

    The instant in UTC decides where clocks show a time twice. Otherwise it is ignored: it is wrong
    after a change of the zone.
    """
    wall = _date_time(required(raw, name), name)
    zone = zone_of(text(raw, "timezone") or "UTC")
    utc = instant(raw, f"utc_{name}")
    if utc is not None and wall_of(utc, zone) == wall:
        return Moment(utc, UTC)
    return Moment(wall)


def coordinates(raw: Raw) -> tuple[float, float] | None:
    """Return latitude and longitude; ``None`` if one is missing or out of range."""
    try:
        latitude, longitude = float(raw["geo_lat"]), float(raw["geo_lng"])
    except (KeyError, TypeError, ValueError):
        return None
    possible = abs(latitude) <= POLE and abs(longitude) <= ANTIMERIDIAN
    return (latitude, longitude) if possible else None


def custom_fields(raw: Raw) -> dict[str, dict[str, str]] | None:
    """Return label and value by key; fields that cannot be read are left out."""
    fields = raw.get(NAME)
    items = fields.items() if isinstance(fields, dict) else ()
    return {
        key: {
            part: str(parts[part])
            for part in PARTS
            if isinstance(parts.get(part), str | int | float)
        }
        for key, parts in items
        if isinstance(parts, dict) and is_key(key) and parts.get(VALUE)
    } or None


def texts(raw: Raw, name: str) -> list[str]:
    """Return the members of a list as texts."""
    value = raw.get(name)
    return [legible(str(member)) for member in value] if isinstance(value, list) else []


def members(raw: Raw, name: str) -> list[Raw]:
    """Return the objects in a list; a single object counts as a list of one."""
    value = raw.get(name) or []
    items = value if isinstance(value, list) else [value]
    return [item for item in items if isinstance(item, dict)]


def _date_time(value: str, name: str) -> datetime:
    try:
        return datetime.fromisoformat(value).replace(tzinfo=None)
    except ValueError as error:
        raise UnreadableRecord(f"{name} is not a date.") from error
