"""Schemas that turn a request body into changes of a record.

POST, PUT and PATCH on a record are one operation: what is not sent stays as it is. What a
reader was shown can be sent back, and changes nothing.
See ``docs/reference/writing.md``.
"""

from collections.abc import Collection, Mapping
from datetime import UTC, datetime
from functools import partial
from types import MappingProxyType
from typing import Any, ClassVar

import marshmallow as ma

from calendar_app.accounts.policy import may_sign_as
from calendar_app.api.http.errors.problems import refuse, refuse_type
from calendar_app.api.http.fields.linking import LinkedTerms
from calendar_app.api.http.fields.provenance import Checks, TextOrigins
from calendar_app.api.http.fields.round_trip import (
    DerivedField,
    RoundTripBody,
    drop_stored_variants,
)
from calendar_app.api.http.fields.scalars import Converted, OneOf, finite_number, whole_number
from calendar_app.api.http.fields.schema import NamesRecords, RequestSchema, Values
from calendar_app.api.http.fields.texts import Confirmation, Variants, read_confirmation
from calendar_app.api.http.request.current import Context
from calendar_app.api.http.request.parameters import read_query
from calendar_app.api.presentation.records import NEVER, field_names
from calendar_app.domain.custom_fields import NAME, contradict, join_fields
from calendar_app.domain.kind import Kind, Record
from calendar_app.domain.moments import Moment, parse_moment
from calendar_app.domain.richtext import decoded, escape
from calendar_app.domain.statuses import REGISTERED
from calendar_app.domain.zones import with_wall_everywhere
from calendar_app.errors import InvalidParameters, Message

# Without a format, since many notations are accepted.
DATE_TIME: Mapping[str, Any] = {"type": "string", "examples": ["2027-06-05 19:30:00"]}
_EMPTY: tuple[Any, ...] = (None, "", [], {})
# A body with one of these fields may hold texts of other languages.
_LANGUAGE_MARKERS = ("variants", "fallback_fields")


def moment(value: Any, context: Context) -> Moment:
    """Read a date and time in any notation; words are read in the zone of the site.

    A day that no month has is refused: nobody sees coming that 30 February is 2 March.
    """
    return parse_moment(value, context.now(), rolls_over=False)


def _language(value: Any, context: Context) -> str:
    """Return the source language of a translation."""
    if value not in context.settings.languages or value == context.language:
        raise ValueError("translated_from must be another language of the site.")
    return str(value)


class ChangeSchema(RequestSchema):
    """Base schema of a write to a record of one ``kind``.

    With ``partial`` it is an update: ``null`` and ``""`` clear. Without, both count as not sent.
    """

    kind: ClassVar[Kind]
    # Whether a slug sent to a by-slug route renames the record.
    slug_renames: ClassVar[bool] = False
    # Fields that are computed from others where they have no text.
    derived_fields: ClassVar[Mapping[str, DerivedField]] = MappingProxyType({})
    # Presented fields with which a body is compared, besides those that it sends.
    compared: ClassVar[frozenset[str]] = frozenset({"fallback_fields", "url"})

    variants = Variants(description="Texts of several languages at once, by language code.")

    translated_from = Converted(
        _language,
        {"type": "string"},
        description="The language that this one was translated from.",
    )
    translation_status = Confirmation(
        attribute="confirmed",
        description="current: this language, or each language or field that is named, is right.",
    )
    translation_origin = TextOrigins(
        attribute="origins",
        description="Where texts come from: human, machine, memory or import; also by language "
        "and field, with the proposal and the name of the machine.",
    )
    translation_reviewed = Checks(
        attribute="reviews",
        description="Whether somebody has checked the texts, also by language and field.",
    )

    @ma.pre_load
    def drop_ignored_fields(self, body: Values, **_: Any) -> Values:
        """Drop the fields that count as not sent."""
        context = body.context
        own = Values(self._drop_fallback_texts(body), context)
        body = Values(self.drop_ignored(own), context)
        if self.partial:
            return Values(self.drop_unchanged(body), context)
        required = {name for name, field in self.fields.items() if field.required}
        values = {
            name: value
            for name, value in body.items()
            if value is not None and (value != "" or name in required)
        }
        return Values(self._label_from_variants(values), context)

    def drop_ignored(self, body: Values) -> Mapping[str, Any]:
        """Drop fields that this route ignores; on by-slug routes the slug selects the record."""
        by_slug = "slug" in (body.context.request.view_args or ())
        if self.partial and by_slug and not self.slug_renames:
            return {name: value for name, value in body.items() if name != "slug"}
        return body

    def overridden_paths(self, _body: Values) -> Collection[str]:
        """Return the paths of stored values that a write means for other records as well."""
        return ()

    def drop_unchanged(self, body: Values) -> dict[str, Any]:
        """Drop values equal to the presented or stored ones."""
        context, presented = body.context, body.context.presented
        kept_paths = self.overridden_paths(body)
        kept_names = self._names_at(kept_paths, context)
        if presented and self._confirms_language(body):
            kept_names |= set(presented["fallback_fields"])
        changed = {
            name: value
            for name, value in body.items()
            if name in kept_names or not self._is_unchanged(name, value, context)
        }
        if presented is None or "variants" not in changed:
            return changed
        variants = drop_stored_variants(
            self.kind, changed.pop("variants"), context, self.derived_fields, kept_paths
        )
        return changed | ({"variants": variants} if variants != {} else {})

    def _names_at(self, paths: Collection[str], context: Context) -> set[str]:
        """Return the names in a body of the fields at stored paths."""
        if not paths:
            return set()
        own = f"variants.{context.language}."
        shared = (path for path in paths if "." not in path)
        names = {name for path in shared for name in field_names(self.kind, path)}
        return names | {path.removeprefix(own) for path in paths if path.startswith(own)}

    @ma.post_load(pass_original=True)
    def group_texts_by_language(self, values: Record, body: Values, **_: Any) -> Record:
        """Move the texts into ``variants`` under the language of the request."""
        language = body.context.language
        texts = {name: values.pop(name) for name in self.kind.translatable if name in values}
        if not self.partial and self._drop_fallback_texts(body).get(self.kind.label) is None:
            texts.pop(self.kind.label, None)
        variants: Record = values.pop("variants", {})
        if texts:
            _require_equal_texts(texts, variants.get(language, {}), language)
            variants[language] = _join_texts(variants.get(language, {}), texts)
        return values | ({"variants": variants} if variants else {})

    def _drop_fallback_texts(self, body: Values) -> Mapping[str, Any]:
        """Drop texts that another language provided as fallback."""
        if body.keys().isdisjoint(_LANGUAGE_MARKERS) or self._confirms_language(body):
            return body
        try:
            round_trip = RoundTripBody(
                self.kind, body, body.context.record if self.partial else None
            )
        except InvalidParameters:
            return body  # The parser reports the language with the other errors.
        fallback_texts = {
            name
            for name in self.kind.translatable
            if round_trip.is_fallback(name, self.derived_fields.get(name))
        }
        own = {name: value for name, value in body.items() if name not in fallback_texts}
        return own if own.get(NAME) in _EMPTY else round_trip.with_own_fields(own)

    def _confirms_language(self, body: Values) -> bool:
        """Return whether the request marks its own language as current."""
        status = body.get("translation_status")
        try:
            confirmed = read_confirmation(self.kind, status, body.context) if status else {}
            return confirmed.get(body.context.language, ()) is None
        except (InvalidParameters, ma.ValidationError):
            return False  # The parser reports it with the other errors.

    def _is_unchanged(self, name: str, value: Any, context: Context) -> bool:
        """Return whether a value equals the presented one.

        So is the page of the record in any language where the page stands for what is not there.
        """
        presented = context.presented
        if presented is None or name not in presented:
            return False
        if isinstance(self.fields.get(name), LinkedTerms):
            return _equals_terms(value, presented[name])
        if _equals(value, presented[name]):
            return True
        if not (
            isinstance(value, str)
            and presented[name] in (presented["url"], escape(presented["url"]))
        ):
            return False
        return decoded(value) in context.addresses.pages(self.kind.singular, context.record)

    def _label_from_variants(self, values: dict[str, Any]) -> dict[str, Any]:
        """Take a missing required label from the first variant that has one."""
        variants = values.get("variants")
        if self.kind.label in values or not isinstance(variants, dict):
            return values
        labels = [v[self.kind.label] for v in variants.values() if _has_label(v, self.kind.label)]
        return values | {self.kind.label: labels[0]} if labels else values


def _require_equal_texts(
    texts: Mapping[str, Any], variant: Mapping[str, Any], language: str
) -> None:
    """Reject a text that contradicts ``variants`` for the same language."""
    for name in texts.keys() & variant.keys():
        if _contradict(texts[name], variant[name]):
            reason = Message(
                "{name} differs from the one of {language} in variants.",
                name=name,
                language=language,
            )
            raise ma.ValidationError({name: [reason]})


def _join_texts(variant: Record, texts: Record) -> Record:
    """Join the texts of one language from ``variants`` and from the body."""
    joined = variant | texts
    if NAME in variant and NAME in texts:
        joined[NAME] = join_fields(variant[NAME], texts[NAME])
    return joined


def _contradict(text: Any, variant_text: Any) -> bool:
    if isinstance(text, dict) or isinstance(variant_text, dict):
        return contradict(text, variant_text)
    return decoded(text or "") != decoded(variant_text or "")


def _has_label(variant: Any, label: str) -> bool:
    return isinstance(variant, dict) and bool(variant.get(label))


def _equals(value: Any, presented: Any) -> bool:
    """Compare two values strictly: ``1`` is not ``true``."""
    value, presented = _link_id(value), _link_id(presented)
    return type(value) is type(presented) and bool(value == presented)


def _equals_terms(value: Any, terms: list[Record]) -> bool:
    """Compare linked terms as sets, since each language sorts them differently."""
    term_ids = _link_id(value)
    if not isinstance(term_ids, list) or not all(type(each) is int for each in term_ids):
        return False
    return set(term_ids) == {term["id"] for term in terms}


def _link_id(value: Any) -> Any:
    """Replace linked records by their ids.

    Lists present fewer fields of a linked record than its own route, and a client that sends back
    the visible links keeps the hidden ones.
    """
    if isinstance(value, list):
        return [_link_id(member) for member in value]
    return value.get("id") or value if isinstance(value, dict) else value


_DATES = ("date", "date_utc")


def _publication_date(value: Any, context: Context, *, utc: bool) -> datetime | None:
    if value == NEVER:
        return None
    return with_wall_everywhere(moment(value, context).instant(UTC if utc else context.zone))


class Author(NamesRecords):
    """The id of the user who signs."""

    schema: Mapping[str, Any] = {"type": ["integer", "string"]}

    def read(self, value: Any, _context: Context) -> float:
        number = finite_number(value)
        if number is None:
            refuse(Message("author must be the id of a user."))
        return number

    def resolve(self, value: float, context: Context) -> int:
        author = whole_number(int(value)) or 0
        # To those who sign for themselves alone the editor refuses everybody else alike.
        is_open = author < 1 or may_sign_as(context.caller, author)
        if is_open and not context.services.accounts.exists(author):
            refuse(Message("There is no user {id}.", id=author))
        # The reference validates the whole part of a fraction first, and its type later.
        if value != author:
            refuse_type("author", "integer")
        return author


class PostSchema(ChangeSchema):
    """Fields that events, venues and organizers share."""

    author = Author(description="The id of the user who signs as author.")
    date = Converted(
        partial(_publication_date, utc=False),
        DATE_TIME,
        description="The publication date, in the zone of the site.",
    )
    date_utc = Converted(
        partial(_publication_date, utc=True),
        DATE_TIME,
        description="The publication date in UTC.",
    )
    status = OneOf(REGISTERED, description="The state of the record.")

    def drop_unchanged(self, body: Values) -> dict[str, Any]:
        """Keep the presented date of a draft that changes its state.

        It may be the one of its making, but beside the state it is sent on purpose, unless both
        dates are: then all of the draft may have been sent back.
        """
        context, record = body.context, body.context.record
        dates = {name: body[name] for name in _DATES if name in body}
        if body.get("date") is not None:
            body = Values({n: value for n, value in body.items() if n != "date_utc"}, context)
        changed = super().drop_unchanged(body)
        if record is None or record.get("dated") or "status" not in changed:
            return changed
        if dates.keys() & changed:
            return changed
        return changed | dates if len(dates) == 1 else changed

    @ma.post_load
    def merge_publication_dates(self, values: Record, **_: Any) -> Record:
        """Merge ``date`` and ``date_utc`` into one publication date.

        A draft shows the latter only where it was sent, as in The Events Calendar.
        """
        dates = [values.pop(name, None) for name in _DATES]
        published = next((date for date in dates if date is not None), None)
        if published is None:
            return values
        return values | {"published": published, "date_utc_sent": dates[1] is not None}


class LockedChangeSchema(PostSchema):
    """Base schema of a write to a record that may have a password."""

    @ma.validates_schema(skip_on_field_errors=False, pass_original=True)
    def validate_unlocking_password(self, _values: Record, sent: Values, **_: Any) -> None:
        """Reject an empty password in the query of an update, as reads do."""
        query = read_query(sent.context.request).merged if self.partial else {}
        if "password" in query and not (query["password"] and isinstance(query["password"], str)):
            needed = Message("{name} must be a text that is not empty.", name="password")
            raise ma.ValidationError([needed], "password")
