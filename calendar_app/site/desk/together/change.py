"""One change of several events: what it makes of each of them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

from calendar_app.domain.kind import Record
from calendar_app.domain.kinds import EVENT
from calendar_app.domain.replacement import Replacement
from calendar_app.errors import InvalidParameters, Message

_TERMS = ("categories", "tags")
_DAY = timedelta(days=1)
_UNMOVED = timedelta()
_WHOLE_DAYS = Message("It lasts whole days, and is moved by days only.")
_BEYOND = Message("Its date would lie outside the years 1 to 9999.")


@dataclass(frozen=True, slots=True)
class JointChange:
    """The change to each of several events; an empty field changes nothing.

    ``fields`` are parameters of the interface with one value for all. ``added`` are terms,
    by an id or as ``{"name": …}``, and ``taken`` are ids, by the name of the collection.
    """

    fields: Mapping[str, Any] = field(default_factory=dict)
    replacement: Replacement | None = None
    offset: timedelta = _UNMOVED
    added: Mapping[str, Sequence[Any]] = field(default_factory=dict)
    taken: Mapping[str, frozenset[int]] = field(default_factory=dict)

    @property
    def is_empty(self) -> bool:
        terms = (*self.added.values(), *self.taken.values())
        return not (self.fields or self.replacement or self.offset or any(terms))

    def body_for(self, event: Record) -> dict[str, Any]:
        """Return the body of the interface that changes one event; empty where nothing does.

        Raises ``InvalidParameters`` where the event cannot be moved.
        """
        body = {**self.fields}
        if self.replacement and (variants := self.replacement.in_record(EVENT, event)):
            body["variants"] = variants
        for name in _TERMS:
            added, taken = self.added.get(name, ()), self.taken.get(name, frozenset())
            if added or taken.intersection(event[name]):
                body[name] = [*(term for term in event[name] if term not in taken), *added]
        return body | (self._times(event) if self.offset else {})

    def _times(self, event: Record) -> dict[str, str]:
        """Return both ends on the clocks of the event's zone, so that hours stay over the year."""
        if event["all_day"] and self.offset % _DAY:
            raise InvalidParameters({"start_date": _WHOLE_DAYS})
        ends = {"start_date": "start_local", "end_date": "end_local"}
        try:
            return {
                name: (event[stored] + self.offset).isoformat(" ", "seconds")
                for name, stored in ends.items()
            }
        except OverflowError as error:
            raise InvalidParameters({"start_date": _BEYOND}) from error
