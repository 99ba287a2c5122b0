"""Categories and tags as pages: where each stands, and under which address."""

from collections.abc import Sequence
from dataclasses import dataclass

from calendar_app.domain.kind import Kind, Record
from calendar_app.domain.slugs import slugify
from calendar_app.http.request import current
from calendar_app.kinds import CATEGORY, TAG
from calendar_app.query.clauses import EVERYTHING
from calendar_app.readmodel.records import LocalText, local_text

TAXONOMIES = {CATEGORY.singular: CATEGORY, TAG.singular: TAG}


@dataclass(frozen=True, slots=True)
class Term:
    """A category or tag with its ancestors, outermost first."""

    kind: Kind
    record: Record
    above: tuple[Record, ...] = ()

    @property
    def id(self) -> int:
        return int(self.record["_id"])

    def path(self, chain: Sequence[str]) -> str:
        """Return its path below ``/events/``: ``category/music/jazz``."""
        records = (*self.above, self.record)
        # A chain without fallback may show no slug, but an address needs one.
        slugs = [local_text(term, "slug", (*chain, *term["variants"])).text for term in records]
        return "/".join((self.kind.singular, *slugs))

    def name(self, chain: Sequence[str]) -> LocalText:
        return local_text(self.record, "name", chain)

    def names_above(self, chain: Sequence[str]) -> list[tuple[LocalText, str]]:
        """Return the name and the path of each term above this one."""
        return [
            (
                local_text(record, "name", chain),
                Term(self.kind, record, self.above[:number]).path(chain),
            )
            for number, record in enumerate(self.above)
        ]

    def description(self, chain: Sequence[str]) -> LocalText:
        return local_text(self.record, "description", chain)


def find_term(taxonomy: str, slug: str) -> Term | None:
    """Return the term that has a slug, or had it once."""
    kind, reader, chain = TAXONOMIES[taxonomy], current.reader(), current.chain()
    record = reader.find_by_slug(kind, slugify(slug), chain, EVERYTHING)
    if record is None:
        present = reader.moved_to(kind, slugify(slug), chain, current.caller())
        record = reader.find_by_slug(kind, present, chain, EVERYTHING) if present else None
    return term_of(kind, record) if record else None


def term_of(kind: Kind, record: Record) -> Term:
    """Return a term with those above it, read in one query."""
    ids = record.get("ancestors", ())
    records = current.reader().records_of({kind.name: ids}) if ids else {}
    above = (records.get((kind.name, each)) for each in ids)
    return Term(kind, record, tuple(each for each in above if each))
