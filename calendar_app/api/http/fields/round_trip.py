"""Detect the fallback texts that a client sends back with a record that it has read.

A presented record names its language and, in ``fallback_fields``, the texts of other languages;
with ``all`` it has the texts of every language in ``variants``.
See ``docs/reference/languages.md``.
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, NamedTuple

from calendar_app.api.http.fields.schema import Values
from calendar_app.api.http.request.current import Context
from calendar_app.api.http.request.negotiation import fallback_chain, named_language
from calendar_app.domain.custom_fields import NAME, changed_fields, with_fields, without_borrowed
from calendar_app.domain.kind import Kind, Markup, Record
from calendar_app.domain.languages import Chain, localize
from calendar_app.domain.richtext import decoded, escape
from calendar_app.domain.slugs import shown_variants

RenderedTexts = Mapping[str, Any]


class DerivedField(NamedTuple):
    """A field that is computed from the texts of ``sources`` where it has no text of its own."""

    sources: frozenset[str]
    compute: Callable[[Mapping[str, str]], str]


class RoundTripBody:
    """The texts of one body, compared with the stored record, if there is one."""

    def __init__(self, kind: Kind, body: Values, record: Record | None) -> None:
        self._kind = kind
        self._body = body
        self._record = record
        self._context, self._settings = body.context, body.context.settings
        self._stored: Mapping[str, RenderedTexts] = shown_variants(record) if record else {}
        self._variants = _by_language(body.get("variants"), self._settings.languages)
        self._language = body.context.language
        fields: Any = body.get("fallback_fields")
        self._read_in = str(body.get("language"))
        self._was_read = isinstance(fields, list) and self._read_in in self._settings.languages
        names = fields if self._was_read else []
        self._fallback_fields = {name for name in names if isinstance(name, str)}

    def is_fallback(self, name: str, derived: DerivedField | None = None) -> bool:
        """Return whether a field holds a text that was presented for want of its own.

        A body that names its language is compared with the texts of the site's fallback chain, and
        of the one that the write names; any other text was typed.
        """
        text = self._body.get(name)
        if not isinstance(text, str):
            return False
        if self._is_empty(name, text):
            return self._was_read and not self._was_emptied(name)
        if not self._was_read:
            other_languages = [tag for tag in self._settings.languages if tag != self._language]
            is_elsewhere = any(self._is_shown_by([tag], name, text) for tag in other_languages)
            return is_elsewhere and name in self._variants.get(self._language, {})
        if derived and self._may_be_derived(name, derived) and text in self._derived_texts(derived):
            return True
        if name in self._fallback_fields:
            return any(self._is_shown_by(chain, name, text) for chain in self._chains)
        return self._presents_another and self._is_shown_by([self._read_in], name, text)

    def with_own_fields(self, texts: RenderedTexts) -> RenderedTexts:
        """Drop custom fields that only another language in ``variants`` has."""
        own = self._variants.get(self._language, {}).get(NAME)
        foreign = [
            variant[NAME]
            for tag, variant in self._variants.items()
            if tag != self._language and NAME in variant
        ]
        return with_fields(texts, without_borrowed(texts[NAME], own, foreign))

    @property
    def _presents_another(self) -> bool:
        """Whether all languages were read, and another than the written one was presented."""
        return bool(self._variants) and self._read_in != self._language

    def _may_be_derived(self, name: str, derived: DerivedField) -> bool:
        if self._presents_another or name in self._fallback_fields:
            return True
        is_stored = self._stored_where_read(name)
        return not is_stored and not self._fallback_fields.isdisjoint(derived.sources)

    def _stored_where_read(self, name: str) -> Any:
        return self._stored.get(self._read_in, {}).get(name)

    @cached_property
    def _chains(self) -> tuple[Chain, Chain]:
        """The fallback languages of the site, and those of the parameter ``fallback``."""
        fallback = self._context.parameters.get("fallback")
        requested = fallback_chain(self._read_in, fallback, self._settings)
        return self._settings.chain(self._read_in)[1:], requested[1:]

    def _is_shown_by(self, chain: Chain, name: str, text: str) -> bool:
        """Return whether a reader with this chain is shown this text."""
        localized_texts = (localize(source, [name], chain).get(name) for source in self._sources)
        return any(
            isinstance(each, str) and text in (each, escape(each)) for each in localized_texts
        )

    @property
    def _sources(self) -> tuple[Mapping[str, RenderedTexts], ...]:
        return self._variants, self._stored

    def _derived_texts(self, derived: DerivedField) -> Iterator[str]:
        """Yield the derived text for the sources in the body, and for the stored ones."""
        texts = {name: self._body.get(name, "") for name in derived.sources}
        if all(isinstance(text, str) for text in texts.values()):
            yield derived.compute(texts)
        for chain in self._chains:
            stored = localize(self._stored, derived.sources, (self._read_in, *chain))
            yield derived.compute(stored)

    def _is_empty(self, name: str, text: str) -> bool:
        """Return whether the field was presented without a text; a URL field shows the page."""
        if self._kind.texts.get(name) is not Markup.URL:
            return not text
        addresses = self._context.addresses
        pages = addresses.pages(self._kind.singular, self._record) if self._record else ()
        return decoded(text) in pages

    def _was_emptied(self, name: str) -> bool:
        """Return whether the field was presented with a text.

        A new record without variants gives no evidence, so that its empty texts count as typed.
        """
        unknown = self._record is None and not self._variants
        return unknown or name in self._fallback_fields or bool(self._stored_where_read(name))


def drop_stored_variants(
    kind: Kind,
    variants: Any,
    context: Context,
    derived_fields: Mapping[str, DerivedField],
    kept_paths: Collection[str],
) -> Any:
    """Drop the texts of ``variants`` that equal the stored ones, and then empty languages.

    A derived text stays if one of its sources changes; those at ``kept_paths`` stay too.
    """
    if not isinstance(variants, dict):
        return variants
    changes = {}
    stored_variants = shown_variants(context.record)
    for code, sent in variants.items():
        language = named_language(code, context.settings.languages)
        if language is None or not isinstance(sent, dict):
            changes[code] = sent
            continue
        stored = stored_variants.get(language, {})
        texts = _with_changed_fields(sent, stored)
        names = {n for n in kind.translatable if n in texts and texts[n] != stored.get(n, ())}
        names |= {n for n in texts if f"variants.{language}.{n}" in kept_paths}
        names |= {n for n, field in derived_fields.items() if not names.isdisjoint(field.sources)}
        if names:
            changes[code] = {name: text for name, text in texts.items() if name in names}
    return changes


def _with_changed_fields(texts: RenderedTexts, stored: RenderedTexts) -> RenderedTexts:
    """Drop the custom fields that equal the stored ones."""
    if not texts.get(NAME):
        return texts
    return with_fields(texts, changed_fields(texts[NAME], stored.get(NAME)))


def _by_language(variants: Any, languages: Sequence[str]) -> dict[str, RenderedTexts]:
    items = variants.items() if isinstance(variants, dict) else ()
    by_language = ((named_language(code, languages), texts) for code, texts in items)
    return {tag: texts for tag, texts in by_language if tag and isinstance(texts, dict)}
