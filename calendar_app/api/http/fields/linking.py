"""Fields that link to other records, by id or by their data."""

from collections.abc import Callable, Collection, Mapping
from typing import Any

import marshmallow as ma

from calendar_app.accounts.callers import Right
from calendar_app.accounts.policy import may_read, role_allows
from calendar_app.api.http.errors.problems import (
    Missing,
    first_failed_stage,
    refuse,
    refuse_type,
    refuse_unknown,
)
from calendar_app.api.http.fields.scalars import listed, refuse_non_ascii_url, whole_number
from calendar_app.api.http.fields.schema import NamesRecords, Values
from calendar_app.api.http.request.current import Context
from calendar_app.api.http.request.state import host_of
from calendar_app.calendar.shown_pictures import filenames
from calendar_app.domain.kind import Kind, Record
from calendar_app.domain.texts.sanitizing import clean_term, clean_url, is_url
from calendar_app.errors import Message


def _links(schema_name: str) -> Mapping[str, Any]:
    """Return the schema of one link or a list of them, each an id, a text or an object."""
    link: list[Mapping[str, Any]] = [
        {"type": "integer"},
        {"type": "string"},
        {"$ref": f"#/components/schemas/{schema_name}"},
    ]
    return {"anyOf": [*link, {"type": "array", "items": {"anyOf": link}}]}


# Links of one record; each new linked record lengthens the transaction.
_MOST = 500
# Values that mean no link.
_NOTHING: tuple[Any, ...] = (0, "0", False, {})
# Ids of an external picture.
_NO_ID: tuple[object, ...] = (None, 0, "0", "")
_MISSING = Message("This is needed.")
# The reference takes ``true`` for the term of this name.
_TRUE = "1"


class LinkedRecords(NamesRecords):
    """Ids, comma-separated ids, objects with an ``id`` or with data, or lists of these.

    They stand for ids of records that the caller may read, and for changes of new ones.
    """

    def __init__(self, kind: Kind, make_schema: Callable[[], ma.Schema], **options: Any) -> None:
        super().__init__(**options)
        self.schema = _links(f"Linked{kind.singular.capitalize()}")
        self._kind = kind
        self._make_schema = make_schema

    def read(self, value: Any, _context: Context) -> list[int | Record]:
        members = _members(value)
        if all(member in _NOTHING for member in members):
            return []
        return [self._entry(member) for member in _require_few(members)]

    def linked_ids(self, value: Any) -> Mapping[str, set[int]]:
        ids = {entry for entry in value or () if isinstance(entry, int)}
        return {self._kind.name: ids} if value else {}

    def resolve(self, value: list[int | Record], context: Context) -> list[int | Record]:
        records = context.read_linked(self.linked_ids(value)) if value else {}
        entries = [self._changes(entry, context) for entry in value]
        ids = {entry for entry in entries if isinstance(entry, int)}
        unknown = {
            each
            for each in ids
            if not (record := records.get((self._kind.name, each)))
            or not may_read(context.caller, record)
        }
        if unknown:
            refuse_unknown(self._kind.singular, min(unknown))
        return entries

    def _entry(self, member: Any) -> int | Record:
        if isinstance(member, dict) and not member.get("id"):
            return member
        number = whole_number(member["id"] if isinstance(member, dict) else member)
        if number is None or number < 1:
            refuse(
                Message(
                    "{name} must be an id, or an object such as {example}.",
                    name=self.sent_name,
                    example=f'{{"{self._kind.label}": "…"}}',
                )
            )
        return number

    def _changes(self, entry: int | Record, context: Context) -> int | Record:
        """Return the changes of a new record; an id stays."""
        if isinstance(entry, int):
            return entry
        try:
            changes: Record = self._make_schema().load(Values(entry, context))
        except ma.ValidationError as error:
            raise ma.ValidationError([self._qualified_reason(error)]) from error
        return changes

    def _qualified_reason(self, error: ma.ValidationError) -> Message:
        """Return the first error of a nested new record, with its path."""
        _, reasons = first_failed_stage(error.messages_dict)
        field, reason = next(iter(reasons.items()))
        if isinstance(reason, Missing):
            reason = _MISSING
        return Message("{place}: {reason}", place=f"{self.sent_name}.{field}", reason=reason)


class LinkedTerms(NamesRecords):
    """Terms by id, slug or name, or objects with one of these, alone or as a list.

    They stand for ids of existing terms, and for names of new ones.
    """

    schema = _links("LinkedTerm")

    def __init__(self, kind: Kind, **options: Any) -> None:
        super().__init__(**options)
        self._kind = kind

    def read(self, value: Any, _context: Context) -> list[int | str]:
        if value in ("", 0, False, None) or value in ([], {}):
            return []
        # A name in a list may have commas of its own.
        members = value if isinstance(value, list) else _members(value)
        return [self._entry(member) for member in _require_few(members) if member not in ("", None)]

    def named_terms(self, value: Any) -> Mapping[str, Collection[int | str]]:
        return {self._kind.name: value} if value else {}

    def resolve(self, value: list[int | str], context: Context) -> list[int | str]:
        if not value:
            return value
        ids_by_entry = context.named_terms(self._kind.name, value)
        unknown = [entry for entry in value if entry not in ids_by_entry]
        for entry in unknown:
            if isinstance(entry, int):
                refuse_unknown(self._kind.singular, entry)
            if not role_allows(context.caller, "create", self._kind.singular):
                refuse(
                    Message(
                        "There is no {kind} {id}, and you may not create one.",
                        kind=self._kind.singular,
                        id=entry,
                    )
                )
        return [ids_by_entry.get(entry, entry) for entry in value]

    def _entry(self, member: Any) -> int | str:
        if isinstance(member, dict) and not member.get("id"):
            return self._term_name(member.get("name") or member.get("slug"))
        if isinstance(member, dict):
            member = member["id"]
        if member is True:
            return _TRUE
        number = whole_number(member)
        return self._term_name(member) if number is None else number

    def _term_name(self, member: Any) -> str:
        """Return a slug or a name, even one of digits only."""
        if not isinstance(member, str) or not clean_term(member):
            refuse(
                Message(
                    "{name} must name each one by its id, its slug or its name.",
                    name=self.sent_name,
                )
            )
        return member


class ExistingParent(NamesRecords):
    """The id of an existing record of a kind; 0 and empty mean none."""

    schema: Mapping[str, Any] = {"type": "integer"}

    def __init__(self, kind: Kind, invalid: Message, **options: Any) -> None:
        super().__init__(**options)
        self._kind, self._invalid = kind, invalid

    def read(self, value: Any, _context: Context) -> int | str:
        number = 0 if value == "" else whole_number(value)
        if number is None and isinstance(value, str) and not self._kind.has_status:
            return value  # The slug or name of a term is of the wrong type.
        if number is None or number < 0:
            refuse(self._invalid)
        return number

    def resolve(self, value: int | str, context: Context) -> int:
        if isinstance(value, str):
            refuse_term_without_id(self._kind, self.sent_name, value, context)
            refuse(self._invalid)
        if value:
            require_existing(self._kind, [value], context)
        return value


def require_existing(kind: Kind, ids: Collection[int], context: Context) -> None:
    """Refuse ids that no record has that the caller may read."""
    unknown = context.reader.missing(kind, set(ids), context.caller)
    if unknown:
        refuse_unknown(kind.singular, min(unknown))


def refuse_term_without_id(kind: Kind, name: str, value: str, context: Context) -> None:
    """Refuse an existing term by slug or name where only an id is allowed."""
    if value.strip() and context.reader.terms.named(kind, [value]):
        refuse_type(name, "integer")


class Image(NamesRecords):
    """A picture by id, by address or as a presented object; ``false`` clears it."""

    schema: Mapping[str, Any] = {
        "anyOf": [
            {"type": ["integer", "string", "boolean"]},
            {"$ref": "#/components/schemas/Image"},
        ]
    }

    def read(self, value: Any, _context: Context) -> int | str | None:
        if isinstance(value, dict):
            # An external picture has the id 0, or "0" in a form.
            value = value.get("url") if value.get("id") in _NO_ID else value["id"]
        if value is False or value == "":
            return None
        number = whole_number(value)
        if number is not None:
            return number
        if not isinstance(value, str) or not is_url(value):
            refuse_non_ascii_url("image", value)
            refuse("image must be the id of a picture or an absolute address.")
        return clean_url(value)

    def resolve(self, value: int | str, context: Context) -> int | str:
        if isinstance(value, int):
            if _visible_picture(value, context) is None:
                refuse_unknown("media", value)
            return value
        picture_id = _stored_picture(value, context)
        if picture_id is not None:
            return picture_id
        if not context.caller.may(Right.UPLOAD):
            refuse("You may not use pictures that are not here.")
        return value


def _visible_picture(number: int, context: Context) -> Record | None:
    return context.services.shown_pictures.find(number, context.caller)


def _stored_picture(address: str, context: Context) -> int | None:
    """Return the id of the stored picture that an address belongs to, if the caller sees it."""
    location = context.addresses.picture_file(address, host_of(context.request))
    if location is None:
        return None
    digits, token, filename = location
    number = whole_number(digits)
    picture = None if number is None else _visible_picture(number, context)
    if picture is None or filename not in filenames(picture):
        return None
    return number if token in (None, picture["token"]) else None


def _require_few(members: list[Any]) -> list[Any]:
    """Refuse more links than one transaction can write."""
    if len(members) > _MOST:
        refuse("There are too many values.")
    return members


def _members(value: Any) -> list[Any]:
    """Split a list, a comma-separated text or a single value into its members."""
    return listed(value) if isinstance(value, str) else _parts(value)


def _parts(value: Any) -> list[Any]:
    """Flatten nested lists; a text inside a list may have commas too."""
    if isinstance(value, str):
        return listed(value.split(","))
    if isinstance(value, list):
        return [part for member in value for part in _parts(member)]
    return [] if value in ("", None) else [value]
