"""What the memory and the machine show beside the texts of a translation."""

from collections.abc import Iterable, Mapping, Sequence

from calendar_app.api.http.request import current
from calendar_app.calendar.translation import Text
from calendar_app.domain.kind import Kind, Record
from calendar_app.domain.ledger import MACHINE
from calendar_app.errors import Message, NotAllowed
from calendar_app.parts.memory.desk import glossary
from calendar_app.parts.memory.desk import machine as machine_page
from calendar_app.parts.memory.desk.proposals import ShownProposal, proposals_for, terms_for
from calendar_app.parts.memory.machine import Machine
from calendar_app.parts.memory.of_request import requested_services
from calendar_app.parts.memory.waiting import Target
from calendar_app.site.desk.translation_aid import FormAid, Row, RowTerms


class MemoryAid(FormAid):
    """Adds proposals, terms, and links to the pages of this part."""

    proposes = True

    @property
    def pages(self) -> Sequence[tuple[str, Message]]:
        has_pairs = len(current.context().settings.languages) > 1
        has_machine = machine_page.service_of_caller() is not None
        memory = (glossary.PATH, Message("Glossary and memory"))
        machine = (machine_page.PATH, Message("Translate with a machine"))
        return [*([memory] if has_pairs else ()), *([machine] if has_machine else ())]

    @property
    def machine(self) -> Machine | None:
        return machine_page.machine_of_caller()

    @property
    def author(self) -> str:
        machine = requested_services().machine
        return machine.name if machine else ""

    def remembered(
        self, kind: Kind, rows: Sequence[Row], source: str, target: str
    ) -> Mapping[str, Sequence[ShownProposal]]:
        return proposals_for(kind, rows, source, target)

    def terms(self, rows: Sequence[Row], source: str, target: str) -> Mapping[str, RowTerms]:
        return terms_for(rows, source, target)

    def waiting(
        self, kind: Kind, record: Record, language: str, sources: Mapping[str, object]
    ) -> Mapping[str, str]:
        target = Target(kind, record["_id"], language)
        proposals = requested_services().waiting.of(target, sources)
        return {name: each.text for name, each in proposals.items() if each.origin == MACHINE}

    def forget(self, kind: Kind, record: Record, language: str, fields: Iterable[str]) -> None:
        requested_services().waiting.forget(Target(kind, record["_id"], language), fields)

    def by_machine(self, texts: Mapping[str, Text], source: str, target: str) -> Mapping[str, str]:
        machine = self.machine
        if machine is None:
            raise NotAllowed
        return machine.propose(texts, source, target)
