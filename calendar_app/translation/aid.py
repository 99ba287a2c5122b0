"""What a part that helps with translations offers to the rest of the service."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

from calendar_app.domain.glossary import GlossaryTerms
from calendar_app.domain.kind import Kind, Record

# The terms that a text misses, by its language and field.
Misses = Mapping[tuple[str, str], GlossaryTerms]
# Scheduled work by the names under which the log knows it.
Jobs = Mapping[str, Callable[[], object]]


class TranslationAid:
    """Knows nothing, as on a site without such a part; a part has a class of its own."""

    @property
    def loops(self) -> Sequence[Jobs]:
        """Return the scheduled work; each mapping has a thread of its own."""
        return ()

    def missed(self, kind: Kind, record: Record, languages: Collection[str]) -> Misses:
        """Return the terms of the glossary that texts in these languages say otherwise."""
        del kind, record, languages
        return {}

    def report(self) -> Iterator[str]:
        """Yield lines for operators about services that this site uses."""
        yield from ()
