"""Help with translations: the machines that a site can use, and the part that offers them."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from calendar_app.domain.glossary import GlossaryTerms
from calendar_app.domain.kind import Kind, Record
from calendar_app.errors import Message

# The services that the setting ``translator`` can name without a plugin.
SERVICES = ("libretranslate", "deepl")
# Texts by field, the language that they are in, and the one that is asked for.
Function = Callable[[Mapping[str, str], str, str], Mapping[str, str]]
# The terms that a text misses, by its language and field.
Misses = Mapping[tuple[str, str], GlossaryTerms]
# Scheduled work by the names under which the log knows it.
Jobs = Mapping[str, Callable[[], object]]
_FAILED = Message("The machine translation failed.")
BUSY = Message("The machine translation is busy. Try again later.")
LATE = Message("The machine translation did not answer in time.")


@dataclass(frozen=True, slots=True)
class Text:
    """A text to be translated, as HTML or as plain words."""

    words: str
    is_html: bool = False


class NoProposal(Exception):
    """The machine gave no proposals, for this ``reason``.

    It may have some ``retry_after`` so many seconds; where it is final, it has none for any text
    now. ``is_billed`` where the service may have counted the texts all the same.
    """

    def __init__(
        self,
        reason: Message = _FAILED,
        *,
        retry_after: float | None = None,
        is_final: bool = False,
        is_billed: bool = False,
    ) -> None:
        super().__init__(reason)
        self.reason = reason
        self.retry_after = retry_after
        self.is_final = is_final
        self.is_billed = is_billed


class Engine(Protocol):
    """A machine that translates; ``name`` is the author of its texts, for readers."""

    name: str

    def translate(
        self, texts: Mapping[str, Text], source: str, target: str, timeout: float
    ) -> Mapping[str, str]:
        """Return translations by name, or fewer; raise ``NoProposal`` where there are none."""

    def learn(self, timeout: float) -> None:
        """Ask which languages there are; raise ``NoProposal`` where nobody answers."""

    def speaks(self, source: str, target: str) -> bool:
        """Say whether it translates so, as far as is known."""


class Hook:
    """A function of the installation."""

    def __init__(self, name: str, function: Function) -> None:
        self.name = name
        self._function = function

    def translate(
        self, texts: Mapping[str, Text], source: str, target: str, timeout: float
    ) -> Mapping[str, str]:
        del timeout
        words = {name: text.words for name, text in texts.items()}
        return self._function(words, source, target)

    def learn(self, timeout: float) -> None:
        """Do nothing: nobody can ask a function for its languages."""

    def speaks(self, source: str, target: str) -> bool:
        return source != target


class TranslationAid:
    """Knows nothing, as on a site without such a part; a part has a class of its own."""

    @property
    def loops(self) -> Sequence[Jobs]:
        """Return the scheduled work; each mapping has a thread of its own."""
        return ()

    def catch_up(self) -> None:
        """Rebuild what writes without this part have left behind."""

    def missed(self, kind: Kind, record: Record, languages: Collection[str]) -> Misses:
        """Return the terms of the glossary that texts in these languages say otherwise."""
        del kind, record, languages
        return {}

    def report(self) -> Iterator[str]:
        """Yield lines for operators about services that this site uses."""
        yield from ()
