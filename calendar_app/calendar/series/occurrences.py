"""Occurrences as documents: copies of their series, but for the fields that they override.

An occurrence is an event with four more fields: ``series``, the id; ``recurrence_id``, its start by
the rule, in wall clock; ``date_slug``, what stands behind the slug of the series; ``overrides``,
the paths that differ from the series: ``venues``, ``variants.rm.title``. The path of a language,
``variants.rm``, says that the occurrence lacks it.
"""

import re
from collections.abc import Collection, Iterable
from dataclasses import fields
from typing import Any

from calendar_app.calendar.slugs import index_slugs
from calendar_app.domain.fields import (
    DISPLAY_TITLE,
    FOLDED,
    HAS_TITLE,
    LASTS_UNDER,
    TITLE_LANGUAGES,
    WORDS,
)
from calendar_app.domain.kind import Record
from calendar_app.domain.ledger import LEDGER, MARKS, UNREVIEWED, settled
from calendar_app.domain.provenance import INHERITED, NOTES, inherit, sources_of
from calendar_app.domain.statuses import TRASH, is_hidden
from calendar_app.domain.timespan import TimeSpan, lasts_under
from calendar_app.storage.migrations import FORMER_NAMES

RECURRENCE_ID = "recurrence_id"
# The fields that make an event an occurrence.
MEMBERSHIP = ("series", RECURRENCE_ID, "date_slug", "overrides")
# The fields of a series that events lack.
OF_SERIES = ("recurrence", "expanded_until", "dates_from", "continues")
_OWN = (
    *("_id", "revision", "modified", "slugs", "slugs_before_trash", "status_before_trash"),
    *("withdrawn", "touched", *FORMER_NAMES, NOTES, "lineage", "document"),
    *(WORDS, INHERITED, *MEMBERSHIP),
)
_TEXTS = "variants"
OF_OWN_TEXTS = (
    *("origin", "sources", "standing"),
    *(WORDS, DISPLAY_TITLE, TITLE_LANGUAGES, HAS_TITLE),
)
# Computed from the texts and the password.
_COMPUTED = (FOLDED, "names", LEDGER, MARKS, UNREVIEWED, *OF_OWN_TEXTS)
_SPAN = tuple(field.name for field in fields(TimeSpan))
_TIMES = (*_SPAN, LASTS_UNDER)
# The fields of a change that are about time, and those that they set.
SENT_TIMES = frozenset({"start", "end", "timezone", "all_day"})
TIME_PATHS = ("start_local", "end_local", "timezone", "all_day")
# Fields that follow others: an override of the first ones keeps all of them.
_GROUPS = (
    (TIME_PATHS, _TIMES),
    (("venues",), ("location", "restricted_place")),
    (("status", "published"), ("status", "published", "dated", "date_sent", "date_utc_sent")),
    (("hidden", "password"), ("hidden", "password")),
)
_FOLLOWING = {name for _, group in _GROUPS for name in group}


def times(span: TimeSpan) -> Record:
    """Return the fields of an event at that time."""
    span_values = {name: getattr(span, name) for name in _SPAN}
    return span_values | {LASTS_UNDER: lasts_under(span.start_local, span.end_local)}


def derived(series: Record, occurrence: Record, span: TimeSpan) -> Record:
    """Return an occurrence as its series gives it now, with its overrides kept."""
    overrides = occurrence.get("overrides", ())
    overridden = _kept_fields(overrides)
    after = {
        name: value for name, value in occurrence.items() if name in _OWN or name in overridden
    }
    shared = {**series, **times(span)}
    after |= {
        name: value
        for name, value in shared.items()
        if name not in overridden and name not in _OWN and name not in OF_SERIES
    }
    after[_TEXTS] = _texts(series, occurrence, overrides)
    inherit(after, sources_of(series))
    return settled(after, _ledger(series, occurrence, overrides))


def overrides_of(series: Record, occurrence: Record, span: TimeSpan) -> list[str]:
    """Return the paths at which an occurrence differs from its series."""
    inherited = _comparable({**series, **times(span)})
    own = _comparable(occurrence)
    names = [
        name
        for name in sorted(inherited.keys() | own.keys())
        if inherited.get(name) != own.get(name)
    ]
    return names + list(_differing_texts(series, occurrence))


def slug_in(series: Record, occurrence: Record, language: str) -> str:
    """Return the slug that a series gives to an occurrence; nothing while it has none."""
    slug = series[_TEXTS].get(language, {}).get("slug")
    return f"{slug}/{occurrence['date_slug']}" if slug else ""


def detached(occurrence: Record) -> Record:
    """Return an occurrence as an event of its own."""
    return {name: value for name, value in occurrence.items() if name not in MEMBERSHIP}


def _comparable(record: Record) -> Record:
    """Return the fields that writes set, as they compare between a series and an occurrence."""
    hidden_fields = {*_OWN, *OF_SERIES, *_COMPUTED, _TEXTS} | (
        _FOLLOWING - {*TIME_PATHS, "status", "published", "password"}
    )
    compared = {name: value for name, value in record.items() if name not in hidden_fields}
    status = record["status"]
    return compared | {
        "hidden": is_hidden(record["hidden"]),
        "status": record.get("status_before_trash", status) if status == TRASH else status,
    }


def _kept_fields(overrides: Collection[str]) -> set[str]:
    overridden = set(overrides)
    for names, group in _GROUPS:
        if not overridden.isdisjoint(names):
            overridden.update(group)
    return overridden


def _texts(series: Record, occurrence: Record, overrides: Collection[str]) -> Record:
    """Return the texts of the series in each language, with the overrides."""
    own = occurrence.get(_TEXTS, {})
    variants: Record = {}
    for tag in (*series[_TEXTS], *(tag for tag in own if tag not in series[_TEXTS])):
        if f"{_TEXTS}.{tag}" in overrides:
            continue
        texts = _texts_in(tag, series, occurrence, overrides)
        if any(text for name, text in texts.items() if name != "slug"):
            variants[tag] = texts
    return variants


def _texts_in(
    tag: str, series: Record, occurrence: Record, overrides: Collection[str]
) -> dict[str, Any]:
    own = occurrence.get(_TEXTS, {}).get(tag, {})
    inherited = dict(series[_TEXTS].get(tag, {}))
    slug = slug_in(series, occurrence, tag)
    inherited |= {"slug": slug} if slug else {}
    texts = {}
    for name in (*inherited, *(name for name in own if name not in inherited)):
        source = own if f"{_TEXTS}.{tag}.{name}" in overrides else inherited
        if name in source:
            texts[name] = source[name]
    return texts


def _ledger(series: Record, occurrence: Record, overrides: Collection[str]) -> Record:
    """Return who wrote the texts of an occurrence: those of the series, and its own."""
    ledger = {tag: dict(entries) for tag, entries in series.get(LEDGER, {}).items()}
    own = occurrence.get(LEDGER, {})
    for path in overrides:
        first, _, rest = path.partition(".")
        tag, _, name = rest.partition(".")
        if first == _TEXTS and name:
            entries = ledger.setdefault(tag, {})
            entries.pop(name, None)
            if name in own.get(tag, {}):
                entries[name] = own[tag][name]
    return ledger


def _differing_texts(series: Record, occurrence: Record) -> Iterable[str]:
    own = occurrence[_TEXTS]
    for tag in sorted(own.keys() | series[_TEXTS].keys()):
        if tag not in own:
            yield f"{_TEXTS}.{tag}"
            continue
        inherited = _texts_in(tag, series, {**occurrence, _TEXTS: {}}, ())
        texts = _with_untrashed_slug(own[tag], occurrence, tag)
        for name in sorted(inherited.keys() | texts.keys()):
            if inherited.get(name) != texts.get(name):
                yield f"{_TEXTS}.{tag}.{name}"


def _with_untrashed_slug(texts: Record, occurrence: Record, tag: str) -> Record:
    if occurrence["status"] != TRASH:
        return texts
    slug = occurrence.get("slugs_before_trash", {}).get(tag)
    rest = {name: text for name, text in texts.items() if name != "slug"}
    return rest | ({"slug": slug} if slug else {})


def take_slugs(series: Record, before: Record, after: Record) -> None:
    """Give a language that an occurrence had not the slug of the series, not one of its title."""
    for tag, texts in after["variants"].items():
        is_made = texts.get("slug", "").endswith(f"/{after['date_slug']}")
        if is_made and tag not in before["variants"]:
            texts["slug"] = slug_in(series, after, tag) or texts["slug"]
    index_slugs(after)


def without_date_slugs(changes: Record, occurrence: Record) -> Record:
    """Return the changes with slugs of the series, not of one of its dates."""
    if "variants" not in changes:
        return changes
    date = re.compile(rf"[-/]{occurrence['date_slug']}$")
    variants = {
        tag: {n: date.sub("", t) if n == "slug" and t else t for n, t in texts.items()}
        for tag, texts in changes["variants"].items()
    }
    return {**changes, "variants": variants}


def restored(occurrence: Record) -> Record:
    """Return an occurrence as it was before the trash, its slugs from before as well."""
    if occurrence["status"] != TRASH:
        return occurrence
    slugs = occurrence.get("slugs_before_trash", {})
    variants = {
        tag: {name: text for name, text in texts.items() if name != "slug"}
        | ({"slug": slugs[tag]} if tag in slugs else {})
        for tag, texts in occurrence["variants"].items()
    }
    status = occurrence.get("status_before_trash", occurrence["status"])
    rest = {
        name: value
        for name, value in occurrence.items()
        if name not in ("slugs_before_trash", "status_before_trash")
    }
    return rest | {"status": status, "variants": variants}


def applying_to(occurrence: Record, changes: Record) -> Record:
    """Return the changes that say something of the languages that an occurrence has."""
    languages = occurrence["variants"]
    variants = {t: texts for t, texts in changes.get("variants", {}).items() if t in languages}
    all_confirmed = changes.get("confirmed", {})
    confirmed = {tag: fields for tag, fields in all_confirmed.items() if tag in languages}
    return {"variants": variants, "confirmed": confirmed}
