"""Fields that link to other records, by id or by their data."""

from collections.abc import Callable, Mapping
from typing import Any

import marshmallow as ma

from calendar_app.accounts.policy import Right, may_read, role_allows
from calendar_app.calendar.pictures.uploads import filenames
from calendar_app.content.sanitizing import clean_name, clean_url, is_url
from calendar_app.domain.kind import Kind, Record
from calendar_app.errors import Message
from calendar_app.http.errors.problems import (
    Missing,
    first_failed_stage,
    refuse,
    refuse_type,
    refuse_unknown,
)
from calendar_app.http.fields.scalars import Parameter, listed, refuse_non_ascii_url, whole_number
from calendar_app.http.request import current
from calendar_app.http.request.state import host_of


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


class LinkedRecords(Parameter):
    """Ids, comma-separated ids, objects with an ``id`` or with data, or lists of these.

    Deserializes to ids of records that the caller may read, and to changes for new ones.
    """

    def __init__(self, kind: Kind, make_schema: Callable[[], ma.Schema], **options: Any) -> None:
        super().__init__(**options)
        self.schema = _links(f"Linked{kind.singular.capitalize()}")
        self._kind = kind
        self._make_schema = make_schema

    def _deserialize(
        self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **_: Any
    ) -> list[int | Record]:
        del attr
        members = _members(value)
        if all(member in _NOTHING for member in members):
            return []
        entries = [self._entry(member) for member in _require_few(members)]
        records = current.linked_records(lambda: self._linked_ids(data or {}))
        ids = [entry for entry in entries if isinstance(entry, int)]
        unknown = {each for each in ids if not _is_readable(records.get((self._kind.name, each)))}
        if unknown:
            refuse_unknown(self._kind.singular, min(unknown))
        if len(ids) < len(entries):
            current.discard_linked_records_after_write()
        return entries

    def _linked_ids(self, body: Mapping[str, Any]) -> dict[str, set[int]]:
        """Return the ids in all link fields of a body, for one common query."""
        fields = self.root.fields.values() if isinstance(self.root, ma.Schema) else ()
        return {
            field._kind.name: field._sent_ids(body)  # noqa: SLF001 - of the same class
            for field in fields
            if isinstance(field, LinkedRecords)
        }

    def _sent_ids(self, body: Mapping[str, Any]) -> set[int]:
        """Return the valid ids in a body; invalid ones are reported by ``_entry``."""
        members = _members(body.get(self.data_key or self.name or ""))
        sent = (member.get("id") if isinstance(member, dict) else member for member in members)
        numbers = (whole_number(member) for member in sent)
        ids = {number for number in numbers if number and number > 0}
        return ids if len(members) <= _MOST else set()

    def _entry(self, member: Any) -> int | Record:
        if isinstance(member, dict) and not member.get("id"):
            return self._validated_changes(member)
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

    def _validated_changes(self, data: Record) -> Record:
        try:
            changes: Record = self._make_schema().load(data)
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


class LinkedTerms(Parameter):
    """Terms by id, slug or name, or objects with one of these, alone or as a list.

    Deserializes to ids of existing terms, and to names of new ones.
    """

    schema = _links("LinkedTerm")

    def __init__(self, kind: Kind, **options: Any) -> None:
        super().__init__(**options)
        self._kind = kind

    def _deserialize(self, value: Any, *_: Any, **__: Any) -> list[int | str]:
        if value in ("", 0, False, None) or value in ([], {}):
            return []
        # A name in a list may have commas of its own.
        members = value if isinstance(value, list) else _members(value)
        entries = [
            self._entry(member) for member in _require_few(members) if member not in ("", None)
        ]
        ids_by_entry = current.reader().terms.named(self._kind, entries)
        return [self._existing_or_new(entry, ids_by_entry) for entry in entries]

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
        if not isinstance(member, str) or not clean_name(member):
            refuse(
                Message(
                    "{name} must name each one by its id, its slug or its name.",
                    name=self.sent_name,
                )
            )
        return member

    def _existing_or_new(
        self, entry: int | str, ids_by_entry: Mapping[int | str, int]
    ) -> int | str:
        if entry in ids_by_entry:
            return ids_by_entry[entry]
        if isinstance(entry, int):
            refuse_unknown(self._kind.singular, entry)
        if not role_allows(current.caller(), "create", self._kind.singular):
            refuse(
                Message(
                    "There is no {kind} {id}, and you may not create one.",
                    kind=self._kind.singular,
                    id=entry,
                )
            )
        return entry


def refuse_term_without_id(kind: Kind, name: str, value: Any) -> None:
    """Refuse an existing term by slug or name where only an id is allowed."""
    is_name = isinstance(value, str) and value.strip() and whole_number(value) is None
    if is_name and current.reader().terms.named(kind, [value]):
        refuse_type(name, "integer")


class Image(Parameter):
    """A picture by id, by address or as a presented object; ``false`` clears it."""

    schema: Mapping[str, Any] = {
        "anyOf": [
            {"type": ["integer", "string", "boolean"]},
            {"$ref": "#/components/schemas/Image"},
        ]
    }

    def _deserialize(self, value: Any, *_: Any, **__: Any) -> int | str | None:
        if isinstance(value, dict):
            # An external picture has the id 0, or "0" in a form.
            value = value.get("url") if value.get("id") in _NO_ID else value["id"]
        if value is False or value == "":
            return None
        number = whole_number(value)
        if number is not None:
            if _visible_picture(number) is None:
                refuse_unknown("media", number)
            return number
        if not isinstance(value, str) or not is_url(value):
            refuse_non_ascii_url("image", value)
            refuse("image must be the id of a picture or an absolute address.")
        address = clean_url(value)
        picture_id = _stored_picture(address)
        if picture_id is not None:
            return picture_id
        if not current.caller().may(Right.UPLOAD):
            refuse("You may not use pictures that are not here.")
        return address


def _visible_picture(number: int) -> Record | None:
    return current.services().shown_pictures.find(number, current.caller())


def _stored_picture(address: str) -> int | None:
    """Return the id of the stored picture that an address belongs to, if the caller sees it."""
    location = current.addresses().picture_file(address, host_of(current.request()))
    if location is None:
        return None
    digits, token, filename = location
    number = whole_number(digits)
    picture = None if number is None else _visible_picture(number)
    if picture is None or filename not in filenames(picture):
        return None
    return number if token in (None, picture["token"]) else None


def _is_readable(record: Record | None) -> bool:
    return record is not None and may_read(current.caller(), record)


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
