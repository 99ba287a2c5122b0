"""What of a record that was read and is sent back says nothing of the language that is written.

A record that was read names its language and, in ``fallback_fields``, the texts that another one
lent; with ``all`` it has the texts of every language beside those of the default one.
See ``docs/reference/interface.md``, section "Languages".
"""

from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from typing import Any, NamedTuple

from calendar_app.domain.custom_fields import NAME, changed_fields, with_fields, without_borrowed
from calendar_app.domain.kind import Kind, Markup, Record
from calendar_app.domain.languages import Chain, localize
from calendar_app.domain.richtext import decoded, escape
from calendar_app.http.fields.fallback_chain import LentText, read_along
from calendar_app.http.request import current
from calendar_app.http.request.negotiation import fallback_chain, named_language

Texts = Mapping[str, Any]


class Following(NamedTuple):
    """What a field shows where nobody wrote it: what ``make`` makes of the texts ``of`` others."""

    of: frozenset[str]
    make: Callable[[Mapping[str, str]], str]


class SentBack:
    """The texts of one body, held against the record ``before``, if there is one."""

    def __init__(self, kind: Kind, sent: Texts, before: Record | None, language: str) -> None:
        self._kind = kind
        self._sent = sent
        self._record = before
        self._stored: Mapping[str, Texts] = before["variants"] if before else {}
        self._variants = _by_language(sent.get("variants"))
        self._own = self._variants.get(language, {})
        self._language = language
        lent: Any = sent.get("fallback_fields")
        self._read_in = str(sent.get("language"))
        self._was_read = isinstance(lent, list) and self._read_in in current.settings().languages
        names = lent if self._was_read else []
        self._lent = {name for name in names if isinstance(name, str)}

    def is_elsewhere(self, name: str, follows: Following | None = None) -> bool:
        """Say whether the text of a field is only there because another language was shown.

        Of a body that tells how it was read that is the text that it can have shown. Any other text
        was typed, also where a third language has the same.
        """
        text = self._sent.get(name)
        if not isinstance(text, str):
            return False
        if self._is_nothing(name, text):
            return self._was_read and not self._was_emptied(name)
        if not self._was_read:
            others = set(current.settings().languages) - {self._language}
            return name in self._own and not others.isdisjoint(self._languages_of(name, text))
        if follows and self._may_follow(name, follows) and text in self._following(follows):
            return True
        if name in self._lent:
            return self._lent_text(name, text).is_lent_along(self._behind)
        return self._is_of_another and self._read_in in self._languages_of(name, text)

    def with_own_fields(self, texts: Texts) -> Texts:
        """Leave out custom fields that only another language in ``variants`` has."""
        others = [
            of[NAME] for tag, of in self._variants.items() if tag != self._language and NAME in of
        ]
        return with_fields(texts, without_borrowed(texts[NAME], self._own.get(NAME), others))

    @property
    def _is_of_another(self) -> bool:
        """Say whether all languages were read, and another than the written one was shown."""
        return bool(self._variants) and self._read_in != self._language

    def _may_follow(self, name: str, follows: Following) -> bool:
        if self._is_of_another or name in self._lent:
            return True
        return not self._stored_where_read(name) and not self._lent.isdisjoint(follows.of)

    def _stored_where_read(self, name: str) -> Any:
        return self._stored.get(self._read_in, {}).get(name)

    @cached_property
    def _behind(self) -> Chain:
        """The languages that were tried behind the one in which the body was read."""
        settings = current.settings()
        asked = fallback_chain(self._read_in, current.parameter("fallback"), settings)
        sent = ((name, self._sent.get(name)) for name in self._kind.translatable)
        told = (
            self._lent_text(name, text)
            for name, text in sent
            if name in self._lent and isinstance(text, str)
        )
        others = [tag for tag in settings.languages if tag != self._read_in]
        lent = [text for text in told if not text.same.isdisjoint(others)]
        return read_along(lent, (settings.chain(self._read_in)[1:], asked[1:]), others)

    def _lent_text(self, name: str, text: str) -> LentText:
        """Tell who has this text; the language of the body had none of its own."""
        same = self._languages_of(name, text) - {self._read_in}
        having = {tag for known in self._known for tag in known if known[tag].get(name)}
        return LentText(same, frozenset(having) - same - {self._read_in})

    def _languages_of(self, name: str, text: str) -> frozenset[str]:
        known = ((tag, texts.get(name)) for known in self._known for tag, texts in known.items())
        return frozenset(
            tag for tag, told in known if isinstance(told, str) and text in (told, escape(told))
        )

    @property
    def _known(self) -> tuple[Mapping[str, Texts], ...]:
        return self._variants, self._stored

    def _following(self, follows: Following) -> Iterator[str]:
        """Yield what the field shows beside the others as they are sent, and as they were read."""
        shown = {name: self._sent.get(name, "") for name in follows.of}
        if all(isinstance(text, str) for text in shown.values()):
            yield follows.make(shown)
        read = localize(self._stored, follows.of, (self._read_in, *self._behind))
        yield follows.make(dict(read.texts))

    def _is_nothing(self, name: str, text: str) -> bool:
        """Say whether this is what a field shows that has no text."""
        if self._kind.texts.get(name) is not Markup.URL:
            return not text
        pages = current.addresses().pages(self._kind.singular, self._record) if self._record else ()
        return decoded(text) in pages

    def _was_emptied(self, name: str) -> bool:
        """Say whether the field did show a text.

        Nobody knows that of a body without its variants that becomes a new record.
        """
        unknown = self._record is None and not self._variants
        return unknown or name in self._lent or bool(self._stored_where_read(name))


def beside_the_stored(
    kind: Kind, variants: Any, before: Record, following: Mapping[str, Following]
) -> Any:
    """Leave out of ``variants`` every text that is stored, and what nothing is left of.

    A text stays beside a change of those that it would follow if it were not sent.
    """
    if not isinstance(variants, dict):
        return variants
    left = {}
    for code, texts in variants.items():
        language = named_language(code, current.settings().languages)
        if language is None or not isinstance(texts, dict):
            left[code] = texts
            continue
        stored = before["variants"].get(language, {})
        sent = _with_changed_fields(texts, stored)
        changed = {n for n in kind.translatable if n in sent and sent[n] != stored.get(n, ())}
        changed |= {n for n, follows in following.items() if not changed.isdisjoint(follows.of)}
        if changed:
            left[code] = {name: text for name, text in sent.items() if name in changed}
    return left


def _with_changed_fields(texts: Texts, stored: Texts) -> Texts:
    """Leave out the custom fields that are stored."""
    if not texts.get(NAME):
        return texts
    return with_fields(texts, changed_fields(texts[NAME], stored.get(NAME)))


def _by_language(variants: Any) -> dict[str, Texts]:
    given = variants.items() if isinstance(variants, dict) else ()
    languages = current.settings().languages
    named = ((named_language(code, languages), texts) for code, texts in given)
    return {language: texts for language, texts in named if language and isinstance(texts, dict)}
