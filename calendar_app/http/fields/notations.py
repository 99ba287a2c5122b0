"""Numbers, booleans and lists, in the notations that the reference accepts."""

import math
import re
from typing import Any
from urllib.parse import unquote

from calendar_app.domain.numbers import LARGEST, parse_digits

_TRUTHY = ("1", "enable", "enabled", "on", "y", "yes", "true")
_NUMERIC = re.compile(
    r"[ \t\n\r\v\f]*[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?[ \t\n\r\v\f]*", re.ASCII
)
_BLANK = " \t\n\r\v\f"
_LONGEST = 400  # characters of a number that is meant as one


def truthy(value: Any) -> bool:
    """Return whether a value means yes: for example ``1``, ``on``, ``yes``."""
    if isinstance(value, str):
        return value.strip().lower() in _TRUTHY
    return bool(value)


def whole_number(value: Any) -> int | None:
    """Return ``value`` as a whole number, clamped to 64 bits, else ``None``."""
    if isinstance(value, int) and not isinstance(value, bool):
        return max(-LARGEST, min(value, LARGEST))
    digits = parse_digits(value.strip(_BLANK)) if isinstance(value, str) else None
    if digits is not None:
        return digits
    number = finite_number(value)
    if number is None or not number.is_integer():
        return None
    return int(max(-LARGEST, min(number, LARGEST)))


def finite_number(value: Any) -> float | None:
    """Return ``value`` as a finite number, else ``None``."""
    if isinstance(value, bool):
        return None
    if isinstance(value, str) and (len(value) > _LONGEST or not _NUMERIC.fullmatch(value)):
        return None
    if not isinstance(value, int | float | str):
        return None
    number = float(value)
    return number if math.isfinite(number) else None


def as_text(value: Any, reason: str) -> str:
    """Return a text unchanged; raise ``ValueError`` with ``reason`` for anything else."""
    if isinstance(value, str):
        return value
    raise ValueError(reason)


def listed(value: Any) -> list[Any]:
    """Return the members of a list or of a comma-separated text, without empty ones.

    A PHP array with keys is a list too. The text may be percent-encoded once more, commas
    included.
    """
    if isinstance(value, dict):
        value = list(value.values())
    members = value if isinstance(value, list) else _percent_decoded(str(value)).split(",")
    stripped = (member.strip() if isinstance(member, str) else member for member in members)
    return [member for member in stripped if member not in ("", None)]


def _percent_decoded(text: str) -> str:
    """Percent-decode a text; return it unchanged if the result is not UTF-8."""
    try:
        return unquote(text, errors="strict")
    except UnicodeDecodeError:
        return text
