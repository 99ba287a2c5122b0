"""Translation of user messages.

The catalogs are in ``calendar_app/locale``, made by ``scripts/messages.py``. The source language
is English, which has no catalog.
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
# Values of the placeholder ``kind``, listed for extraction into the catalogs.
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
def catalogs(domain: str = "messages") -> dict[str, NullTranslations]:
    """Return the catalogs by language: ``messages``, ``pages`` or ``desk``."""
    by_language: dict[str, NullTranslations] = {_SOURCE: NullTranslations()}
    for file in sorted(LOCALE.glob(f"*/LC_MESSAGES/{domain}.mo")):
        with file.open("rb") as compiled:
            by_language[file.parts[-3]] = GNUTranslations(compiled)
    return by_language


def catalog_language(chain: Iterable[str], domain: str = "messages") -> str:
    """Return the first language with a catalog, else English."""
    languages = (look_up(tag, tuple(catalogs(domain))) for tag in chain)
    return next((tag for tag in languages if tag), _SOURCE)


def best_catalog(chain: Iterable[str], domain: str = "messages") -> NullTranslations:
    """Return the catalog of the first language that has one."""
    return _best_catalog(tuple(chain), domain)


@lru_cache(256)
def _best_catalog(chain: tuple[str, ...], domain: str) -> NullTranslations:
    return catalogs(domain)[catalog_language(chain, domain)]


def translated(body: Any, chain: Iterable[str]) -> Any:
    """Return ``body`` with all its messages translated."""
    return _translate_part(body, best_catalog(chain))


def _translate_part(part: Any, catalog: NullTranslations) -> Any:
    match part:
        case Message():
            return _format(part, catalog)
        case dict():
            return {name: _translate_part(value, catalog) for name, value in part.items()}
        case list():
            return [_translate_part(member, catalog) for member in part]
        case _:
            return part


def _format(message: Message, catalog: NullTranslations) -> str:
    if not message.gaps:
        return catalog.gettext(message.pattern) if message.pattern else ""
    gaps = {name: _translate_part(filling, catalog) for name, filling in message.gaps.items()}
    if "kind" in gaps:
        gaps["kind"] = catalog.gettext(str(gaps["kind"]))
    return catalog.gettext(message.pattern).format(**gaps)
