"""Schemas of answers that kinds share, for the OpenAPI document, and the history of records.

Members are required where whole answers always have them; ``http/openapi/operations.py`` has the
schemas of answers of which ``_fields`` leaves some out.
"""

from collections.abc import Collection, Iterator, Sequence
from typing import ClassVar
from zoneinfo import ZoneInfo

import marshmallow as ma

from calendar_app.calendar.auditing import Door
from calendar_app.calendar.history import ACTIONS, BOOKKEEPING, SOURCES, TEXTS
from calendar_app.domain.kind import Kind, Record
from calendar_app.domain.statuses import REGISTERED
from calendar_app.domain.zones import wall_of
from calendar_app.http.request.current import Context
from calendar_app.presentation.records import JSONObject, date_text, field_names


def texts_by_language() -> ma.fields.Dict:
    """Return the field of the texts of every language."""
    return ma.fields.Dict(
        keys=ma.fields.String(),
        values=ma.fields.Dict(keys=ma.fields.String(), values=ma.fields.Raw(allow_none=True)),
        metadata={"description": "With `all` as language: the texts of every language."},
    )


class AnswerShape(ma.Schema):
    """A body whose members all come always, except those that ``sometimes`` names."""

    sometimes: ClassVar[Collection[str]] = ()

    def on_bind_field(self, field_name: str, field_obj: ma.fields.Field[object]) -> None:
        """Require the field, unless it comes only sometimes."""
        field_obj.required = field_name not in self.sometimes


class TranslationShape(AnswerShape):
    """The state of a record in one language."""

    status = ma.fields.String(metadata={"enum": ["current", "outdated", "missing"]})
    url = ma.fields.String()
    rest_url = ma.fields.String()


class LocalizedShape(AnswerShape):
    """The language fields of every record."""

    sometimes: ClassVar[Collection[str]] = ("variants",)

    language = ma.fields.String()
    fallback_fields = ma.fields.List(ma.fields.String())
    translations = ma.fields.Dict(
        keys=ma.fields.String(), values=ma.fields.Nested(TranslationShape)
    )
    variants = texts_by_language()


class PostShape(LocalizedShape):
    """The fields that events, venues and organizers share."""

    sometimes: ClassVar[Collection[str]] = (*LocalizedShape.sometimes, "json_ld")

    id = ma.fields.Integer()
    global_id = ma.fields.String()
    global_id_lineage = ma.fields.List(ma.fields.String())
    author = ma.fields.String()
    status = ma.fields.String(metadata={"enum": list(REGISTERED)})
    date = ma.fields.String()
    date_utc = ma.fields.String()
    modified = ma.fields.String()
    modified_utc = ma.fields.String()
    url = ma.fields.String()
    description = ma.fields.String()
    slug = ma.fields.String()
    json_ld = ma.fields.Dict(metadata={"description": "schema.org; where it stands alone."})


class TermShape(LocalizedShape):
    """The fields that categories and tags share."""

    sometimes: ClassVar[Collection[str]] = (*LocalizedShape.sometimes, "_links")

    id = ma.fields.Integer()
    count = ma.fields.Integer()
    name = ma.fields.String()
    description = ma.fields.String()
    slug = ma.fields.String()
    taxonomy = ma.fields.String()
    url = ma.fields.String()
    urls = ma.fields.Dict(keys=ma.fields.String(), values=ma.fields.String())
    meta = ma.fields.List(ma.fields.Raw())
    _links = ma.fields.Dict()


class PageShape(AnswerShape):
    """The fields of every list besides its records."""

    sometimes: ClassVar[Collection[str]] = ("next_rest_url", "previous_rest_url")

    rest_url = ma.fields.String()
    next_rest_url = ma.fields.String()
    previous_rest_url = ma.fields.String()
    total = ma.fields.Integer()
    total_pages = ma.fields.Integer()


class MediaUseShape(AnswerShape):
    """A record that uses a picture."""

    type = ma.fields.String(metadata={"enum": ["event", "venue", "organizer"]})
    id = ma.fields.Integer()
    url = ma.fields.Url(metadata={"description": "its address in this interface"})


class ErrorDataShape(ma.Schema):
    status = ma.fields.Integer(required=True)
    params = ma.fields.Raw()
    details = ma.fields.Raw()
    term_id = ma.fields.Integer()
    used_by = ma.fields.List(ma.fields.Nested(MediaUseShape))
    uses = ma.fields.Integer()
    request_id = ma.fields.String()
    json_error_code = ma.fields.Integer()
    json_error_message = ma.fields.String()


class ErrorShape(ma.Schema):
    """The body of every error."""

    code = ma.fields.String(required=True)
    message = ma.fields.String(required=True)
    data = ma.fields.Nested(ErrorDataShape, required=True)


_CONFIRMED = "translation_status"


class AuthorShape(AnswerShape):
    """Who wrote, by the name of that time."""

    id = ma.fields.Integer()
    name = ma.fields.String()


class EntryShape(AnswerShape):
    """One save of a record."""

    revision = ma.fields.Integer()
    date = ma.fields.String()
    date_utc = ma.fields.String()
    user = ma.fields.Nested(
        AuthorShape,
        allow_none=True,
        metadata={"description": "null: a visitor, or the service itself."},
    )
    door = ma.fields.String(metadata={"enum": [str(door) for door in Door]})
    action = ma.fields.String(metadata={"enum": list(ACTIONS)})
    fields_ = ma.fields.List(ma.fields.String(), data_key="fields", attribute="fields")
    languages = ma.fields.List(ma.fields.String())
    rest_url = ma.fields.String(
        allow_none=True,
        metadata={"description": "The state after the save; null where history lacks it."},
    )


class HistoryPageShape(PageShape):
    history = ma.fields.List(ma.fields.Nested(EntryShape))


def present_entries(
    kind: Kind, record: Record, entries: Sequence[Record], skipped: int, context: Context
) -> list[JSONObject]:
    """Present entries, the latest first; ``skipped`` later ones are on earlier pages."""
    present, address = [], context.addresses.record(kind.name, record["_id"])
    for later, entry in enumerate(entries, start=skipped):
        # A state follows from all later entries; without one of them there is no way back.
        is_reached = record["revision"] - entry["revision"] == later
        state = f"{address}/history/{entry['revision']}" if is_reached else None
        present.append(_entry(kind, entry, context.zone) | {"rest_url": state})
    return present


def changed_fields(kind: Kind, paths: Sequence[str]) -> list[str]:
    """Return the names of the fields at some paths; a confirmation alone counts as one."""
    return list(dict.fromkeys(_fields(kind, paths)))


def changed_languages(paths: Sequence[str]) -> list[str]:
    """Return the languages in which texts changed or were confirmed."""
    return sorted(_tags(TEXTS, paths) | _confirmed(paths))


def _entry(kind: Kind, entry: Record, zone: ZoneInfo) -> JSONObject:
    user = {"id": entry["user"], "name": entry["name"]} if entry["user"] else None
    return {
        "revision": entry["revision"],
        "date": date_text(wall_of(entry["date"], zone)),
        "date_utc": date_text(entry["date"]),
        "user": user,
        "door": entry["door"],
        "action": entry["action"],
        "fields": changed_fields(kind, entry["changed"]),
        "languages": changed_languages(entry["changed"]),
    }


def _fields(kind: Kind, paths: Sequence[str]) -> Iterator[str]:
    for path in paths:
        first, *rest = path.split(".")
        if first == TEXTS:
            yield rest[-1]
        elif first != SOURCES and first not in BOOKKEEPING:
            yield from field_names(kind, first)
    if _confirmed(paths):
        yield _CONFIRMED


def _confirmed(paths: Sequence[str]) -> set[str]:
    """Return the languages that somebody confirmed without a change of their texts."""
    return set() if _tags(TEXTS, paths) else _tags(SOURCES, paths)


def _tags(first: str, paths: Sequence[str]) -> set[str]:
    parts = (path.split(".") for path in paths)
    return {names[1] for names in parts if names[0] == first}
