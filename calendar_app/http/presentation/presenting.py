"""The parts of a presented record that all kinds share."""

from collections.abc import Callable, Container, Hashable, Mapping, MutableMapping
from dataclasses import dataclass, field
from datetime import datetime
from functools import lru_cache
from typing import Any, TypeVar
from zoneinfo import ZoneInfo

from calendar_app.accounts.caller import Caller
from calendar_app.calendar.reading.links import Linked
from calendar_app.calendar.reading.series import SeriesFacts
from calendar_app.domain.kind import Kind, Record
from calendar_app.domain.languages import Localized, localize
from calendar_app.domain.slugs import shown_variants
from calendar_app.domain.statuses import FUTURE, PRIVATE, PUBLISH, UNFINISHED
from calendar_app.domain.translations import MISSING, has_name
from calendar_app.domain.zones import wall_of
from calendar_app.http.request.addresses import Addresses
from calendar_app.settings import Settings

JSONObject = dict[str, Any]
T = TypeVar("T")

# Calendars repeat the same dates, and formatting one is expensive.
_MOST_DATES = 4096
NEVER = "0000-00-00 00:00:00"
_WITH_PAGE = (PUBLISH, FUTURE, PRIVATE)


@dataclass(frozen=True, slots=True)
class View:
    """One reader's view: languages, rights, password, linked records."""

    chain: tuple[str, ...]
    caller: Caller
    addresses: Addresses
    settings: Settings
    linked: Linked
    zone: ZoneInfo
    # What events show of their series, by its id.
    series: Mapping[int, SeriesFacts] = field(default_factory=dict)
    password: str | None = field(default=None, repr=False)
    variants: bool = False
    # In a list, linked records are encoded as JSON fragments.
    in_list: bool = False
    # Presented links, shared by records; ``key`` separates different views.
    cache: MutableMapping[Hashable, Any] = field(default_factory=dict)
    key: Hashable = None

    def cached(self, name: str, ids: Hashable, present: Callable[[], T]) -> T:
        """Return the cached result of ``present`` for these ids and this view."""
        key = (self.key, name, ids)
        value: T | None = self.cache.get(key)
        if value is None:
            value = self.cache[key] = present()
        return value


@lru_cache(_MOST_DATES)
def date_text(moment: datetime) -> str:
    """Return a naive time as ``YYYY-MM-DD hh:mm:ss``; years before 1000 keep four digits."""
    return moment.isoformat(" ", "seconds")


@lru_cache(_MOST_DATES)
def date_details(text: str) -> dict[str, str]:
    """Split a ``date_text`` into its parts; the result is shared, so never change it."""
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


def authored(record: Record, view: View) -> JSONObject:
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


def global_ids(record: Record, view: View) -> JSONObject:
    own = view.addresses.global_id(record["_id"])
    # Imported records keep the global ids of their source.
    lineage = dict.fromkeys((own, *record.get("lineage", ())))
    return {"global_id": own, "global_id_lineage": list(lineage)}


def page_address(kind: Kind, record: Record, texts: Localized, view: View) -> str:
    """Return the address of the record's page."""
    return _page(kind, record, texts["slug"], view.chain[0], view)


def _page(kind: Kind, record: Record, slug: str, language: str, view: View) -> str:
    if not kind.has_status or (record["status"] in _WITH_PAGE and slug):
        return view.addresses.page(kind.singular, slug, language)
    return view.addresses.unpublished_page(kind.singular, record["_id"], language)


def translation_state(kind: Kind, record: Record, texts: Localized, view: View) -> JSONObject:
    """Return the state of the record in each language of the site."""
    state: JSONObject = {
        "language": view.chain[0],
        "fallback_fields": list(texts.fallback_fields),
        "translations": {
            language: _translation(kind, record, language, view)
            for language in view.settings.languages
        },
    }
    return state | stored_texts(kind, record, view)


def stored_texts(kind: Kind, record: Record, view: View) -> JSONObject:
    """Return the texts of every language, if the view includes ``variants``."""
    if not view.variants:
        return {}
    variants = shown_variants(record)
    # Without languages that the site has removed: writes would refuse them.
    texts = {
        language: {n: variants[language][n] for n in kind.translatable if n in variants[language]}
        for language in view.settings.languages
        if language in variants
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


def without_empty(body: JSONObject, always: Container[str]) -> JSONObject:
    """Drop empty texts and images, except the fields ``always``, as the reference does."""
    return {
        name: value for name, value in body.items() if value not in ("", None) or name in always
    }
