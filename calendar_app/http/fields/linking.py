"""Fields that point to other records: by id, or by what they are."""

from collections.abc import Callable, Mapping
from typing import Any

import marshmallow as ma

from calendar_app.accounts.policy import role_allows
from calendar_app.accounts.roles import Right
from calendar_app.content.sanitizing import clean_name, clean_url, is_url
from calendar_app.domain.kind import Kind, Record
from calendar_app.errors import Message
from calendar_app.http.errors.problems import Missing, refuse, refuse_type, refuse_unknown, staged
from calendar_app.http.fields.scalars import Parameter, listed, whole_number
from calendar_app.http.fields.urls import refuse_beyond_ascii
from calendar_app.http.request import current
from calendar_app.http.request.hosts import host_of


def _links(schema_name: str) -> Mapping[str, Any]:
    """Return the schema of one link or a list of them, each an id, a text or an object."""
    link: list[Mapping[str, Any]] = [
        {"type": "integer"},
        {"type": "string"},
        {"$ref": f"#/components/schemas/{schema_name}"},
    ]
    return {"anyOf": [*link, {"type": "array", "items": {"anyOf": link}}]}


# Links of one record: each that is to be made takes its time of the one transaction.
_MOST = 500
# No link, alone or in a list of such.
_NOTHING: tuple[Any, ...] = (0, "0", False, {})
# The id of a picture that lies elsewhere.
_NO_ID: tuple[object, ...] = (None, 0, "0", "")
_MISSING = Message("This is needed.")
# As the reference writes it where it takes it for the name of a term.
_TRUE = "1"


class LinkedRecords(Parameter):
    """Ids, texts with ids and commas, objects with an ``id`` or with data, or lists of these.

    Gives ids of records that exist, and changes for those that are to be made.
    """

    def __init__(self, kind: Kind, make_schema: Callable[[], ma.Schema], **options: Any) -> None:
        super().__init__(**options)
        self.schema = _links(f"Linked{kind.singular.capitalize()}")
        self._kind = kind
        self._make_schema = make_schema

    def _deserialize(self, value: Any, *_: Any, **__: Any) -> list[int | Record]:
        members = _members(value)
        if all(member in _NOTHING for member in members):
            return []
        entries = [self._entry(member) for member in _few(members)]
        known = current.linked_records(self._wanted)
        ids = [entry for entry in entries if isinstance(entry, int)]
        unknown = {number for number in ids if not known.get((self._kind.name, number))}
        if unknown:
            refuse_unknown(self._kind.singular, min(unknown))
        if len(ids) < len(entries):
            current.distrust_linked_records()
        return entries

    def _wanted(self) -> dict[str, set[int]]:
        """Return all ids that this field and its like name, so that one question finds them."""
        fields = self.root.fields.values() if isinstance(self.root, ma.Schema) else ()
        return {
            field._kind.name: field._sent()  # noqa: SLF001 - of the same class
            for field in fields
            if isinstance(field, LinkedRecords)
        }

    def _sent(self) -> set[int]:
        """Return the ids that were sent; what is wrong with the others is told elsewhere."""
        members = _members(current.parameter(self.data_key or self.name or ""))
        sent = (member.get("id") if isinstance(member, dict) else member for member in members)
        numbers = (whole_number(member) for member in sent)
        ids = {number for number in numbers if number and number > 0}
        return ids if len(members) <= _MOST else set()

    def _entry(self, member: Any) -> int | Record:
        if isinstance(member, dict) and not member.get("id"):
            return self._made(member)
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

    def _made(self, data: Record) -> Record:
        try:
            changes: Record = self._make_schema().load(data)
        except ma.ValidationError as error:
            raise ma.ValidationError([self._within(error)]) from error
        return changes

    def _within(self, error: ma.ValidationError) -> Message:
        """Return what is wrong with the first field that is, of a record that is to be made."""
        _, reasons = staged(error.messages_dict)
        field, reason = next(iter(reasons.items()))
        if isinstance(reason, Missing):
            reason = _MISSING
        return Message("{place}: {reason}", place=f"{self.sent_name}.{field}", reason=reason)


class LinkedTerms(Parameter):
    """Terms by id, slug or name, or objects with one of these; one of them, a text, or a list.

    Gives ids of terms that exist, and names of those that are to be made.
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
        entries = [self._entry(member) for member in _few(members) if member not in ("", None)]
        found = current.reader().terms_named(self._kind, entries)
        return [self._term(entry, found) for entry in entries]

    def _entry(self, member: Any) -> int | str:
        if isinstance(member, dict) and not member.get("id"):
            return self._called(member.get("name") or member.get("slug"))
        if isinstance(member, dict):
            member = member["id"]
        if member is True:
            return _TRUE
        number = whole_number(member)
        return self._called(member) if number is None else number

    def _called(self, member: Any) -> str:
        """Return a slug or a name, which may be one of figures alone."""
        if not isinstance(member, str) or not clean_name(member):
            refuse(
                Message(
                    "{name} must name each one by its id, its slug or its name.",
                    name=self.sent_name,
                )
            )
        return member

    def _term(self, entry: int | str, found: Mapping[int | str, int]) -> int | str:
        if entry in found:
            return found[entry]
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


def refuse_named_term(kind: Kind, name: str, value: Any) -> None:
    """Refuse a term that exists, but is not named by its id, for its type alone."""
    named = isinstance(value, str) and value.strip() and whole_number(value) is None
    if named and current.reader().terms_named(kind, [value]):
        refuse_type(name, "integer")


class Image(Parameter):
    """A picture by its id, by its address, or as it was shown; ``false`` is none."""

    schema: Mapping[str, Any] = {
        "anyOf": [
            {"type": ["integer", "string", "boolean"]},
            {"$ref": "#/components/schemas/Image"},
        ]
    }

    def _deserialize(self, value: Any, *_: Any, **__: Any) -> int | str | None:
        if isinstance(value, dict):
            # The id of a picture that is not here is 0, and "0" in a form.
            value = value.get("url") if value.get("id") in _NO_ID else value["id"]
        if value is False or value == "":
            return None
        number = whole_number(value)
        if number is not None:
            if not current.services().pictures.exists(number):
                refuse_unknown("media", number)
            return number
        if not isinstance(value, str) or not is_url(value):
            refuse_beyond_ascii("image", value)
            refuse("image must be the id of a picture or an absolute address.")
        address = clean_url(value)
        here = _picture_at(address)
        if here is not None:
            return here
        if not current.caller().may(Right.UPLOAD):
            refuse("You may not use pictures that are not here.")
        return address


def _picture_at(address: str) -> int | None:
    """Return the id of the picture here of which an address names a file, as it is shown."""
    file = current.addresses().picture_file(address, host_of(current.request()))
    if file is None:
        return None
    digits, token, filename = file
    number = whole_number(digits)
    if number is None or not current.services().pictures.has_file(number, filename, token):
        return None
    return number


def _few(members: list[Any]) -> list[Any]:
    """Refuse more than one record can be linked to."""
    if len(members) > _MOST:
        refuse("There are too many values.")
    return members


def _members(value: Any) -> list[Any]:
    """Return what stands in a list, in a text with commas, or alone."""
    return listed(value) if isinstance(value, str) else _parts(value)


def _parts(value: Any) -> list[Any]:
    """Return what stands in a list, whose members may have commas too, or alone."""
    if isinstance(value, str):
        return listed(value.split(","))
    if isinstance(value, list):
        return [part for member in value for part in _parts(member)]
    return [] if value in ("", None) else [value]
