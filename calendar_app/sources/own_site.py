"""Recognizes the addresses of this calendar: reading them would bring its own events back."""

from collections.abc import Collection
from dataclasses import dataclass
from urllib.parse import SplitResult, unquote, urlsplit

from calendar_app.domain.addresses import in_ascii

_USUAL_PORTS = frozenset({80, 443})


@dataclass(frozen=True, slots=True)
class OwnSite:
    """The public address of this calendar, empty for none, and its parts.

    A segment with one of the ``languages`` may stand before the ``api`` path of the interface.
    """

    address: str = ""
    api: str = ""
    languages: Collection[str] = ()

    def has(self, address: str) -> bool:
        """Say whether an address is that of this calendar or of its interface.

        Other calendars may be at other paths of the same host.
        """
        own, parts = _split(self.address), _split(address)
        if own is None or parts is None or _host(own) != _host(parts):
            return False
        below, segments = _segments(own.path), _segments(parts.path)
        if segments[: len(below)] != below:
            return False
        rest = segments[len(below) :]
        if rest and rest[0].lower() in {each.lower() for each in self.languages}:
            rest = rest[1:]
        interface = _segments(self.api)
        return not rest or rest[: len(interface)] == interface


def _split(address: str) -> SplitResult | None:
    try:
        parts = urlsplit(in_ascii(address.strip()))
        is_whole = bool(parts.hostname) and parts.port != 0
    except ValueError:
        return None
    return parts if is_whole else None


def _host(parts: SplitResult) -> tuple[str, int | None]:
    """Return the host of an address, and its port where that is none of the usual ones."""
    port = None if parts.port in _USUAL_PORTS else parts.port
    return (parts.hostname or "").rstrip("."), port


def _segments(path: str) -> list[str]:
    """Return the resolved segments of a path."""
    segments: list[str] = []
    for each in unquote(path).split("/"):
        if each == "..":
            segments = segments[:-1]
        elif each not in ("", "."):
            segments.append(each)
    return segments
