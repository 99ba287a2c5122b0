"""Who wrote each text of a record, and who checked it.

``ledger`` maps language and field to an entry: ``origin``, ``by`` (the id of a user, or the name of
a machine), ``at``; ``reviewed`` (by, at) once somebody has checked the text; ``based_on`` (origin,
by) where a person rewrote a proposal; ``edited``, by how many characters a proposal was changed
since. A text without an entry was written by a person, before there was a ledger.

``marks`` is what lists need of it, only of languages in which not all is plain: the fields whose
text a ``machine`` wrote and nobody checked, those that were ``checked``, and those that wait and
came from the ``memory``. ``unreviewed`` names the languages in which anything waits.
See ``docs/explanation/who-wrote-it.md``.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from types import MappingProxyType
from typing import Any

from calendar_app.domain.kind import Kind, Record
from calendar_app.domain.provenance import BY_LANGUAGE, named_notes
from calendar_app.domain.translations import compared_fields, words_of

HUMAN, MACHINE, MEMORY, IMPORT = "human", "machine", "memory", "import"
ORIGINS = (HUMAN, MACHINE, MEMORY, IMPORT)
LEDGER, MARKS, UNREVIEWED = "ledger", "marks", "unreviewed"
# Of a language in which both have written.
MIXED = "mixed"
# Texts that are no words.
_NO_WORDS = ("slug", "website")
# In the place of a field: all texts of the language.
ALL = "*"
# The marks of a language, besides ``MACHINE`` and ``MEMORY``: by a machine, and checked.
CHECKED = "checked"
_PROPOSED = (MACHINE, MEMORY)
# A proposal stays one while so many characters of it are changed, or a quarter of a short one.
_FEW, _SHARE = 5, 4


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a text that is written comes from.

    ``proposal`` is the text as it was proposed, of custom fields their parts by key. Who takes over
    a proposal has read it, unless ``reviewed`` is false; a text that is only said to be of a
    machine waits for a check, unless it is true.
    """

    origin: str
    by: int | str | None = None
    proposal: Any = None
    reviewed: bool | None = None


# By language and field, or ``ALL``: those of what is written, or of all texts where nothing is.
Origins = Mapping[str, Mapping[str, Origin]]
# By language and field, or ``ALL``: whether it has been checked, or waits again.
Reviews = Mapping[str, Mapping[str, bool]]


@dataclass(frozen=True, slots=True)
class Writing:
    """A write: its user and time, the stated origins of its texts, and the origin of all others."""

    by: int | str | None
    at: datetime
    origins: Origins = field(default_factory=dict)
    reviews: Reviews = field(default_factory=dict)
    origin: str = HUMAN
    source: str = ""  # of an import

    @property
    def check(self) -> Record:
        return {"by": self.by, "at": self.at}


def entered(kind: Kind, before: Record, after: Record, writing: Writing) -> Record:
    """Return the record after a write with its ledger; ``before`` is empty for a new one."""
    ledger = {tag: _entries(kind, before, after, tag, writing) for tag in after["variants"]}
    return settled(after, ledger)


def settled(record: Record, ledger: Mapping[str, Mapping[str, Record]]) -> Record:
    """Return a record with the ledger of its texts, and with the fields that lists need."""
    entries_by_tag = {
        tag: present
        for tag, texts in record["variants"].items()
        if (present := {n: e for n, e in ledger.get(tag, {}).items() if texts.get(n)})
    }
    marks = {tag: marked for tag, entries in entries_by_tag.items() if (marked := _marks(entries))}
    waiting = sorted(tag for tag, marked in marks.items() if marked.keys() & _PROPOSED)
    ledger_fields = {LEDGER: entries_by_tag, MARKS: marks, UNREVIEWED: waiting}
    rest = {name: value for name, value in record.items() if name not in ledger_fields}
    return rest | {name: value for name, value in ledger_fields.items() if value}


def restored(record: Record, earlier: Mapping[str, Mapping[str, Record]], texts: Record) -> Record:
    """Return a record that got back earlier texts, with the entries that they had."""
    ledger = {tag: dict(entries) for tag, entries in record.get(LEDGER, {}).items()}
    for tag, present_texts in record["variants"].items():
        for name in present_texts.keys() & texts.get(tag, {}).keys():
            if present_texts[name] == texts[tag][name]:
                entry = earlier.get(tag, {}).get(name)
                entries = ledger.setdefault(tag, {})
                entries.pop(name, None)
                entries |= {name: entry} if entry else {}
    return settled(record, ledger)


def entry_of(record: Record, language: str, name: str) -> Record:
    """Return the entry of a text.

    One from before the ledger was imported with its record, or else written by a person.
    """
    entry: Record | None = record.get(LEDGER, {}).get(language, {}).get(name)
    if entry:
        return entry
    came = any(language in note.get(BY_LANGUAGE, ()) for note in named_notes(record))
    return {"origin": IMPORT if came else HUMAN}


def is_waiting(entry: Record) -> bool:
    """Say whether a text waits for somebody to check it."""
    return entry["origin"] in _PROPOSED and "reviewed" not in entry


# What readers are not shown, by the setting ``machine_text``.
WITHHELD: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {"label": (), "reviewed": (MACHINE,), "never": (MACHINE, CHECKED)}
)


# What texts of machines are called for machines that read them, by their marks; other texts are not
# named at all.
DISCLOSURE_WORDS = "https://www.w3.org/community/ai-content-disclosure/"
AUTONOMOUS, ASSISTED = "ai-autonomous", "ai-assisted"
DISCLOSURES: Mapping[str, str] = MappingProxyType({MACHINE: AUTONOMOUS, CHECKED: ASSISTED})


def disclosure_of(marks: Iterable[str]) -> str:
    """Return the word for several texts: that of one that nobody has checked goes first."""
    # Which it does by the alphabet as well.
    return max((DISCLOSURES.get(mark, "") for mark in marks), default="")


def readable(record: Record, withheld: Iterable[str]) -> Record:
    """Return a record without the texts with these marks: readers see what stands in for them."""
    marks = record.get(MARKS)
    hidden = {
        tag: names
        for tag, own in (marks or {}).items()
        if (names := {name for mark in withheld for name in own.get(mark, ())})
    }
    if not hidden:
        return record
    variants = {
        tag: {name: text for name, text in texts.items() if name not in hidden.get(tag, ())}
        for tag, texts in record["variants"].items()
    }
    return {**record, "variants": variants}


def mark_of(record: Record, language: str, name: str) -> str:
    """Return the mark of a text; empty where a person wrote it."""
    marks = record.get(MARKS)
    names_by_mark = marks.get(language, {}) if marks else {}
    return next((mark for mark, names in names_by_mark.items() if name in names), "")


def origin_in(record: Record, language: str) -> str:
    """Return who wrote the texts of a language: a ``human``, a ``machine``, or ``mixed``."""
    marks = record.get(MARKS)
    names_by_mark = marks.get(language, {}) if marks else {}
    by_machine = {*names_by_mark.get(MACHINE, ()), *names_by_mark.get(CHECKED, ())}
    if not by_machine:
        return HUMAN
    texts = record["variants"].get(language, {})
    is_whole = all(name in by_machine for name in texts if name not in _NO_WORDS and texts[name])
    return MACHINE if is_whole else MIXED


def has_words(texts: Record) -> bool:
    """Return whether somebody wrote any of the texts of a language."""
    return any(texts[name] for name in texts if name not in _NO_WORDS)


def _marks(entries: Mapping[str, Record]) -> dict[str, list[str]]:
    marks: dict[str, list[str]] = {}
    for name, entry in sorted(entries.items()):
        if is_waiting(entry):
            marks.setdefault(entry["origin"], []).append(name)
        elif entry["origin"] == MACHINE:
            marks.setdefault(CHECKED, []).append(name)
    return marks


def _entries(
    kind: Kind, before: Record, after: Record, tag: str, writing: Writing
) -> dict[str, Record]:
    """Return the entries of one language after a write."""
    texts, were = after["variants"][tag], before.get("variants", {}).get(tag, {})
    names = [name for name in compared_fields(kind) if texts.get(name)]
    rewritten = {name for name in names if texts[name] != were.get(name)}
    origins = dict(_origins(writing.origins.get(tag, {}), names, rewritten))
    checks = writing.reviews.get(tag, {})
    entries = {}
    for name in names:
        entry = before.get(LEDGER, {}).get(tag, {}).get(name)
        if name in rewritten:
            entry = _rewritten(entry, were.get(name), texts[name], origins.get(name), writing)
        elif name in origins:
            entry = _restated(entry, texts[name], origins[name], writing)
        if (check := checks.get(name, checks.get(ALL))) is not None:
            entry = _checked(entry, writing, check=check)
        if entry:
            entries[name] = entry
    return entries


def _origins(
    origins: Mapping[str, Origin], names: Iterable[str], rewritten: set[str]
) -> Iterator[tuple[str, Origin]]:
    """Yield the origin of each text: its own, else the common one of rewritten texts."""
    of_all = origins.get(ALL)
    for name in names:
        if name in origins:
            yield name, origins[name]
        elif of_all and (name in rewritten or not rewritten):
            yield name, of_all


def _rewritten(
    entry: Record | None, was: Any, text: Any, origin: Origin | None, writing: Writing
) -> Record:
    """Return the entry of a text that reads otherwise now."""
    if origin is not None:
        return _entry_of_origin(text, was, origin, writing)
    if writing.origin != HUMAN:
        return {"origin": writing.origin, "by": writing.source or writing.by, "at": writing.at}
    if entry is None or entry["origin"] not in _PROPOSED or not was:
        return _by_person(writing)
    return _edited(entry, _distance(was, text), len(words_of(was)), writing)


def _entry_of_origin(text: Any, was: Any, origin: Origin, writing: Writing) -> Record:
    """Return the entry of a text that is written with its origin."""
    if origin.origin == HUMAN:
        return _by_person(writing)
    entry: Record = {"origin": origin.origin, "by": origin.by, "at": writing.at}
    if origin.proposal is None or origin.reviewed is False:
        return entry | ({"reviewed": writing.check} if origin.reviewed else {})
    proposal = _whole(origin.proposal, was)
    return _edited(entry, _distance(proposal, text), len(words_of(proposal)), writing)


def _restated(entry: Record | None, text: Any, origin: Origin, writing: Writing) -> Record | None:
    """Return the entry of an unchanged text with a newly stated origin.

    Who takes over a proposal that stands there already has checked it.
    """
    if origin.proposal is None:
        restated = _entry_of_origin(text, text, origin, writing)
        same = entry and (entry["origin"], entry["by"]) == (restated["origin"], restated["by"])
        return (
            _checked(entry, writing, check=True)
            if same and origin.reviewed
            else (entry if same else restated)
        )
    takes_over = entry and is_waiting(entry) and origin.reviewed is not False
    return _checked(entry, writing, check=True) if takes_over else entry


def _edited(entry: Record, distance: int, length: int, writing: Writing) -> Record:
    """Return the entry of a proposal that a person has read, and maybe changed."""
    edited = entry.get("edited", 0) + distance
    if edited > min(_FEW, max(1, length // _SHARE)):
        based_on = {"origin": entry["origin"], "by": entry["by"]}
        return _by_person(writing) | {"based_on": based_on}
    return {**entry, "reviewed": writing.check} | ({"edited": edited} if edited else {})


def _checked(entry: Record | None, writing: Writing, *, check: bool) -> Record | None:
    """Return an entry with a check, or without one; who checked first stays."""
    if not check:
        return entry and {name: value for name, value in entry.items() if name != "reviewed"}
    if entry and "reviewed" in entry:
        return entry
    return {**(entry or {"origin": HUMAN, "by": None, "at": None}), "reviewed": writing.check}


def _by_person(writing: Writing) -> Record:
    return {"origin": HUMAN, "by": writing.by, "at": writing.at}


def _whole(proposal: Any, was: Any) -> Any:
    """Return custom fields as they would read with the proposed parts."""
    if not isinstance(proposal, Mapping):
        return proposal
    fields = {key: dict(parts) for key, parts in (was or {}).items()}
    for key, parts in proposal.items():
        fields[key] = fields.get(key, {}) | dict(parts)
    return fields


def _distance(text: Any, later: Any) -> int:
    """Return the edit distance of two texts in characters, cut off above small edits."""
    # Loaded late, since only who changes a proposal needs it.
    from rapidfuzz.distance import Levenshtein  # noqa: PLC0415

    cutoff = _FEW + 1
    distance: int = Levenshtein.distance(words_of(text), words_of(later), score_cutoff=cutoff)
    return distance
