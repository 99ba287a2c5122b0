"""What people are told, in their language.

The catalogues are in ``calendar_app/locale``, made by ``scripts/messages.py``. English is the
language that the messages are written in, and needs none.
"""

from collections.abc import Iterable
from functools import cache
from gettext import GNUTranslations, NullTranslations
from pathlib import Path
from typing import Any

from calendar_app.errors import Message
from calendar_app.http.request.negotiation import look_up

_LOCALE = Path(__file__).parents[2] / "locale"
_SOURCE = "en"
# What fills the gap ``kind``; named here so that the catalogues have it.
_KINDS = (
    Message("event"),
    Message("venue"),
    Message("organizer"),
    Message("category"),
    Message("tag"),
    Message("media"),
)


@cache
def catalogues() -> dict[str, NullTranslations]:
    """Return the catalogues that there are, by language."""
    found: dict[str, NullTranslations] = {_SOURCE: NullTranslations()}
    for file in sorted(_LOCALE.glob("*/LC_MESSAGES/messages.mo")):
        with file.open("rb") as compiled:
            found[file.parts[-3]] = GNUTranslations(compiled)
    return found


def spoken(chain: Iterable[str]) -> str:
    """Return the first language that has a catalogue; English where none has."""
    found = (look_up(tag, tuple(catalogues())) for tag in chain)
    return next((tag for tag in found if tag), _SOURCE)


def catalogue_for(chain: Iterable[str]) -> NullTranslations:
    """Return the catalogue of the first language that has one."""
    return catalogues()[spoken(chain)]


def translated(body: Any, chain: Iterable[str]) -> Any:
    """Return ``body`` with every message in it in the first language of ``chain`` that is known."""
    return _told(body, catalogue_for(chain))


def _told(part: Any, catalogue: NullTranslations) -> Any:
    match part:
        case Message():
            return _said(part, catalogue)
        case dict():
            return {name: _told(value, catalogue) for name, value in part.items()}
        case list():
            return [_told(member, catalogue) for member in part]
        case _:
            return part


def _said(message: Message, catalogue: NullTranslations) -> str:
    if not message.gaps:
        return catalogue.gettext(message.pattern) if message.pattern else ""
    gaps = {name: _told(filling, catalogue) for name, filling in message.gaps.items()}
    if "kind" in gaps:
        gaps["kind"] = catalogue.gettext(str(gaps["kind"]))
    return catalogue.gettext(message.pattern).format(**gaps)
