"""Proposals from the memory, beside the fields of the desk."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from json import dumps

from flask import Response

from calendar_app.accounts.callers import Right
from calendar_app.api.http.request import current
from calendar_app.api.http.request.negotiation import named_language
from calendar_app.calendar.translation import NoProposal, Text
from calendar_app.domain.differences import Stretch, difference
from calendar_app.domain.glossary import GlossaryTerms, missed, terms_in
from calendar_app.domain.kind import Kind, Markup
from calendar_app.domain.ledger import MACHINE
from calendar_app.domain.translations import words_of
from calendar_app.errors import InvalidParameters, Message
from calendar_app.parts.memory.desk.machine import machine_of_caller
from calendar_app.parts.memory.lacking import is_proper
from calendar_app.parts.memory.of_request import requested_services
from calendar_app.parts.memory.remembering.proposing import Answer, Recalled, RecallQuery
from calendar_app.site.desk.languages import HTML
from calendar_app.site.desk.rendering import render
from calendar_app.site.desk.routing import PartPage
from calendar_app.site.desk.translating.rows import as_typed, name_of
from calendar_app.site.desk.translating.waiting import KINDS
from calendar_app.site.desk.translation_aid import Row, RowTerms

_LONGEST = 20_000
_NO_WORDS = ("slug", "website")


@dataclass(frozen=True, slots=True)
class ShownProposal:
    """A proposal with the ``changes`` of its source, and the ``origin`` that taking it over sends.

    ``where`` names the record that it comes from, ``typed`` is the text for its field. ``sentence``
    is empty for a whole text.
    """

    recalled: Recalled
    changes: Sequence[Stretch]
    where: str
    typed: str
    origin: str
    sentence: str = ""

    @property
    def words(self) -> str:
        return words_of(self.recalled.text)

    @property
    def path(self) -> str:
        return f"/{self.recalled.kind}/{self.recalled.record}"


def proposals_for(
    kind: Kind, rows: Sequence[Row], source: str, target: str
) -> Mapping[str, Sequence[ShownProposal]]:
    """Return the proposals for the rows of a translation that wait, by their name."""
    waiting = [row for row in rows if row.waits and row.source and row.markup is not Markup.URL]
    queries = [RecallQuery(row.source, row.is_html, kind.name, row.name) for row in waiting]
    answers = _answers(queries, source, target)
    presented = zip(waiting, _presented(queries, answers), strict=True)
    return {
        row.name: [_as_typed(row, each) for each in proposals]
        for row, proposals in presented
        if proposals
    }


def terms_for(rows: Sequence[Row], source: str, target: str) -> Mapping[str, RowTerms]:
    """Return the glossary terms of the rows, and whether their text deviates."""
    glossary = requested_services().glossary.terms(source, target)
    worded = [row for row in rows if row.name not in _NO_WORDS]
    terms_in_sources = {row.name: terms_in(glossary, row.source) for row in worded}
    lacking = {
        row.name: missed(terms_in_sources.get(row.name, ()), row.target)
        for row in rows
        if row.target
    }
    return {
        name: [(term, term in lacking.get(name, ())) for term in terms]
        for name, terms in terms_in_sources.items()
        if terms
    }


def _as_typed(row: Row, proposal: ShownProposal) -> ShownProposal:
    typed = proposal.typed if row.is_rich else as_typed(row.markup, proposal.typed)
    return replace(proposal, typed=typed)


def propose() -> Response:
    """Show the proposals for one text of a form; a script puts them beside its field."""
    sent = current.context().request.form
    languages = current.context().settings.languages
    source, target = (named_language(sent.get(name, ""), languages) for name in ("from", "into"))
    kind = KINDS.get(sent.get("kind", ""))
    text, field = sent.get("text", ""), sent.get("field", "")
    if not (source and target and kind) or source == target or len(text) > _LONGEST:
        raise InvalidParameters({"text": Message("Nothing can be proposed for this.")})
    queries = [RecallQuery(text, kind.texts.get(field) in HTML, kind.name, field)]
    answers = _answers(queries, source, target)
    (proposals,) = _presented(queries, answers)
    terms, own = answers[0].terms, words_of(sent.get("own", ""))
    return render(
        "proposals.html",
        shown=[each for each in proposals if each.words != own],
        terms=[(term, False) for term in terms],
        source=source,
        target=target,
        machine=_machine_proposal(kind, queries[0], (source, target), terms),
    )


@dataclass(frozen=True, slots=True)
class MachineProposal:
    """The machine's proposal for a text, empty before the request, or the reason for none."""

    text: str = ""
    origin: str = ""
    problem: str = ""
    misses: GlossaryTerms = ()

    @property
    def words(self) -> str:
        return words_of(self.text)


def _machine_proposal(
    kind: Kind, query: RecallQuery, languages: tuple[str, str], terms: GlossaryTerms
) -> MachineProposal | None:
    """Return the proposal of the machine for one text; none where it may not be asked."""
    machine, markup = machine_of_caller(), kind.texts.get(query.field, Markup.URL)
    is_worded = query.text and markup is not Markup.URL and not is_proper(kind, markup)
    if machine is None or not is_worded or not machine.speaks(*languages):
        return None
    if not current.context().request.form.get("machine"):
        return MachineProposal()
    try:
        texts = {query.field: Text(query.text, query.is_html)}
        proposed = machine.propose(texts, *languages).get(query.field, "")
    except NoProposal as error:
        return MachineProposal(problem=error.reason)
    origin = {"origin": MACHINE, "by": machine.name, "proposal": proposed}
    misses = missed(terms, proposed)
    return MachineProposal(proposed, dumps(origin, ensure_ascii=False), misses=misses)


def _answers(queries: Sequence[RecallQuery], source: str, target: str) -> Sequence[Answer]:
    context = current.context()
    return (
        requested_services().recall.propose(queries, source, target, context.caller)
        if queries
        else []
    )


def _presented(
    queries: Sequence[RecallQuery], answers: Sequence[Answer]
) -> list[list[ShownProposal]]:
    """Return proposals with the names of their records, which are read at once."""
    names = _names([each for own in answers for each in _all(own)])
    return [
        [
            *(_show(each, names, words_of(text.text)) for each in own.proposals),
            *(_show(each, names, part, part) for part, each in own.sentences),
        ]
        for text, own in zip(queries, answers, strict=True)
    ]


def _all(answer: Answer) -> list[Recalled]:
    return [*answer.proposals, *(each for _, each in answer.sentences)]


def _names(recalled: Sequence[Recalled]) -> Mapping[tuple[str, int], str]:
    ids: dict[str, list[int]] = {}
    for each in recalled:
        if each.kind not in KINDS:  # It comes from a file.
            continue
        ids.setdefault(each.kind, []).append(each.record)
    records = current.context().reader.records_of(ids) if ids else {}
    keys = ((name, number) for name, own in ids.items() for number in own)
    return {key: name_of(KINDS[key[0]], record) for key in keys if (record := records.get(key))}


def _show(
    recalled: Recalled, names: Mapping[tuple[str, int], str], words: str, sentence: str = ""
) -> ShownProposal:
    origin = {"origin": "memory", "by": recalled.origin, "proposal": recalled.text}
    return ShownProposal(
        recalled,
        difference(recalled.source, words),
        names.get((recalled.kind, recalled.record), ""),
        recalled.text,
        dumps(origin, ensure_ascii=False),
        sentence,
    )


PAGES = (PartPage("/translations/propose", propose, Right.EDIT, ("POST",)),)
