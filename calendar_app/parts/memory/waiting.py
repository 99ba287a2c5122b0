"""Proposals that wait beside their records until somebody takes them over; no reader sees them.

A proposal holds for the source that it was made from: once that reads otherwise, it is none.
"""

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from hashlib import sha256

from calendar_app.domain.kind import Index, Kind
from calendar_app.domain.moments import Now
from calendar_app.storage.mongo.store import Store
from calendar_app.storage.query.clauses import equals, one_of

MACHINE_PROPOSALS = "machine_proposals"
_YEAR = 366 * 24 * 60 * 60
MACHINE_PROPOSAL_INDEXES = (
    Index((("made", 1),), serves="forgetting proposals after a year", expire_after=_YEAR),
)


@dataclass(frozen=True, slots=True)
class Proposal:
    """A proposed text: its ``origin`` as in the ledger, and ``by`` whom it is."""

    text: str
    origin: str
    by: str


# By field.
Proposals = Mapping[str, Proposal]


@dataclass(frozen=True, slots=True)
class Target:
    """A record in the language that it is translated into."""

    kind: Kind
    id: int
    language: str

    @property
    def key(self) -> str:
        return f"{self.kind.name}:{self.id}:{self.language}"


class WaitingProposals:
    """Keeps proposals by record, language and field."""

    def __init__(self, store: Store, now: Now) -> None:
        self._kept = store[MACHINE_PROPOSALS]
        self._now = now

    def of(self, target: Target, sources: Mapping[str, object]) -> Proposals:
        """Return the proposals that were made from the present texts."""
        proposal = self._kept.first(equals("_id", target.key))
        return {
            name: Proposal(each["text"], each["origin"], each["by"])
            for name, each in (proposal["texts"] if proposal else {}).items()
            if each["of"] == digest(str(sources.get(name, "")))
        }

    def of_many(self, targets: Iterable[Target]) -> dict[int, Mapping[str, str]]:
        """Return the digests of the sources of those of many records, by record and field."""
        ids = {target.key: target.id for target in targets}
        proposals = self._kept.find(one_of("_id", ids))
        return {
            ids[each["_id"]]: {name: text["of"] for name, text in each["texts"].items()}
            for each in proposals
        }

    def keep(self, target: Target, field: str, proposal: Proposal, source: str) -> None:
        """Keep a proposal for a field, in place of the one before."""
        text = {**asdict(proposal), "of": digest(source)}
        changes = {f"texts.{field}": text, "made": self._now()}
        self._kept.upsert(equals("_id", target.key), {"$set": changes})

    def forget(self, target: Target, fields: Iterable[str]) -> None:
        """Forget the proposals for fields that are written now."""
        emptied = {f"texts.{field}": "" for field in fields}
        if emptied:
            self._kept.change(equals("_id", target.key), {"$unset": emptied})


def digest(text: str) -> str:
    """Return the fingerprint of a source; markup counts, since a proposal keeps it."""
    return sha256(text.encode()).hexdigest()[:16]
