"""The parts of a presented record that all kinds share."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from operator import itemgetter
from types import MappingProxyType
from typing import Any, Generic, TypeVar

import orjson

from calendar_app.api.presentation.shapes import (
    ABSENT,
    Field,
    JSONObject,
    Shape,
    ShapeFields,
    by_name,
    either,
)
from calendar_app.domain.kind import Kind, Record
from calendar_app.domain.ledger import (
    DISCLOSURES,
    HUMAN,
    MACHINE,
    MIXED,
    ORIGINS,
    is_waiting,
)
from calendar_app.domain.richtext import escape
from calendar_app.domain.slugs import shown_variants
from calendar_app.domain.statuses import REGISTERED, UNFINISHED
from calendar_app.domain.translations import STANDINGS
from calendar_app.domain.zones import wall_of
from calendar_app.readmodel.records import ReadContext, ReadRecord

NEVER = "0000-00-00 00:00:00"


@dataclass(frozen=True, slots=True)
class RecordView:
    """How one answer presents records to its caller."""

    context: ReadContext
    variants: bool = False
    # Who wrote each text, as ``context=edit`` asks.
    origins: bool = False
    # In a list, linked records are encoded as JSON fragments.
    in_list: bool = False

    def fragment(
        self, name: str, version: bytes | None, present: Callable[[], Any]
    ) -> orjson.Fragment:
        """Return the JSON from ``present``, cached for content of this ``version``."""
        return orjson.Fragment(self.kept(name, version, lambda: orjson.dumps(present())))

    def kept(self, name: str, version: bytes | None, render: Callable[[], bytes]) -> bytes:
        """Return the result of ``render``, cached for this ``version``; never without one."""
        fragments = self.context.fragments
        if fragments is None or version is None:
            return render()
        suffix = f"{' with variants' * self.variants}{' with origins' * self.origins}"
        rendered: bytes = fragments.of(f"JSON of {name}{suffix}", version, render)
        return rendered


def date_text(moment: datetime) -> str:
    """Return a naive time as ``YYYY-MM-DD hh:mm:ss``; years before 1000 keep four digits."""
    return moment.isoformat(" ", "seconds")


_PARTS = {
    "year": slice(4),
    "month": slice(5, 7),
    "day": slice(8, 10),
    "hour": slice(11, 13),
    "minutes": slice(14, 16),
    "seconds": slice(17, None),
}
DATE_DETAILS = Shape[object](
    "DateDetails", {name: Field("string", meaning=f"The {name} as digits.") for name in _PARTS}
)
_split = itemgetter(*_PARTS.values())


def date_details(moment: datetime) -> JSONObject:
    """Return the parts of a ``date_text``."""
    return dict(zip(_PARTS, _split(date_text(moment)), strict=True))


R_co = TypeVar("R_co", bound=ReadRecord, covariant=True)


class Presented(Generic[R_co]):
    """A record of which an answer is made; ``single`` in the answer of its own route."""

    def __init__(self, kind: Kind, read: R_co, view: RecordView, *, single: bool = False) -> None:
        self.kind = kind
        self.read = read
        self.view = view
        self.single = single
        self.record = read.record
        self.context = view.context
        self.texts = read.localized(kind.translatable)


def stored(name: str) -> Callable[[Presented[Any]], Any]:
    """Return the function that returns a stored value."""
    return lambda it: it.record[name]


def text(name: str) -> Callable[[Presented[Any]], Any]:
    """Return the function that returns a text in the language of the reader."""
    return lambda it: it.texts.get(name, "")


def escaped(name: str) -> Callable[[Presented[Any]], Any]:
    """Return the function that returns a name, with entities as in the reference."""
    return lambda it: escape(it.texts.get(name, ""))


Common = ShapeFields[Presented[ReadRecord]]


def _lineage(it: Presented[ReadRecord]) -> list[str]:
    """Return the global ids, those of the source of an imported record too."""
    own = it.context.addresses.global_id(it.read.id)
    return list(dict.fromkeys((own, *it.read.lineage)))


GLOBAL_IDS: Common = {
    "global_id": Field(
        "string",
        lambda it: it.context.addresses.global_id(it.read.id),
        "The identifier of the record among all calendars.",
    ),
    "global_id_lineage": Field(
        ["string"],
        _lineage,
        "The identifiers that other calendars gave it on its way here, the first one first.",
    ),
}


def _local_text(name: str) -> Callable[[Presented[Any]], str]:
    return lambda it: date_text(wall_of(it.record[name], it.context.zone))


AUTHOR: Common = {
    "author": Field("string", lambda it: str(it.record["author"]), "The id of the author, as text.")
}
DATES: Common = {
    "date": Field(
        "string", _local_text("published"), "When it was published, in the time zone of the site."
    ),
    "date_utc": Field(
        "string", lambda it: utc_text(it.record, "published"), "When it was published, in UTC."
    ),
    "modified": Field(
        "string", _local_text("modified"), "When it was last changed, in the time zone of the site."
    ),
    "modified_utc": Field(
        "string", lambda it: utc_text(it.record, "modified"), "When it was last changed, in UTC."
    ),
}
AUTHORED: Common = {
    **AUTHOR,
    "status": Field(
        REGISTERED,
        stored("status"),
        "Whether it is a draft, waits for review, is public or is in the trash.",
    ),
    **DATES,
}


def utc_text(record: Record, name: str) -> str:
    """Return a time of a record in UTC; an unfinished one has none unless it was sent so."""
    has_date = record.get("dated") or record.get("date_utc_sent")
    floating = record.get("status") in UNFINISHED and not has_date
    return NEVER if floating else date_text(record[name])


def _variants(it: Presented[ReadRecord]) -> Any:
    """Return the texts of every language, if the view includes ``variants``."""
    if not it.view.variants:
        return ABSENT
    variants = shown_variants(it.read.all_texts(it.kind))
    fields = it.read.open_fields(it.kind.translatable)
    # Without languages that the site has removed: writes would refuse them.
    return {
        language: {name: variants[language][name] for name in fields if name in variants[language]}
        for language in it.context.settings.languages
        if language in variants
    }


_TEXT_ORIGIN = Shape[object](
    "TextOrigin",
    {
        "origin": Field(ORIGINS, meaning="Who wrote the text."),
        "reviewed": Field("boolean", meaning="False until somebody has checked it."),
        "by": Field(
            either("integer", "string"),
            meaning="The id of the user, or the name of the machine; for editors.",
            sometimes=True,
        ),
        "at": Field("string", meaning="When, in UTC; for editors.", sometimes=True),
        "reviewed_by": Field("integer", meaning="Who has checked it.", sometimes=True),
        "reviewed_at": Field("string", meaning="The time of the check, in UTC.", sometimes=True),
        "based_on": Field(
            "object", meaning="The proposal that a person has rewritten.", sometimes=True
        ),
    },
)


def _text_origins(it: Presented[ReadRecord]) -> Any:
    """Return who wrote each text, in views for those who ask for it."""
    if not (it.view.variants or it.view.origins):
        return ABSENT
    is_editor = it.read.may_edit(it.kind)
    return {
        language: {name: _text_origin(entry, is_editor=is_editor) for name, entry in own.items()}
        for language, own in it.read.text_origins(it.kind).items()
    }


def _text_origin(entry: Record, *, is_editor: bool) -> JSONObject:
    """Present an entry of the ledger; only editors see its author."""
    entry_shown: JSONObject = {"origin": entry["origin"], "reviewed": not is_waiting(entry)}
    if not is_editor:
        return entry_shown
    check = entry.get("reviewed", {})
    parts = {
        "by": entry.get("by"),
        "at": entry.get("at"),
        "reviewed_by": check.get("by"),
        "reviewed_at": check.get("at"),
        "based_on": entry.get("based_on"),
    }
    return entry_shown | {
        name: date_text(value) if isinstance(value, datetime) else value
        for name, value in parts.items()
        if value is not None
    }


_TRANSLATION = Shape[object](
    "Translation",
    {
        "status": Field(
            STANDINGS, meaning="Whether the texts are complete, partial, outdated or missing."
        ),
        "origin": Field(
            (HUMAN, MACHINE, MIXED), meaning="Who wrote the texts, if any.", sometimes=True
        ),
        "reviewed": Field(
            "boolean", meaning="False where a text waits for a check.", sometimes=True
        ),
        "url": Field("string", meaning="The page of the record in this language."),
        "rest_url": Field("string", meaning="The address of the record in this language."),
    },
)
LANGUAGE: Common = {
    "language": Field("string", lambda it: it.read.language, "The language of its texts."),
    "fallback_fields": Field(
        ["string"],
        lambda it: list(it.texts.fallback_fields),
        "The texts that are in another language, since this one has none.",
    ),
    "ai_disclosure": Field(
        tuple(DISCLOSURES.values()),
        lambda it: it.read.disclosure or ABSENT,
        "Where a machine wrote a text of its own that is shown, and whether it was checked.",
        sometimes=True,
    ),
}
TRANSLATIONS = by_name(_TRANSLATION)
VARIANTS: Common = {
    "variants": Field(
        by_name("object"),
        _variants,
        "With `all` as language: the texts of every language.",
        sometimes=True,
    ),
    "text_origins": Field(
        by_name(by_name(_TEXT_ORIGIN)),
        _text_origins,
        "With `all` as language, or `context=edit`: who wrote each text.",
        sometimes=True,
    ),
}
TRANSLATED: Common = {
    **LANGUAGE,
    "translations": Field(
        TRANSLATIONS,
        lambda it: it.read.translations(it.kind.name),
        "The state of its texts, by language.",
    ),
    **VARIANTS,
}


def json_ld(describe: Callable[[Any], JSONObject | None]) -> Common:
    """Return the field of a record in the vocabulary of schema.org, on its own route."""
    return {
        "json_ld": Field(
            "object",
            lambda it: (describe(it) if it.single else None) or ABSENT,
            "schema.org; where it stands alone.",
            sometimes=True,
        )
    }


def without_json_ld(body: JSONObject) -> JSONObject:
    """Return a presented record without its JSON-LD, and that of its places and people."""
    short = {name: value for name, value in body.items() if name != "json_ld"}
    for name in short.keys() & {"venue", "organizer"}:
        if isinstance(short[name], list):
            short[name] = [without_json_ld(linked) for linked in short[name]]
        elif isinstance(short[name], dict):
            short[name] = without_json_ld(short[name])
    return short


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


def _distance(it: Presented[ReadRecord]) -> Any:
    return round(it.record["distance"], 3) if "distance" in it.record else ABSENT


DISTANCE: Common = {
    "distance": Field("number", _distance, "Kilometers from the point asked for.", sometimes=True)
}
