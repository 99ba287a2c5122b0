"""Translation of user messages.

The catalogues are in ``calendar_app/locale``, made by ``scripts/messages.py``. The source language
is English, which has no catalogue.
"""

from collections.abc import Iterable
from functools import cache, lru_cache
from gettext import GNUTranslations, NullTranslations
from pathlib import Path
from typing import Any

from calendar_app.domain.languages import look_up
from calendar_app.errors import Message

LOCALE = Path(__file__).parents[2] / "locale"
_SOURCE = "en"
# Values of the placeholder ``kind``, listed for extraction into the catalogues.
_KINDS = (
    Message("event"),
    Message("series"),
    Message("venue"),
    Message("organizer"),
    Message("category"),
    Message("tag"),
    Message("media"),
    Message("submission"),
    Message("mistake"),
    Message("source"),
    Message("webhook"),
    Message("delivery"),
    Message("user"),
)


@cache
def catalogues(domain: str = "messages") -> dict[str, NullTranslations]:
    """Return the catalogues by language: ``messages``, ``pages`` or ``desk``."""
    by_language: dict[str, NullTranslations] = {_SOURCE: NullTranslations()}
    for file in sorted(LOCALE.glob(f"*/LC_MESSAGES/{domain}.mo")):
        with file.open("rb") as compiled:
            by_language[file.parts[-3]] = GNUTranslations(compiled)
    return by_language


def catalogue_language(chain: Iterable[str], domain: str = "messages") -> str:
    """Return the first language with a catalogue, else English."""
    languages = (look_up(tag, tuple(catalogues(domain))) for tag in chain)
    return next((tag for tag in languages if tag), _SOURCE)


def best_catalogue(chain: Iterable[str], domain: str = "messages") -> NullTranslations:
    """Return the catalogue of the first language that has one."""
    return _best_catalogue(tuple(chain), domain)


@lru_cache(256)
def _best_catalogue(chain: tuple[str, ...], domain: str) -> NullTranslations:
    return catalogues(domain)[catalogue_language(chain, domain)]


def translated(body: Any, chain: Iterable[str]) -> Any:
    """Return ``body`` with all its messages translated."""
    return _translate_part(body, best_catalogue(chain))


def _translate_part(part: Any, catalogue: NullTranslations) -> Any:
    match part:
        case Message():
            return _format(part, catalogue)
        case dict():
            return {name: _translate_part(value, catalogue) for name, value in part.items()}
        case list():
            return [_translate_part(member, catalogue) for member in part]
        case _:
            return part


def _format(message: Message, catalogue: NullTranslations) -> str:
    if not message.gaps:
        return catalogue.gettext(message.pattern) if message.pattern else ""
    gaps = {name: _translate_part(filling, catalogue) for name, filling in message.gaps.items()}
    if "kind" in gaps:
        gaps["kind"] = catalogue.gettext(str(gaps["kind"]))
    return catalogue.gettext(message.pattern).format(**gaps)
