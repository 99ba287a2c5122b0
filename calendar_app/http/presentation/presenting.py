"""What the answers of all kinds have in common: one record as one reader sees it."""

from collections.abc import Callable, Container, Hashable, Mapping, MutableMapping
from dataclasses import dataclass, field
from datetime import datetime
from functools import lru_cache
from typing import Any, TypeVar
from zoneinfo import ZoneInfo

from calendar_app.accounts.caller import Caller
from calendar_app.calendar.reading.links import Linked
from calendar_app.domain.kind import Kind, Record
from calendar_app.domain.languages import Localized, localize
from calendar_app.domain.statuses import FUTURE, PRIVATE, PUBLISH, UNFINISHED
from calendar_app.domain.translations import MISSING, has_name
from calendar_app.domain.zones import wall_of
from calendar_app.http.request.addresses import Addresses
from calendar_app.settings import Settings

Shown = dict[str, Any]
Made = TypeVar("Made")

# A calendar shows the same dates again and again, and each is as dear as a text.
_MOST_DATES = 4096
NEVER = "0000-00-00 00:00:00"
_WITH_PAGE = (PUBLISH, FUTURE, PRIVATE)


@dataclass(frozen=True, slots=True)
class View:
    """Who looks, in which languages, with which password, at what that links to what."""

    chain: tuple[str, ...]
    caller: Caller
    addresses: Addresses
    settings: Settings
    linked: Linked
    zone: ZoneInfo
    password: str | None = None
    variants: bool = False
    # In a list, what records link to is JSON already.
    in_list: bool = False
    # What several others link to is presented once; ``eyes`` tells ways to look apart.
    made: MutableMapping[Hashable, Any] = field(default_factory=dict)
    eyes: Hashable = None

    def once(self, name: str, of: Hashable, present: Callable[[], Made]) -> Made:
        """Return what ``present`` makes of one id or several, once for all who look alike."""
        key = (self.eyes, name, of)
        made: Made | None = self.made.get(key)
        if made is None:
            made = self.made[key] = present()
        return made


@lru_cache(_MOST_DATES)
def date_text(moment: datetime) -> str:
    """Return a naive time as ``YYYY-MM-DD hh:mm:ss``; years before 1000 keep four digits."""
    return moment.isoformat(" ", "seconds")


@lru_cache(_MOST_DATES)
def date_details(text: str) -> dict[str, str]:
    """Return the parts of what ``date_text`` has made; only to be read."""
    return {
        "year": text[:4],
        "month": text[5:7],
        "day": text[8:10],
        "hour": text[11:13],
        "minutes": text[14:16],
        "seconds": text[17:],
    }


def localized(kind: Kind, record: Record, view: View) -> Localized:
    return localize(record["variants"], kind.translatable, view.chain)


def authored(record: Record, view: View) -> Shown:
    """Return author, status and the dates of publication and change."""
    floating = record["status"] in UNFINISHED and not record.get("dated")
    return {
        "author": str(record["author"]),
        "status": record["status"],
        "date": date_text(wall_of(record["published"], view.zone)),
        "date_utc": NEVER if floating else date_text(record["published"]),
        "modified": date_text(wall_of(record["modified"], view.zone)),
        "modified_utc": NEVER if floating else date_text(record["modified"]),
    }


def global_ids(record: Record, view: View) -> Shown:
    own = view.addresses.global_id(record["_id"])
    # A calendar that has taken over a site goes on under the same global ids.
    lineage = dict.fromkeys((own, *record.get("lineage", ())))
    return {"global_id": own, "global_id_lineage": list(lineage)}


def page_address(kind: Kind, record: Record, texts: Localized, view: View) -> str:
    """Return the address of the record's page for people."""
    return _page(kind, record, texts["slug"], view.chain[0], view)


def _page(kind: Kind, record: Record, slug: str, language: str, view: View) -> str:
    if not kind.has_status or (record["status"] in _WITH_PAGE and slug):
        return view.addresses.page(kind.singular, slug, language)
    return view.addresses.unpublished_page(kind.singular, record["_id"], language)


def standing(kind: Kind, record: Record, texts: Localized, view: View) -> Shown:
    """Return where the record stands in the languages of the site."""
    shown: Shown = {
        "language": view.chain[0],
        "fallback_fields": list(texts.fallback_fields),
        "translations": {
            language: _translation(kind, record, language, view)
            for language in view.settings.languages
        },
    }
    return shown | stored_texts(kind, record, view)


def stored_texts(kind: Kind, record: Record, view: View) -> Shown:
    """Return the texts of every language, where all are asked for."""
    if not view.variants:
        return {}
    written = record["variants"]
    # Those of a language that the site has given up are not there to be sent back.
    texts = {
        language: {n: written[language][n] for n in kind.translatable if n in written[language]}
        for language in view.settings.languages
        if language in written
    }
    return {"variants": texts}


def _translation(kind: Kind, record: Record, language: str, view: View) -> Mapping[str, str]:
    variants = record["variants"]
    is_there = has_name(kind, variants.get(language, {}))
    slug = localize(variants, ["slug"], view.settings.chain(language))["slug"]
    return {
        "status": record["standing"].get(language, MISSING) if is_there else MISSING,
        "url": _page(kind, record, slug, language, view),
        "rest_url": view.addresses.translated_record(kind.name, record["_id"], language),
    }


def without_empty(shown: Shown, kept: Container[str]) -> Shown:
    """Drop texts that are empty and pictures that are none, as venues and organizers do.

    The fields ``kept`` are always there, as clients expect names to be.
    """
    return {name: value for name, value in shown.items() if value not in ("", None) or name in kept}
