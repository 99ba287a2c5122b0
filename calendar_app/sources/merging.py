"""Merging: what a source says of an event now, what it said last, and what stands here.

Fields have paths: ``variants.de.title``, ``venues``, ``times`` (start, end, zone, all day together)
and ``recurrence`` (rules and further dates). Values are compared by digests. A field was edited
here if it is no longer what the last reading left there.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum
from types import MappingProxyType
from typing import Any

from calendar_app.calendar.series.occurrences import TIME_PATHS
from calendar_app.domain.kind import Record
from calendar_app.domain.kinds import event_fields
from calendar_app.domain.ledger import MACHINE, MEMORY
from calendar_app.sources.calendar_events import TEXT_ORIGINS
from calendar_app.sources.digests import digest

TIMES, RECURRENCE, TEXTS = "times", "recurrence", "variants"
HERE, SOURCE = "here", "source"
# The fields of which a source can have the authority.
FIELDS = (
    *(field.name for field in event_fields.TEXTS if field.from_sources),
    *(TIMES, "venues", "organizers", "categories", "tags", "image", "cost"),
    *("online_url", "attendance_mode", "event_status", "status"),
    *("accessibility", "in_language", "audience", "registration"),
    *(field.attribute for field in event_fields.FLAGS if field.from_sources),
)
_SENT_TIMES = ("start", "end", "timezone", "all_day")
_UNORDERED = ("categories", "tags")
# A picture and its measures go together.
IMAGE, _MEASURES = "image", "image_file"
_BY_TEXT = (TEXTS, TEXT_ORIGINS)
# No values of their own; the time of a change is another one after each write here.
_BESIDE = (_MEASURES, "modified", TEXT_ORIGINS)
# A text by any other is as one of which nobody says who wrote it.
_PROPOSED = (MACHINE, MEMORY)
# No digest of any value: it stands where something else was written than the series has.
OWN = "-"
FEATURED = "featured"
# What a source says of fields, and has written into them, before a rule speaks of them.
_AT_FIRST: Mapping[str, str] = MappingProxyType({FEATURED: digest(False)})

MergedValues = Mapping[str, Any]
Digests = Mapping[str, str]


class Decision(Enum):
    """The side that decides the value of a field after a reading."""

    UNCHANGED = "unchanged"
    TAKEN = "taken"
    KEPT = "kept"


@dataclass(frozen=True, slots=True)
class MergeMemory:
    """The digests, by field, of the source's last values, and of the values stored for them."""

    said: Digests = field(default_factory=dict)
    wrote: Digests = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Merge:
    """The sides of one record in a reading.

    ``values`` are those of the source by path, ``now`` their digests. The paths of ``taken`` get
    them; those of ``kept`` stay as they were edited here, or as another source has ``led`` them.
    """

    values: MergedValues
    now: Digests
    memory: MergeMemory
    taken: frozenset[str] = frozenset()
    kept: frozenset[str] = frozenset()
    led: frozenset[str] = frozenset()

    def behind(self, led: frozenset[str], authority: Mapping[str, str]) -> "Merge":
        """Return the merge of a source behind others, which lead at some paths.

        Where it has the authority too, it takes its value as soon as they lead no more.
        """
        kept_paths = self.kept | (self.taken & led)
        own = (path for path in kept_paths & led if authority.get(field_of(path)) == SOURCE)
        return replace(self, taken=self.taken - led, kept=kept_paths, led=frozenset(own))

    def overwriting(self, paths: frozenset[str]) -> "Merge":
        """Return the merge that takes some paths, even locally edited ones."""
        own = paths & self.now.keys()
        return replace(self, taken=self.taken | own, kept=self.kept - own)

    @property
    def reported(self) -> list[str]:
        """Return the kept paths of which the source says something, or did."""
        return [each for each in sorted(self.kept) if self.now[each] or self.memory.said.get(each)]


def field_of(path: str) -> str:
    """Return the field to which a path belongs: ``title`` for ``variants.de.title``."""
    if path == RECURRENCE:
        return TIMES
    return path.rpartition(".")[2] if path.startswith(f"{TEXTS}.") else path


def is_overruled(overrides: Iterable[str], authority: Mapping[str, str]) -> bool:
    """Say whether a date overrides a field of its series of which its source decides."""
    fields = {TIMES if path in TIME_PATHS else field_of(path) for path in overrides}
    return any(authority.get(name) == SOURCE for name in fields)


def digests(values: MergedValues) -> dict[str, str]:
    """Return the digest of each value."""
    return {path: digest(value) for path, value in values.items()}


def said_digests(values: MergedValues, changes: Record) -> dict[str, str]:
    """Return the digest of each value that a source says; who wrote a text is a part of it."""
    digest_by_path = digests(values)
    for tag, origins in changes.get(TEXT_ORIGINS, {}).items():
        for name, (origin, is_checked) in origins.items():
            path = f"{TEXTS}.{tag}.{name}"
            if origin in _PROPOSED and digest_by_path.get(path):
                digest_by_path[path] = digest([digest_by_path[path], origin, is_checked])
    return digest_by_path


def said_values(changes: Record, parts: Record | None = None) -> dict[str, Any]:
    """Return the values of changes in the editor's words by path.

    ``parts`` is the recurrence as the source writes it; dates that it leaves out do not count. It
    may have ``times`` instead of those of the first date, for a list of dates of which the first
    ones pass.
    """
    values = dict(_paths(changes.get(TEXTS, {})))
    if "start" in changes:
        times = (parts or {}).get("times")
        values[TIMES] = times or [changes.get(name) for name in _SENT_TIMES]
    apart = {TEXTS, *_SENT_TIMES, *_BESIDE}
    values |= {name: value for name, value in changes.items() if name not in apart}
    if parts is not None:
        rules = [parts.get(name) for name in ("rrule", "rdate")]
        values[RECURRENCE] = rules if any(rules) else None
    return values


def with_emptied_texts(changes: Record, memory: MergeMemory, apart: Collection[str]) -> Record:
    """Return changes that clear the texts which a source no longer sends.

    Languages that it sends ``apart`` stay as they are.
    """
    variants = {tag: dict(texts) for tag, texts in changes.get(TEXTS, {}).items()}
    for path in memory.said:
        if path.startswith(f"{TEXTS}.") and memory.said[path]:
            _, tag, name = path.split(".", 2)
            if tag not in apart:
                variants.setdefault(tag, {}).setdefault(name, None)
    return {**changes, TEXTS: variants}


def no_longer_featured(changes: Record, memory: MergeMemory) -> Record:
    """Return changes that take the feature of an event away if no rule asks for it any more."""
    is_left = FEATURED in memory.said and FEATURED not in changes
    return changes | ({FEATURED: False} if is_left else {})


def stored_values(record: Record, paths: Iterable[str], usual: MergedValues) -> dict[str, Any]:
    """Return the values that stand in a record at some paths; ``usual`` ones where it has none."""
    return {path: _stored(record, path, usual) for path in paths}


def changes_at(changes: Record, paths: frozenset[str]) -> Record:
    """Return the part of changes in the editor's words that belongs to some paths."""
    by_tag = {name: _of_paths(changes[name], paths) for name in _BY_TEXT if name in changes}
    names = {path for path in paths if not path.startswith(f"{TEXTS}.")}
    if TIMES in names:
        names.update(_SENT_TIMES)
    if IMAGE in names:
        names.add(_MEASURES)
    rest = {n: value for n, value in changes.items() if n in names and n not in _BY_TEXT}
    return rest | {name: own for name, own in by_tag.items() if own}


def _of_paths(by_tag: Record, paths: frozenset[str]) -> Record:
    """Return the part of values by language and text that belongs to some paths."""
    own = {
        tag: {name: each for name, each in texts.items() if f"{TEXTS}.{tag}.{name}" in paths}
        for tag, texts in by_tag.items()
    }
    return {tag: texts for tag, texts in own.items() if texts}


def with_usual(memory: MergeMemory, stands: Digests, usual: MergedValues) -> MergeMemory:
    """Return a memory to which usual values are the source's, where it has said nothing so far.

    An event takes place until a source says that it is canceled: nobody has edited that here.
    """
    silent = stands.keys() & usual.keys() - memory.said.keys() - memory.wrote.keys()
    wrote = {path: stands[path] for path in silent if stands[path] == digest(usual[path])}
    return replace(memory, wrote={**memory.wrote, **wrote})


def merge(
    values: MergedValues,
    now: Digests,
    memory: MergeMemory,
    stands: Digests,
    authority: Mapping[str, str],
) -> Merge:
    """Return which values of a source are taken and which are kept; else as ``decide``."""
    decisions = decide(now, memory, stands, authority)
    taken = frozenset(path for path, each in decisions.items() if each is Decision.TAKEN)
    kept = frozenset(path for path, each in decisions.items() if each is Decision.KEPT)
    return Merge(values, now, memory, taken, kept)


def decide(
    now: Digests, memory: MergeMemory, stands: Digests, authority: Mapping[str, str]
) -> dict[str, Decision]:
    """Return the deciding side of each field in a reading.

    ``stands`` has the digests of what stands here, at the same paths.
    """
    decisions = {path: _decision(path, now, memory, stands, authority) for path in now}
    return _coupled(decisions, now, memory)


def edited_here(memory: MergeMemory, stands: Digests) -> set[str]:
    """Return the paths at which something else stands than the last reading wrote."""
    return {path for path in stands if stands[path] != memory.wrote.get(path, "")}


def _decision(
    path: str, now: Digests, memory: MergeMemory, stands: Digests, authority: Mapping[str, str]
) -> Decision:
    at_first = _AT_FIRST.get(path, "")
    is_edited = stands[path] != memory.wrote.get(path, at_first)
    if is_edited and authority.get(field_of(path), HERE) == HERE:
        return Decision.KEPT
    if is_edited or now[path] != memory.said.get(path, at_first):
        return Decision.TAKEN
    return Decision.UNCHANGED


def _coupled(
    decisions: dict[str, Decision], now: Digests, memory: MergeMemory
) -> dict[str, Decision]:
    """Let times and rules of a series be of one side: a rule gives other dates at other times."""
    pair = [path for path in (TIMES, RECURRENCE) if path in decisions]
    if any(decisions[path] is Decision.KEPT for path in pair):
        for path in pair:
            if now[path] != memory.said.get(path, ""):
                decisions[path] = Decision.KEPT
    return decisions


def _paths(variants: Mapping[str, Record]) -> Iterator[tuple[str, Any]]:
    for tag, texts in variants.items():
        for name, text in texts.items():
            yield f"{TEXTS}.{tag}.{name}", text


def _stored(record: Record, path: str, usual: MergedValues) -> Any:
    if path == TIMES:
        return [record.get(name) for name in TIME_PATHS]
    if path == RECURRENCE:
        recurrence = record.get(RECURRENCE) or {}
        rules = {name: each for name, each in recurrence.items() if name != "exdates"}
        return rules if any(rules.values()) else None
    if path.startswith(f"{TEXTS}."):
        _, tag, name = path.split(".", 2)
        return record.get(TEXTS, {}).get(tag, {}).get(name)
    value = record.get(path, usual.get(path))
    return sorted(value) if path in _UNORDERED and value else value
