"""Which term somebody means who writes a name or a slug.

Slugs leave out most signs, so that "C#" and "C++" have nearly the same one. So what is written as a
slug is one first of all, and anything else is a name before it is made a slug.
"""

from collections.abc import Iterable, Sequence
from operator import itemgetter
from urllib.parse import unquote

from calendar_app.calendar.slugs import slug_key
from calendar_app.content.composing import name_key
from calendar_app.content.sanitizing import clean_name
from calendar_app.domain.kind import Record
from calendar_app.domain.slugs import slugify


class Spelling:
    """The keys of documents that a text may name, as a slug or a name.

    Who writes terms names one that is to be there, or to be made: so a text that is not written as
    a slug is none. Who seeks by them means whatever comes near (``loosely``).
    """

    def __init__(self, text: str, languages: Sequence[str], *, loosely: bool) -> None:
        slug = slugify(text)
        slug_forms = (slug, unquote(slug))
        self.is_slug = text.strip() in slug_forms
        may_be_one = loosely or text.strip().lower() in slug_forms
        self.slugs = [slug_key(tag, slug) for tag in languages] if may_be_one else []
        self.names = [name_key(tag, clean_name(text)) for tag in languages]


class NamedTerms:
    """Terms, found by their names and slugs."""

    def __init__(self, terms: Iterable[Record]) -> None:
        self._named: dict[str, list[int]] = {}
        self._slugs: dict[str, int] = {}
        for term in sorted(terms, key=itemgetter("_id")):
            for name in term.get("names", ()):
                self._named.setdefault(name, []).append(term["_id"])
            self._slugs |= dict.fromkeys(term.get("slugs", ()), term["_id"])

    def by_slug(self, spelling: Spelling) -> list[int]:
        """Return the ids of the terms of that slug, by the order of the languages."""
        return [self._slugs[key] for key in spelling.slugs if key in self._slugs]

    def find(self, spelling: Spelling) -> int | None:
        """Return the id of the best match by slug or name.

        Of several with the name it is the one that has the slug, too; else that of the first
        language, and the one that was made first.
        """
        names = [term for key in spelling.names for term in self._named.get(key, ())]
        slugs = self.by_slug(spelling)
        both = [term for term in names if term in slugs]
        by_slug_first = [*slugs, *names] if spelling.is_slug else [*both, *names, *slugs]
        return next(iter(by_slug_first), None)
