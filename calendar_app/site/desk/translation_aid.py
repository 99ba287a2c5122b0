"""What a part that helps with translations adds to the forms of the desk."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Protocol

from flask import Flask, current_app

from calendar_app.calendar.translation import Text
from calendar_app.domain.glossary import GlossaryTerm
from calendar_app.domain.kind import Kind, Markup, Record
from calendar_app.errors import Message, NotAllowed

_EXTENSION = "desk.translation_aid"
# Of a row its terms of the glossary, each with whether the translation says it otherwise.
RowTerms = Sequence[tuple[GlossaryTerm, bool]]


class Row(Protocol):
    """A text in two languages, as the page of a translation shows it."""

    @property
    def name(self) -> str: ...
    @property
    def markup(self) -> Markup: ...
    @property
    def source(self) -> str: ...
    @property
    def target(self) -> str: ...
    @property
    def waits(self) -> bool: ...
    @property
    def is_html(self) -> bool: ...
    @property
    def is_rich(self) -> bool: ...


class SpeakingMachine(Protocol):
    """A machine that translates; ``name`` is the author of its texts."""

    name: str

    def speaks(self, source: str, target: str) -> bool:
        """Say whether it translates so, as far as is known."""


class FormAid:
    """Adds nothing, as on a site without such a part; a part has a class of its own.

    ``proposes`` says whether a script may ask for proposals.
    """

    proposes = False

    @property
    def pages(self) -> Sequence[tuple[str, Message]]:
        """Return the paths and titles of further pages on translations, for this user."""
        return ()

    @property
    def machine(self) -> SpeakingMachine | None:
        """Return the machine, if this user may ask it."""
        return None

    @property
    def author(self) -> str:
        """Return the name under which the machine writes; empty without one."""
        return ""

    def remembered(
        self, kind: Kind, rows: Sequence[Row], source: str, target: str
    ) -> Mapping[str, Sequence[object]]:
        """Return the proposals of the memory that are shown beside rows, by their name."""
        del kind, rows, source, target
        return {}

    def terms(self, rows: Sequence[Row], source: str, target: str) -> Mapping[str, RowTerms]:
        """Return the terms of the glossary that rows have, by their name."""
        del rows, source, target
        return {}

    def waiting(
        self, kind: Kind, record: Record, language: str, sources: Mapping[str, object]
    ) -> Mapping[str, str]:
        """Return the texts of a machine that wait beside a record, made from these sources."""
        del kind, record, language, sources
        return {}

    def forget(self, kind: Kind, record: Record, language: str, fields: Iterable[str]) -> None:
        """Forget what waits for fields that are written now."""

    def by_machine(self, texts: Mapping[str, Text], source: str, target: str) -> Mapping[str, str]:
        """Return translations by a machine, by name.

        Raises ``NoProposal`` where it has none, ``NotAllowed`` where the user may not ask.
        """
        del texts, source, target
        raise NotAllowed


def offer_aid(app: Flask, aid: FormAid) -> None:
    """Let the forms of an application have an aid."""
    app.extensions[_EXTENSION] = aid


def form_aid() -> FormAid:
    """Return the aid of the running application."""
    aid: FormAid = current_app.extensions.get(_EXTENSION) or FormAid()
    return aid
