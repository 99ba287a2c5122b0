"""A source with its settings, and its identity."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from typing import Any
from urllib.parse import urlsplit

from calendar_app.calendar.reading import provenance
from calendar_app.domain.kind import Record
from calendar_app.domain.statuses import PENDING, PUBLISH
from calendar_app.sources.calendar_events import CalendarEvent
from calendar_app.sources.digests import digest
from calendar_app.sources.filters import passes
from calendar_app.sources.planning import KEEP
from calendar_app.sources.rules import Decision, decide

SOURCES = provenance.SOURCES
PUSH, TEC = "push", "tec"
# A calendar like this one, of which the changes are followed.
CALENDAR = "calendar"
KINDS = ("ics", TEC, CALENDAR, "jsonld", "csv", PUSH)
# Those that a file can be; without an address files alone are read.
FILES = ("ics", "jsonld", "csv")
LEAVE_OUT, CREATE, LIST = "leave_out", "create", "list"
# Of a new event that is perhaps a duplicate, and of one that certainly is; empty as the site has.
SHOW, WAIT = "show", "wait"
ASK, UNITE = "ask", "unite"
# What becomes of its pictures: their addresses are shown, or their files are kept here.
LINK, COPY = "link", "copy"
_LABEL = "source "
# What changes which events a calendar makes; with other values all of them are looked at again.
_OF_EVENTS = (
    *("language", "timezone", "town", "defaults", "terms", "unknown_terms", "filters", "columns"),
    *("authority", "rules"),
)
# What changes all that the source says of them.
_OF_VALUES = ("language", "timezone", "columns")


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """A source with all its settings, as described in ``docs/reference/sources.md``."""

    id: int
    name: str
    kind: str
    address: str = ""
    status: str = PENDING
    author: int = 0
    language: str = ""
    timezone: str = ""
    town: str = ""
    defaults: Mapping[str, Any] = field(default_factory=dict)
    terms: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    unknown_terms: str = LIST
    filters: Mapping[str, Any] = field(default_factory=dict)
    authority: Mapping[str, str] = field(default_factory=dict)
    vanished: str = KEEP
    every: int = 0
    daily_at: str = ""
    off: bool = False
    columns: Mapping[str, str] = field(default_factory=dict)
    responsible: int = 0
    rank: int = 0
    doubles: str = ""
    certain_doubles: str = ""
    publisher: Mapping[str, str] = field(default_factory=dict)
    license: str = ""
    attribution: str = ""
    show_provenance: bool = True
    pictures: str = LINK
    rules: Sequence[Mapping[str, Any]] = ()
    keepers: Sequence[int] = ()

    @classmethod
    def of(cls, document: Record) -> "Source":
        """Return a source from its document."""
        names = {each.name for each in fields(cls)}
        own = {name: value for name, value in document.items() if name in names}
        return cls(id=document["_id"], **own)

    @property
    def document(self) -> Record:
        """Return the document of the source."""
        own = asdict(self)
        return {"_id": own.pop("id"), **own}

    @property
    def fingerprint(self) -> str:
        """Return a digest of the settings on which the events depend."""
        return self._digest((*_OF_EVENTS, *(["pictures"] if self.copies_pictures else ())))

    @property
    def values_fingerprint(self) -> str:
        """Return a digest of the settings on which all that the source says depends."""
        return self._digest(_OF_VALUES)

    def _digest(self, names: Collection[str]) -> str:
        return digest({name: getattr(self, name) for name in names})

    def leads(self, other: "Source") -> bool:
        """Say whether this source comes before another one: by rank, then as the older one."""
        return (self.rank, -self.id) > (other.rank, -other.id)

    def decide(self, event: CalendarEvent) -> Decision:
        """Return the decision of the filters, then of the rules, on an event."""
        if not passes(event, self.filters):
            return Decision(leave_out=True)
        return decide(event, self.rules)

    @property
    def publishes(self) -> bool:
        """Whether new events can be public at once, by the source or by one of its rules."""
        then = (rule["then"].get("status") for rule in self.rules)
        return PUBLISH in {self.status, *then}

    @property
    def follows(self) -> bool:
        """Whether a reading takes only the changes since the last one."""
        return self.kind == CALENDAR

    @property
    def copies_pictures(self) -> bool:
        return self.pictures == COPY

    @property
    def is_scheduled(self) -> bool:
        return not self.off and bool(self.address) and bool(self.every or self.daily_at)

    @property
    def label(self) -> str:
        """Return the name under which the ledger has the texts of a source."""
        return label_of(self.id)


def identity_of(kind: str, address: str, name: str) -> str:
    """Return the identity of a source: its kind with its address, or with its name without one.

    Addresses that differ in their scheme alone are one.
    """
    if not address.strip():
        return f"{kind} {name.strip()}"
    parts = urlsplit(address.strip())
    host = parts.netloc.lower()
    return f"{kind} //{host}{parts.path.rstrip('/')}" + (f"?{parts.query}" if parts.query else "")


def label_of(source_id: int) -> str:
    """Return the name under which the ledger has the texts of a source, by its id."""
    return f"{_LABEL}{source_id}"


def source_named(label: object) -> int:
    """Return the id of the source that has a label in the ledger; 0 for other names."""
    number = label.removeprefix(_LABEL) if isinstance(label, str) else ""
    return int(number) if label == f"{_LABEL}{number}" and number.isdecimal() else 0
