"""What a client sends to be written, made into changes in the words of the documents.

POST, PUT and PATCH on a record are one operation: what is not sent stays as it is. What a
reader was shown can be sent back, and changes nothing.
See ``docs/reference/interface.md``, section "Writing".
"""

from collections.abc import Mapping
from datetime import UTC, datetime
from types import MappingProxyType
from typing import Any, ClassVar

import marshmallow as ma

from calendar_app.domain.custom_fields import NAME, contradict, join_fields
from calendar_app.domain.kind import Kind, Record
from calendar_app.domain.moments import Moment, parse_moment
from calendar_app.domain.richtext import decoded, escape
from calendar_app.domain.statuses import REGISTERED
from calendar_app.domain.translations import CURRENT
from calendar_app.domain.zones import with_wall_everywhere
from calendar_app.errors import InvalidParameters, Message
from calendar_app.http.errors.problems import refuse_type
from calendar_app.http.fields.linking import LinkedTerms
from calendar_app.http.fields.round_trip import Following, SentBack, beside_the_stored
from calendar_app.http.fields.scalars import Made, OneOf, finite_number, whole_number
from calendar_app.http.fields.variants import Variants
from calendar_app.http.presentation.presenting import NEVER
from calendar_app.http.request import current
from calendar_app.http.request.negotiation import named_language
from calendar_app.http.request.parameters import read_query

# Many notations are read, so no format is named.
_CURRENT_BY_LANGUAGE: Mapping[str, Any] = {
    "type": "object",
    "additionalProperties": {"type": "string", "enum": [CURRENT]},
}
DATE_TIME: Mapping[str, Any] = {"type": "string"}
_EMPTY: tuple[Any, ...] = (None, "", [], {})
_DATES = ("date", "date_utc")
# Whoever sends one of these may have read more than the language that is written.
_READ_WITH = ("variants", "fallback_fields")


def moment(value: Any) -> Moment:
    """Read a date and time in any notation; words are read in the zone of the site."""
    return parse_moment(value, current.site_now())


def _published(value: Any, *, utc: bool) -> datetime | None:
    if value == NEVER:
        return None
    return with_wall_everywhere(moment(value).instant(UTC if utc else current.site_zone()))


def _existing_author(value: Any) -> int:
    number = finite_number(value)
    author = None if number is None else whole_number(int(number))
    if author is None:
        raise ValueError(Message("author must be the id of a user."))
    if author < 1 or not current.services().accounts.exists(author):
        raise ValueError(Message("There is no user {id}.", id=author))
    # Of a fraction the reference's validator sees the whole part, and its type is judged later.
    if number != author:
        refuse_type("author", "integer")
    return author


def _language(value: Any) -> str:
    """Return a language that the one of the request can be made from."""
    if value not in current.settings().languages or value == current.language():
        raise ValueError("translated_from must be another language of the site.")
    return str(value)


def _confirmed_languages(value: Any) -> list[str]:
    """Return the languages that a client says are right."""
    if value == CURRENT:
        return [current.language()]
    reason = Message("{name} must be {word}.", name="translation_status", word=CURRENT)
    if not isinstance(value, dict) or any(state != CURRENT for state in value.values()):
        raise ValueError(reason)
    languages = {code: named_language(code, current.settings().languages) for code in value}
    for code, language in languages.items():
        if language is None:
            raise ValueError(
                Message(
                    "{name}: {language} is no language of the site.",
                    name="translation_status",
                    language=code,
                )
            )
    return [language for language in languages.values() if language]


class ChangeSchema(ma.Schema):
    """Base of what is sent about a record of one ``kind``.

    With ``partial`` it is an update: ``null`` and ``""`` clear. Without, both count as not sent.
    """

    kind: ClassVar[Kind]
    # Whether a slug that is sent to a by-slug route is the new one.
    renamed_by_slug: ClassVar[bool] = False
    # Fields that show what follows from others where nobody wrote them.
    following: ClassVar[Mapping[str, Following]] = MappingProxyType({})

    class Meta:
        unknown = ma.EXCLUDE

    variants = Variants(
        metadata={"description": "Texts of several languages at once, by language code."}
    )

    translated_from = Made(
        _language,
        {"type": "string"},
        metadata={"description": "The language that this one was translated from."},
    )
    translation_status = Made(
        _confirmed_languages,
        {"oneOf": [{"type": "string", "enum": [CURRENT]}, _CURRENT_BY_LANGUAGE]},
        attribute="confirmed",
        metadata={"description": "current: this language, or each that is named, is right."},
    )

    @ma.pre_load
    def prepare(self, sent: Mapping[str, Any], **_: Any) -> dict[str, Any]:
        """Leave out what counts as not sent."""
        sent = self.spoken_of(self._of_this_language(sent))
        if self.partial:
            return self.beside_the_shown(sent)
        required = {name for name, field in self.fields.items() if field.required}
        given = {
            name: value
            for name, value in sent.items()
            if value is not None and (value != "" or name in required)
        }
        return self._borrow_label(given)

    def spoken_of(self, sent: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return what this route takes; on by-slug routes the slug names the record to change."""
        if self.partial and "slug" in current.path() and not self.renamed_by_slug:
            return {name: value for name, value in sent.items() if name != "slug"}
        return sent

    def beside_the_shown(self, sent: Mapping[str, Any]) -> dict[str, Any]:
        """Leave out what equals the value that is shown or stored: it counts as not sent."""
        record, shown = current.addressed()
        lent = shown["fallback_fields"] if shown and self._confirms(sent) else ()
        left = {
            name: value
            for name, value in sent.items()
            if name in lent or not self._is_shown(name, value)
        }
        if shown is None or "variants" not in left:
            return left
        variants = beside_the_stored(self.kind, left.pop("variants"), record, self.following)
        return left | ({"variants": variants} if variants != {} else {})

    @ma.post_load(pass_original=True)
    def translate(self, values: Record, sent: Mapping[str, Any], **_: Any) -> Record:
        """Put the texts under the language of the request."""
        language = current.language()
        texts = {name: values.pop(name) for name in self.kind.translatable if name in values}
        if not self.partial and self._of_this_language(sent).get(self.kind.label) is None:
            texts.pop(self.kind.label, None)
        variants: Record = values.pop("variants", {})
        if texts:
            _require_same(texts, variants.get(language, {}), language)
            variants[language] = _joined(variants.get(language, {}), texts)
        return values | ({"variants": variants} if variants else {})

    def _of_this_language(self, sent: Mapping[str, Any]) -> Mapping[str, Any]:
        """Leave out the texts that were read because another language has them."""
        if sent.keys().isdisjoint(_READ_WITH) or self._confirms(sent):
            return sent
        try:
            language = current.language()
        except InvalidParameters:
            return sent  # It is refused together with whatever else is wrong.
        record = current.addressed()[0] if self.partial else None
        told = SentBack(self.kind, sent, record, language)
        elsewhere = {
            name
            for name in self.kind.translatable
            if told.is_elsewhere(name, self.following.get(name))
        }
        own = {name: value for name, value in sent.items() if name not in elsewhere}
        return own if own.get(NAME) in _EMPTY else told.with_own_fields(own)

    def _confirms(self, sent: Mapping[str, Any]) -> bool:
        """Say whether the texts of this language are sent as right: then each is its own."""
        status = sent.get("translation_status")
        try:
            return current.language() in _confirmed_languages(status) if status else False
        except (InvalidParameters, ValueError):
            return False  # It is refused together with whatever else is wrong.

    def _is_shown(self, name: str, value: Any) -> bool:
        """Say whether a value is the one that is shown.

        So is the page of the record in any language where the page stands for what is not there.
        """
        record, shown = current.addressed()
        if shown is None or name not in shown:
            return False
        if isinstance(self.fields.get(name), LinkedTerms):
            return _same_terms(value, shown[name])
        if _same(value, shown[name]):
            return True
        if not (isinstance(value, str) and shown[name] in (shown["url"], escape(shown["url"]))):
            return False
        return decoded(value) in current.addresses().pages(self.kind.singular, record)

    def _borrow_label(self, given: dict[str, Any]) -> dict[str, Any]:
        """Let a name in one of the variants do where a name is required."""
        variants = given.get("variants")
        if self.kind.label in given or not isinstance(variants, dict):
            return given
        labels = [v[self.kind.label] for v in variants.values() if _has(v, self.kind.label)]
        return given | {self.kind.label: labels[0]} if labels else given


class PostSchema(ChangeSchema):
    """What events, venues and organizers have in common."""

    author = Made(
        _existing_author,
        {"type": ["integer", "string"]},
        metadata={"description": "The id of the user who signs as author."},
    )
    date = Made(
        lambda value: _published(value, utc=False),
        DATE_TIME,
        metadata={"description": "The publication date, in the zone of the site."},
    )
    date_utc = Made(
        lambda value: _published(value, utc=True),
        DATE_TIME,
        metadata={"description": "The publication date in UTC."},
    )
    status = OneOf(REGISTERED, metadata={"description": "The state of the record."})

    def beside_the_shown(self, sent: Mapping[str, Any]) -> dict[str, Any]:
        """Let the date that is shown count where a draft gets another state.

        It may be the one of its making, but beside the state it is sent on purpose, unless both
        dates are: then all of the draft may have been sent back.
        """
        dates = {name: sent[name] for name in _DATES if name in sent}
        if sent.get("date") is not None:
            sent = {name: value for name, value in sent.items() if name != "date_utc"}
        left = super().beside_the_shown(sent)
        record, _ = current.addressed()
        if record is None or record.get("dated") or "status" not in left or dates.keys() & left:
            return left
        return left | dates if len(dates) == 1 else left

    @ma.post_load
    def date_publication(self, values: Record, **_: Any) -> Record:
        """Take the one publication date from the two fields that may give it."""
        given = [values.pop(name, None) for name in _DATES]
        published = next((date for date in given if date is not None), None)
        return values | ({"published": published} if published else {})


class LockedChangeSchema(PostSchema):
    """What is sent about a record that may have a password."""

    @ma.validates_schema(skip_on_field_errors=False)
    def judge_unlocking(self, *_: Any, **__: Any) -> None:
        """Refuse a password in the address of an update where a read would refuse it."""
        asked = read_query(current.request()).merged if self.partial else {}
        if "password" in asked and not (asked["password"] and isinstance(asked["password"], str)):
            needed = Message("{name} must be a text that is not empty.", name="password")
            raise ma.ValidationError([needed], "password")


def _require_same(texts: Mapping[str, Any], variant: Mapping[str, Any], language: str) -> None:
    """Refuse a text that differs from the one in ``variants`` for the same language."""
    for name in texts.keys() & variant.keys():
        if _contradict(texts[name], variant[name]):
            reason = Message(
                "{name} differs from the one of {language} in variants.",
                name=name,
                language=language,
            )
            raise ma.ValidationError({name: [reason]})


def _joined(variant: Record, texts: Record) -> Record:
    """Return the texts of a language, sent in ``variants`` and beside it."""
    joined = variant | texts
    if NAME in variant and NAME in texts:
        joined[NAME] = join_fields(variant[NAME], texts[NAME])
    return joined


def _contradict(text: Any, other: Any) -> bool:
    if isinstance(text, dict) or isinstance(other, dict):
        return contradict(text, other)
    return decoded(text or "") != decoded(other or "")


def _has(variant: Any, label: str) -> bool:
    return isinstance(variant, dict) and bool(variant.get(label))


def _same(sent: Any, shown: Any) -> bool:
    """Say whether a value is the one that is shown; ``1`` and ``true`` are not the same."""
    sent, shown = _told(sent), _told(shown)
    return type(sent) is type(shown) and bool(sent == shown)


def _same_terms(sent: Any, shown: list[Record]) -> bool:
    """Say whether these are the terms that are shown; each language shows them in its own order."""
    told = _told(sent)
    if not isinstance(told, list) or not all(type(each) is int for each in told):
        return False
    return set(told) == {term["id"] for term in shown}


def _told(value: Any) -> Any:
    """Let a linked record stand for its id: lists tell less of it than its event's own address.

    So who sends back the links that they see keeps those that they may not see.
    """
    if isinstance(value, list):
        return [_told(member) for member in value]
    return value.get("id") or value if isinstance(value, dict) else value
