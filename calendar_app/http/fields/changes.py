"""Schemas that turn a request body into changes of a record.

POST, PUT and PATCH on a record are one operation: what is not sent stays as it is. What a
reader was shown can be sent back, and changes nothing.
See ``docs/reference/interface.md``, section "Writing".
"""

from collections.abc import Collection, Mapping
from datetime import UTC, datetime
from types import MappingProxyType
from typing import Any, ClassVar

import marshmallow as ma

from calendar_app.accounts.policy import may_sign_as
from calendar_app.domain.custom_fields import NAME, contradict, join_fields
from calendar_app.domain.kind import Kind, Record
from calendar_app.domain.moments import Moment, parse_moment
from calendar_app.domain.richtext import decoded, escape
from calendar_app.domain.statuses import REGISTERED
from calendar_app.domain.zones import with_wall_everywhere
from calendar_app.errors import InvalidParameters, Message
from calendar_app.http.errors.problems import refuse_type
from calendar_app.http.fields.linking import LinkedTerms
from calendar_app.http.fields.round_trip import DerivedField, RoundTripBody, drop_stored_variants
from calendar_app.http.fields.scalars import Converted, OneOf, finite_number, whole_number
from calendar_app.http.fields.texts import Confirmation, Variants, read_confirmation
from calendar_app.http.request import current
from calendar_app.http.request.parameters import read_query
from calendar_app.presentation.records import NEVER, field_names

# Without a format, since many notations are accepted.
DATE_TIME: Mapping[str, Any] = {"type": "string"}
_EMPTY: tuple[Any, ...] = (None, "", [], {})
# A body with one of these fields may hold texts of other languages.
_LANGUAGE_MARKERS = ("variants", "fallback_fields")


def moment(value: Any) -> Moment:
    """Read a date and time in any notation; words are read in the zone of the site.

    A day that no month has is refused: nobody sees coming that 30 February is 2 March.
    """
    return parse_moment(value, current.site_now(), rolls_over=False)


def _language(value: Any) -> str:
    """Return the source language of a translation."""
    if value not in current.settings().languages or value == current.language():
        raise ValueError("translated_from must be another language of the site.")
    return str(value)


class ChangeSchema(ma.Schema):
    """Base schema of a write to a record of one ``kind``.

    With ``partial`` it is an update: ``null`` and ``""`` clear. Without, both count as not sent.
    """

    kind: ClassVar[Kind]
    # Whether a slug sent to a by-slug route renames the record.
    slug_renames: ClassVar[bool] = False
    # Fields that are computed from others where they have no text.
    derived_fields: ClassVar[Mapping[str, DerivedField]] = MappingProxyType({})

    class Meta:
        unknown = ma.EXCLUDE

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

    @ma.pre_load
    def drop_ignored_fields(self, body: Mapping[str, Any], **_: Any) -> dict[str, Any]:
        """Drop the fields that count as not sent."""
        body = self.drop_ignored(self._drop_fallback_texts(body))
        if self.partial:
            return self.drop_unchanged(body)
        required = {name for name, field in self.fields.items() if field.required}
        values = {
            name: value
            for name, value in body.items()
            if value is not None and (value != "" or name in required)
        }
        return self._label_from_variants(values)

    def drop_ignored(self, body: Mapping[str, Any]) -> Mapping[str, Any]:
        """Drop fields that this route ignores; on by-slug routes the slug selects the record."""
        if self.partial and "slug" in current.path_arguments() and not self.slug_renames:
            return {name: value for name, value in body.items() if name != "slug"}
        return body

    def overridden_paths(self, body: Mapping[str, Any]) -> Collection[str]:
        """Return the paths of stored values that a write means for other records as well."""
        del body
        return ()

    def drop_unchanged(self, body: Mapping[str, Any]) -> dict[str, Any]:
        """Drop values equal to the presented or stored ones."""
        record, presented = current.target_record()
        kept_paths = self.overridden_paths(body)
        kept_names = self._names_at(kept_paths)
        if presented and self._confirms_language(body):
            kept_names |= set(presented["fallback_fields"])
        changed = {
            name: value
            for name, value in body.items()
            if name in kept_names or not self._is_unchanged(name, value)
        }
        if presented is None or "variants" not in changed:
            return changed
        variants = drop_stored_variants(
            self.kind, changed.pop("variants"), record, self.derived_fields, kept_paths
        )
        return changed | ({"variants": variants} if variants != {} else {})

    def _names_at(self, paths: Collection[str]) -> set[str]:
        """Return the names in a body of the fields at stored paths."""
        if not paths:
            return set()
        own = f"variants.{current.language()}."
        shared = (path for path in paths if "." not in path)
        names = {name for path in shared for name in field_names(self.kind, path)}
        return names | {path.removeprefix(own) for path in paths if path.startswith(own)}

    @ma.post_load(pass_original=True)
    def group_texts_by_language(self, values: Record, body: Mapping[str, Any], **_: Any) -> Record:
        """Move the texts into ``variants`` under the language of the request."""
        language = current.language()
        texts = {name: values.pop(name) for name in self.kind.translatable if name in values}
        if not self.partial and self._drop_fallback_texts(body).get(self.kind.label) is None:
            texts.pop(self.kind.label, None)
        variants: Record = values.pop("variants", {})
        if texts:
            _require_equal_texts(texts, variants.get(language, {}), language)
            variants[language] = _join_texts(variants.get(language, {}), texts)
        return values | ({"variants": variants} if variants else {})

    def _drop_fallback_texts(self, body: Mapping[str, Any]) -> Mapping[str, Any]:
        """Drop texts that another language provided as fallback."""
        if body.keys().isdisjoint(_LANGUAGE_MARKERS) or self._confirms_language(body):
            return body
        try:
            language = current.language()
        except InvalidParameters:
            return body  # The parser reports it with the other errors.
        record = current.target_record()[0] if self.partial else None
        round_trip = RoundTripBody(self.kind, body, record, language)
        fallback_texts = {
            name
            for name in self.kind.translatable
            if round_trip.is_fallback(name, self.derived_fields.get(name))
        }
        own = {name: value for name, value in body.items() if name not in fallback_texts}
        return own if own.get(NAME) in _EMPTY else round_trip.with_own_fields(own)

    def _confirms_language(self, body: Mapping[str, Any]) -> bool:
        """Return whether the request marks its own language as current."""
        status = body.get("translation_status")
        try:
            confirmed = read_confirmation(self.kind, status) if status else {}
            return confirmed.get(current.language(), ()) is None
        except (InvalidParameters, ma.ValidationError):
            return False  # The parser reports it with the other errors.

    def _is_unchanged(self, name: str, value: Any) -> bool:
        """Return whether a value equals the presented one.

        So is the page of the record in any language where the page stands for what is not there.
        """
        record, presented = current.target_record()
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
        return decoded(value) in current.addresses().pages(self.kind.singular, record)

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


def _publication_date(value: Any, *, utc: bool) -> datetime | None:
    if value == NEVER:
        return None
    return with_wall_everywhere(moment(value).instant(UTC if utc else current.site_zone()))


def _existing_author(value: Any) -> int:
    number = finite_number(value)
    author = None if number is None else whole_number(int(number))
    if author is None:
        raise ValueError(Message("author must be the id of a user."))
    # To those who sign for themselves alone the editor refuses everybody else alike.
    is_open = author < 1 or may_sign_as(current.caller(), author)
    if is_open and not current.services().accounts.exists(author):
        raise ValueError(Message("There is no user {id}.", id=author))
    # The reference validates the whole part of a fraction first, and its type later.
    if number != author:
        refuse_type("author", "integer")
    return author


class PostSchema(ChangeSchema):
    """Fields that events, venues and organizers share."""

    author = Converted(
        _existing_author,
        {"type": ["integer", "string"]},
        description="The id of the user who signs as author.",
    )
    date = Converted(
        lambda value: _publication_date(value, utc=False),
        DATE_TIME,
        description="The publication date, in the zone of the site.",
    )
    date_utc = Converted(
        lambda value: _publication_date(value, utc=True),
        DATE_TIME,
        description="The publication date in UTC.",
    )
    status = OneOf(REGISTERED, description="The state of the record.")

    def drop_unchanged(self, body: Mapping[str, Any]) -> dict[str, Any]:
        """Keep the presented date of a draft that changes its state.

        It may be the one of its making, but beside the state it is sent on purpose, unless both
        dates are: then all of the draft may have been sent back.
        """
        dates = {name: body[name] for name in _DATES if name in body}
        if body.get("date") is not None:
            body = {name: value for name, value in body.items() if name != "date_utc"}
        changed = super().drop_unchanged(body)
        record, _ = current.target_record()
        if record is None or record.get("dated") or "status" not in changed:
            return changed
        if dates.keys() & changed:
            return changed
        return changed | dates if len(dates) == 1 else changed

    @ma.post_load
    def merge_publication_dates(self, values: Record, **_: Any) -> Record:
        """Merge ``date`` and ``date_utc`` into one publication date."""
        dates = [values.pop(name, None) for name in _DATES]
        published = next((date for date in dates if date is not None), None)
        return values | ({"published": published} if published else {})


class LockedChangeSchema(PostSchema):
    """Base schema of a write to a record that may have a password."""

    @ma.validates_schema(skip_on_field_errors=False)
    def validate_unlocking_password(self, *_: Any, **__: Any) -> None:
        """Reject an empty password in the query of an update, as reads do."""
        query = read_query(current.request()).merged if self.partial else {}
        if "password" in query and not (query["password"] and isinstance(query["password"], str)):
            needed = Message("{name} must be a text that is not empty.", name="password")
            raise ma.ValidationError([needed], "password")
