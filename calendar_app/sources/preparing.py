"""Turns source data into changes for the editor, with our terms and the source's defaults."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from calendar_app.domain.custom_fields import NAME, replace_fields
from calendar_app.domain.kind import Record
from calendar_app.domain.kinds import VENUE
from calendar_app.domain.ledger import HUMAN, IMPORT, Origin
from calendar_app.domain.statuses import PRIVATE, PUBLISH
from calendar_app.sources.calendar_events import TEXT_ORIGINS, CalendarEvent
from calendar_app.sources.places import Towns
from calendar_app.sources.register import REGISTER_KEY, RegisterEntry, register_key
from calendar_app.sources.rules import UNDECIDED, Decision, decide
from calendar_app.sources.source import CREATE, Source
from calendar_app.sources.words import TAXONOMIES, SourceTerms


@dataclass(slots=True)
class Preparation:
    """Prepares changes of one source; ``words`` are our terms for its words.

    ``register`` says which venues and organizers are meant, by key, and ``pictures`` are the ids of
    those that an import has brought, by address.
    With ``keeps_status`` the events have the status that they have at the source, and no defaults.
    """

    source: Source
    words: SourceTerms = field(default_factory=dict)
    register: Mapping[str, RegisterEntry] = field(default_factory=dict)
    pictures: Mapping[str, int] = field(default_factory=dict)
    towns: Towns = field(default_factory=Towns)
    keeps_status: bool = False

    def decision(self, event: CalendarEvent) -> Decision:
        """Return the decision of the rules on an event; imports have no rules."""
        return UNDECIDED if self.keeps_status else decide(event, self.source.rules)

    def prepared(self, changes: Record, decision: Decision = UNDECIDED) -> Record:
        """Return changes with our terms in place of those of the source, and with its defaults.

        ``decision`` is that of the rules of the source on the event.
        """
        own = {} if self.keeps_status else self.source.defaults
        prepared = dict(changes)
        for name in TAXONOMIES:
            added = [*own.get(name, ()), *getattr(decision, name)]
            if name in changes or added:
                prepared[name] = self._terms(name, changes.get(name, ()), added)
        if decision.featured is not None:
            prepared["featured"] = decision.featured
        for name, default in (("venues", own.get("venue")), ("organizers", own.get("organizer"))):
            if default and not changes.get(name):
                prepared[name] = [default]
            elif name in changes:
                status = decision.status or self.source.status
                prepared[name] = [self._link(name, each, status) for each in changes[name]]
        if isinstance(changes.get("image"), str):
            prepared["image"] = self.pictures.get(changes["image"], changes["image"])
        if not self.keeps_status and prepared.get("status") not in (None, PRIVATE):
            del prepared["status"]
        return prepared

    def with_origins(self, changes: Record) -> Record:
        """Return changes in the words of the editor: who wrote the texts, if the source says it.

        What people wrote or a source of the source brought is brought by this one.
        """
        if TEXT_ORIGINS not in changes:
            return self._with_own_origins(changes) if self.keeps_status else changes
        origins = {
            tag: {
                name: Origin(IMPORT, self.source.label)
                if origin in (HUMAN, IMPORT)
                else Origin(origin, self.source.label, reviewed=is_checked)
                for name, (origin, is_checked) in own.items()
            }
            for tag, own in changes[TEXT_ORIGINS].items()
        }
        rest = {name: value for name, value in changes.items() if name != TEXT_ORIGINS}
        return {**rest, "origins": origins}

    def _with_own_origins(self, changes: Record) -> Record:
        """Return changes whose texts are credited to this source, not to the caller."""
        origin = Origin(IMPORT, self.source.label)
        origins = {
            tag: {name: origin for name, text in texts.items() if text}
            for tag, texts in changes.get("variants", {}).items()
            if any(texts.values())
        }
        return {**changes, "origins": origins}

    def _terms(
        self, taxonomy: str, words: Iterable[int | str], added: Iterable[int]
    ) -> list[int | str]:
        term_ids = self.words.get(taxonomy, {})
        terms: dict[int | str, None] = dict.fromkeys(added)
        for word in words:
            term = term_ids.get(word, 0) if isinstance(word, str) else word
            if term:
                terms[term] = None
            elif self.source.unknown_terms == CREATE and word not in term_ids:
                terms[word] = None
        return list(terms)

    def placed(self, kind: str, entry: Record) -> Record:
        """Return a venue or an organizer in its stored form: a venue with its address in parts."""
        return self.towns.place(entry) if kind == VENUE.name else entry

    def _link(self, kind: str, entry: Any, status: str) -> Any:
        """Return the id of a venue or organizer, or the changes that make it with a status."""
        if not isinstance(entry, dict):
            return entry
        key = register_key(kind, entry)
        if key in self.register:
            return self.register[key].record
        own = {"status": status} if status != PUBLISH else {}
        return {**self.with_origins(self.placed(kind, entry)), **own, REGISTER_KEY: key}


def to_send(changes: Record, before: Record) -> Record:
    """Return the changes to send; texts that are not there need not be taken away."""
    if "variants" not in changes:
        return changes
    sent = without_absent_texts(changes, before)
    variants = {tag: texts for tag, texts in sent["variants"].items() if texts}
    rest = {name: value for name, value in sent.items() if name != "variants"}
    return rest | ({"variants": variants} if variants else {})


def without_absent_texts(changes: Record, before: Record) -> Record:
    """Leave out the removal of texts that are not stored; remove other custom fields."""
    stored = before.get("variants", {})
    variants = {
        language: {
            name: replace_fields(text, stored.get(language, {}).get(NAME)) if name == NAME else text
            for name, text in texts.items()
            if text is not None or stored.get(language, {}).get(name)
        }
        for language, texts in changes["variants"].items()
    }
    return {**changes, "variants": variants}
