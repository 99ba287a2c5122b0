"""The parts of a presented record that all kinds share."""

from collections.abc import Callable, Container, Mapping
from dataclasses import dataclass
from datetime import datetime
from types import MappingProxyType
from typing import Any

import orjson

from calendar_app.domain.kind import Kind, Record
from calendar_app.domain.languages import Localized
from calendar_app.domain.slugs import shown_variants
from calendar_app.domain.statuses import UNFINISHED
from calendar_app.domain.zones import wall_of
from calendar_app.readmodel.records import ReadContext, ReadRecord

JSONObject = dict[str, Any]

NEVER = "0000-00-00 00:00:00"


@dataclass(frozen=True, slots=True)
class View:
    """How one answer shows what its caller reads."""

    context: ReadContext
    variants: bool = False
    # In a list, linked records are encoded as JSON fragments.
    in_list: bool = False

    def fragment(
        self, name: str, version: bytes | None, present: Callable[[], Any]
    ) -> orjson.Fragment:
        """Return the JSON of what ``present`` makes of content of this ``version``; it is kept."""

        def render() -> bytes:
            return orjson.dumps(present())

        fragments = self.context.fragments
        if fragments is None or version is None:
            return orjson.Fragment(render())
        full_name = f"JSON of {name}{' with variants' if self.variants else ''}"
        return orjson.Fragment(fragments.of(full_name, version, render))


def date_text(moment: datetime) -> str:
    """Return a naive time as ``YYYY-MM-DD hh:mm:ss``; years before 1000 keep four digits."""
    return moment.isoformat(" ", "seconds")


def date_details(text: str) -> dict[str, str]:
    """Split a ``date_text`` into its parts."""
    return {
        "year": text[:4],
        "month": text[5:7],
        "day": text[8:10],
        "hour": text[11:13],
        "minutes": text[14:16],
        "seconds": text[17:],
    }


def authored(record: Record, view: View) -> JSONObject:
    """Return author, status and the dates of publication and change."""
    return {
        "author": str(record["author"]),
        "status": record["status"],
        "date": date_text(wall_of(record["published"], view.context.zone)),
        "date_utc": utc_text(record, "published"),
        "modified": date_text(wall_of(record["modified"], view.context.zone)),
        "modified_utc": utc_text(record, "modified"),
    }


def utc_text(record: Record, name: str) -> str:
    """Return a time of a record in UTC; an unfinished one without a date has none yet."""
    floating = record["status"] in UNFINISHED and not record.get("dated")
    return NEVER if floating else date_text(record[name])


def global_ids(record: Record, view: View) -> JSONObject:
    own = view.context.addresses.global_id(record["_id"])
    # Imported records keep the global ids of their source.
    lineage = dict.fromkeys((own, *record.get("lineage", ())))
    return {"global_id": own, "global_id_lineage": list(lineage)}


def translation_state(kind: Kind, read: ReadRecord, texts: Localized, view: View) -> JSONObject:
    """Return the state of the record in each language of the site."""
    state: JSONObject = {
        "language": view.context.chain[0],
        "fallback_fields": list(texts.fallback_fields),
        "translations": read.translations(kind.name),
    }
    return state | stored_texts(kind, read, view)


def stored_texts(kind: Kind, read: ReadRecord, view: View) -> JSONObject:
    """Return the texts of every language, if the view includes ``variants``."""
    if not view.variants:
        return {}
    variants, fields = shown_variants(read.record), read.open_fields(kind.translatable)
    # Without languages that the site has removed: writes would refuse them.
    texts = {
        language: {name: variants[language][name] for name in fields if name in variants[language]}
        for language in view.context.settings.languages
        if language in variants
    }
    return {"variants": texts}


def without_json_ld(body: JSONObject) -> JSONObject:
    """Return a presented record without its JSON-LD, and that of its places and people."""
    short = {name: value for name, value in body.items() if name != "json_ld"}
    for name in short.keys() & {"venue", "organizer"}:
        if isinstance(short[name], list):
            short[name] = [without_json_ld(linked) for linked in short[name]]
        elif isinstance(short[name], dict):
            short[name] = without_json_ld(short[name])
    return short


def without_empty(body: JSONObject, always: Container[str]) -> JSONObject:
    """Drop empty texts and images, except the fields ``always``, as the reference does."""
    return {
        name: value for name, value in body.items() if value not in ("", None) or name in always
    }


_NAMES: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "start": ("start_date",),
        "end": ("end_date",),
        "start_local": ("start_date",),
        "end_local": ("end_date",),
        "venues": ("venue",),
        "organizers": ("organizer",),
        "hidden": ("hide_from_listings",),
        "published": ("date",),
        "location": ("geo_lat", "geo_lng"),
    }
)


def field_names(kind: Kind, stored_name: str) -> tuple[str, ...]:
    """Return the names of a field in the interface; a point has two."""
    if stored_name == "parent" and kind.has_status:
        return ("post_parent",)
    return _NAMES.get(stored_name, (stored_name,))


def distance(record: Record) -> JSONObject:
    """Return the distance in kilometres that a list by distance adds to a record."""
    return {"distance": round(record["distance"], 3)} if "distance" in record else {}
