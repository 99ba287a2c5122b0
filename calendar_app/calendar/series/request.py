"""The series part of a write: recurrence and scope."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from calendar_app.accounts.policy import Caller
from calendar_app.calendar.series.writer import Edit
from calendar_app.domain.kind import Record
from calendar_app.domain.recurrence.notation import SentRecurrence
from calendar_app.domain.recurrence.rules import InvalidRecurrence
from calendar_app.errors import InvalidParameters, Message

THIS, FOLLOWING, ALL = "this", "following", "all"
SCOPES = (THIS, FOLLOWING, ALL)
_NAMES = ("scope", "recurrence", "force")


@dataclass(frozen=True, slots=True)
class SeriesRequest:
    """The ``scope`` of a write, and the recurrence that it sends, if any.

    With ``force`` the occurrences that lose their date are deleted for good.
    """

    scope: str = THIS
    recurrence: SentRecurrence | None = None
    force: bool = False

    @property
    def begins(self) -> bool:
        """Whether a single event becomes a series."""
        sent = self.recurrence
        return sent is not None and bool(sent.rules or sent.rdates)

    @property
    def clears(self) -> bool:
        """Whether a series becomes a single event."""
        return self.recurrence == SentRecurrence()

    def require_scope(self) -> None:
        """Refuse a recurrence for one occurrence alone."""
        if self.recurrence is None or self.scope == ALL:
            return
        if self.clears:
            raise InvalidParameters(
                {"recurrence": Message("To clear the recurrence, send scope=all.")}
            )
        if self.scope == THIS:
            raise InvalidParameters(
                {"recurrence": Message("One occurrence has no recurrence: send another scope.")}
            )


@dataclass(frozen=True, slots=True)
class SeriesChange:
    """A change of a series: in the words of the editor, what it says of the series, by whom."""

    changes: Record
    request: SeriesRequest
    caller: Caller
    language: str

    @property
    def edit(self) -> Edit:
        return Edit(self.changes, self.language, force=self.request.force)


def split_request(changes: Record) -> tuple[Record, SeriesRequest]:
    """Split the changes of an event from those of its series."""
    own = {name: value for name, value in changes.items() if name in _NAMES}
    rest = {name: value for name, value in changes.items() if name not in _NAMES}
    return rest, SeriesRequest(**own)


@contextmanager
def refusing_recurrence() -> Iterator[None]:
    """Report a recurrence that cannot be used as a parameter."""
    try:
        yield
    except InvalidRecurrence as error:
        raise InvalidParameters({"recurrence": error.args[0]}) from error
