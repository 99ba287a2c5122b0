"""The stored event or series that is being edited."""

from dataclasses import dataclass
from typing import Self

from calendar_app.accounts.policy import may_edit
from calendar_app.desk.event_form.notation import Notation
from calendar_app.desk.event_form.values import Values, record_values
from calendar_app.domain.kind import Kind, Record
from calendar_app.errors import NotAllowed, NotFound
from calendar_app.http.request import current
from calendar_app.http.views import records
from calendar_app.kinds import EVENT, SERIES
from calendar_app.presentation.events import present_event, present_series
from calendar_app.presentation.records import JSONObject

_PRESENT = {EVENT.name: present_event, SERIES.name: present_series}


@dataclass(frozen=True, slots=True)
class StoredEvent:
    """A record, and how the interface presents it in the language that is edited."""

    kind: Kind
    record: Record
    presented: JSONObject
    language: str

    @classmethod
    def find(cls, kind: Kind, record_id: int, language: str) -> Self:
        """Return the event to edit. Raises ``NotFound`` or ``NotAllowed``."""
        record = current.reader().find(kind, record_id)
        if record is None:
            raise NotFound(kind.singular, record_id)
        if not may_edit(current.caller(), record):
            raise NotAllowed
        with current.acting_on({current.settings().translation_parameter: language}):
            presented = records.present_one(kind, record, _PRESENT[kind.name], single=True)
        return cls(kind, record, presented, language)

    def values(self, notation: Notation) -> Values:
        """Return the values with which the form is filled."""
        return record_values(self.record, self.presented, self.language, notation)

    @property
    def series_id(self) -> int | None:
        """The id of the series that this is an occurrence of, or is."""
        return self.record["_id"] if self.kind is SERIES else self.record.get("series")
