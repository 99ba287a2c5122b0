"""Joins the memory, the machine and its jobs."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from calendar_app.accounts.callers import ROLES, Caller
from calendar_app.accounts.policy import may_translate_all
from calendar_app.accounts.users import Accounts
from calendar_app.calendar.translation import Jobs, Misses, NoProposal, Text, TranslationAid
from calendar_app.calendar.writing.missed import MissedWrites
from calendar_app.domain.kind import Kind, Record
from calendar_app.domain.kinds import CATEGORY, EVENT, KINDS, MEDIA, ORGANIZER, SERIES, TAG, VENUE
from calendar_app.domain.ledger import MACHINE, MEMORY
from calendar_app.errors import ConfigurationError
from calendar_app.parts.memory.engines.translator import Translator, engine_of
from calendar_app.parts.memory.glossary import Glossary
from calendar_app.parts.memory.jobs import JobParts, Propose, TranslationJobs
from calendar_app.parts.memory.lacking import Gaps
from calendar_app.parts.memory.machine import Machine
from calendar_app.parts.memory.remembering.exchange import TmxExchange
from calendar_app.parts.memory.remembering.filling import Filling
from calendar_app.parts.memory.remembering.following import NAME, Following, Rebuilt
from calendar_app.parts.memory.remembering.proposing import Recall, RecallQuery
from calendar_app.parts.memory.waiting import Proposal, Proposals, WaitingProposals
from calendar_app.parts.part import Engines, Joined
from calendar_app.settings import Settings
from calendar_app.storage.mongo.store import Store

_REMEMBERED = (*KINDS, SERIES, MEDIA)
_UNDATED = (VENUE, ORGANIZER, CATEGORY, TAG, MEDIA)


@dataclass(frozen=True, slots=True)
class TranslationServices(TranslationAid):
    """The services of this part; ``machine`` and ``jobs`` are ``None`` without a translator."""

    memory: "Memory"
    recall: Recall
    glossary: Glossary
    tmx: TmxExchange
    waiting: WaitingProposals
    machine: Machine | None
    jobs: TranslationJobs | None
    languages: tuple[str, ...]

    @property
    def loops(self) -> Sequence[Jobs]:
        rebuilding: Jobs = {"rebuild-memory": self.catch_up}
        if not self.machine or not self.jobs:
            return (rebuilding,)
        asking = partial(self.machine.tell_languages, self.languages)
        return rebuilding, {"tell-languages": asking, "translate": self.jobs.run}

    def catch_up(self) -> None:
        self.memory.make_up()

    def missed(self, kind: Kind, record: Record, languages: Collection[str]) -> Misses:
        return self.glossary.missed(kind, record, languages)

    def report(self) -> Iterator[str]:
        return _languages_in_words(self.machine, self.languages) if self.machine else iter(())


class Memory:
    """Keeps the memory whole, behind writes that were made without it too."""

    def __init__(self, store: Store) -> None:
        self._following = Following(store)
        self._missed = MissedWrites(store, NAME)

    def is_behind(self) -> bool:
        """Say whether records were written without the memory, so that it proposes nothing."""
        return self._missed.are_there()

    def rebuild(self) -> Rebuilt:
        """Rebuild the memory of all records; the service may run meanwhile."""
        with self._missed.making_up():
            return self._following.rebuild(_REMEMBERED)

    def make_up(self) -> bool:
        """Rebuild the memory where it is behind; return whether it is whole now."""
        if self.is_behind():
            self.rebuild()
        return not self.is_behind()


def services_of(joined: Joined) -> TranslationServices:
    """Join the services of this part."""
    settings, store = joined.settings, joined.store
    machine = _machine(joined)
    waiting = WaitingProposals(store, joined.now)
    recall = recall_of(store)
    return TranslationServices(
        memory=Memory(store),
        recall=recall,
        glossary=Glossary(store),
        tmx=TmxExchange(store, settings.languages),
        waiting=waiting,
        machine=machine,
        jobs=_jobs(joined, machine, waiting, recall) if machine else None,
        languages=tuple(settings.languages),
    )


def recall_of(store: Store) -> Recall:
    return Recall(store, {kind.name: kind for kind in _REMEMBERED})


def fill_of(settings: Settings, store: Store) -> Filling | None:
    """Return what fills new records in, where that is set."""
    return Filling(recall_of(store), settings.languages) if settings.memory_fills else None


def check_translator(settings: Settings, engines: Engines) -> None:
    """Raise ``ConfigurationError`` where the translator of the settings cannot be used."""
    _translator_of(settings, engines)


def _translator_of(settings: Settings, engines: Engines) -> Translator | None:
    """Return the translator of the settings; services over HTTP are loaded only where set."""
    if unknown := set(settings.translator_roles) - set(ROLES):
        raise ConfigurationError(
            f"The setting translator_roles has {min(unknown)}, which is none of {', '.join(ROLES)}."
        )
    if not settings.translator:
        return None
    return Translator(engine_of(settings, engines), settings.translator_timeout)


def _machine(joined: Joined) -> Machine | None:
    settings = joined.settings
    translator = _translator_of(settings, joined.engines)
    if translator is None:
        return None
    return Machine(joined.store, translator, settings.translator_budget, joined.now)


def _jobs(
    joined: Joined, machine: Machine, waiting: WaitingProposals, recall: Recall
) -> TranslationJobs:
    settings, store = joined.settings, joined.store
    parts = JobParts(
        gaps=Gaps(store, (EVENT, SERIES, *_UNDATED), waiting, joined.now),
        waiting=waiting,
        propose=_proposing(machine, recall),
        editor=joined.editor,
        present=partial(_translator_still, settings, joined.accounts),
        patience=settings.translator_timeout,
    )
    return TranslationJobs(store, parts, joined.now, publishes=settings.translator_publishes)


def _proposing(machine: Machine, recall: Recall) -> Propose:
    """Return what proposes texts for a job: as they were said before, else as the machine does."""

    def propose(
        texts: Mapping[str, Text], source: str, target: str, caller: Caller, patience: float
    ) -> Proposals:
        queries = [
            RecallQuery(text.words, text.is_html, field=name) for name, text in texts.items()
        ]
        answers = zip(texts, recall.propose(queries, source, target, caller), strict=True)
        remembered = {
            name: Proposal(best.text, MEMORY, best.origin)
            for name, answer in answers
            if (best := answer.equal)
        }
        rest = {name: text for name, text in texts.items() if name not in remembered}
        proposed = machine.propose(rest, source, target, patience) if rest else {}
        return remembered | {
            name: Proposal(text, MACHINE, machine.name) for name, text in proposed.items()
        }

    return propose


def _translator_still(settings: Settings, accounts: Accounts, author: Caller) -> Caller | None:
    """Return the present rights of a job's author; ``None`` where they do not suffice any more."""
    caller = accounts.caller(author.id)
    return caller if caller and may_translate_all(caller, settings.translator_roles) else None


def _languages_in_words(machine: Machine, languages: tuple[str, ...]) -> Iterator[str]:
    """Yield which languages the machine lacks, before the first text needs them."""
    try:
        machine.learn()
    except NoProposal as error:
        yield f"{machine.name} cannot be asked for its languages: {error.reason}"
        return
    lacks = machine.lacks(languages)
    spoken = ", ".join(tag for tag in languages if tag not in lacks) or "none of the languages here"
    yield f"{machine.name} translates into {spoken}."
    if lacks:
        yield f"{machine.name} does not translate into {', '.join(lacks)}."
