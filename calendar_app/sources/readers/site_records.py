"""Records of a site with The Events Calendar, or of a calendar like this one, as changes.

A calendar like this one has the texts of all languages in ``variants``, and says who wrote each.
"""

from contextlib import suppress
from typing import Any

from calendar_app.domain.custom_fields import NAME
from calendar_app.domain.kind import Kind, Record
from calendar_app.domain.kinds import EVENT, ORGANIZER, VENUE
from calendar_app.domain.ledger import ORIGINS
from calendar_app.domain.provenance import NOTES, named_note
from calendar_app.errors import Message
from calendar_app.sources.calendar_events import TEXT_ORIGINS
from calendar_app.sources.imports.tec import values
from calendar_app.sources.imports.tec.records import changes_of, source_of
from calendar_app.sources.parsed import ParsedCalendar
from calendar_app.sources.readers.records import Reading, nonempty
from calendar_app.sources.site_names import site_of

# What the source does not decide: rights, prominence and addresses here.
_OWN = frozenset(
    {
        *("status", "author", "published", "modified", "lineage", "hidden", "sticky", "featured"),
        *("ticketed", "show_map", "show_map_link", "image_file"),
    }
)


def event_changes(label: str, raw: Any, reading: Reading, parsed: ParsedCalendar) -> Record:
    """Return the changes of an event, with those of its venues, organizers and terms."""
    changes = _changes(EVENT, raw, reading)
    for name, words in values.invalid_addresses(raw).items():
        parsed.leave_out(
            label,
            Message("{name}, which is not a web address: {words}", name=name, words=words),
        )
    changes["timezone"] = changes.get("timezone") or reading.timezone
    changes.setdefault("all_day", False)
    changes["venues"] = [_linked(VENUE, each, reading) for each in values.members(raw, "venue")]
    changes["organizers"] = [
        _linked(ORGANIZER, each, reading) for each in values.members(raw, "organizer")
    ]
    for name in ("categories", "tags"):
        names = (_term_name(each, reading.language) for each in values.members(raw, name))
        changes[name] = list(dict.fromkeys(filter(None, names)))
    return changes


def _term_name(raw: Any, language: str) -> str:
    variants = raw.get("variants")
    texts = variants.get(language) if isinstance(variants, dict) else None
    own = values.text(texts, "name") if isinstance(texts, dict) else ""
    return own or values.line(raw, "name")


def _linked(kind: Kind, raw: Any, reading: Reading) -> Record:
    """Return the changes of a venue or organizer, with the note by which an import knows it."""
    changes = _changes(kind, raw, reading)
    with suppress(ValueError):  # It has no id.
        origin = source_of(kind.name, raw)
        if site_of(origin):
            changes[NOTES] = [named_note(origin, {reading.language: {"digest": ""}})]
    return changes


def lineage_in(raw: Any) -> tuple[str, ...]:
    """Return the ids of an event in the calendars from which the site has it."""
    own = values.text(raw, "global_id")
    return tuple(uid for uid in values.texts(raw, "global_id_lineage") if uid != own)


def _changes(kind: Kind, raw: Any, reading: Reading) -> Record:
    """Return the changes of a record; a calendar like this one has variants in more languages."""
    changes = changes_of(kind, raw, reading.language, reading.currency)
    variants = _variants(kind, raw, reading)
    if not variants:
        variants = {reading.language: nonempty(_named(changes["variants"][reading.language]))}
    shared = {name: value for name, value in changes.items() if name not in _OWN}
    if kind is not EVENT:
        shared = nonempty(shared)
    if origins := _origins(raw, variants):
        shared[TEXT_ORIGINS] = origins
    return shared | {"variants": variants}


def _named(texts: Record) -> Record:
    """Return texts without the slug, which is given here."""
    return {name: text for name, text in texts.items() if name != "slug"}


def _variants(kind: Kind, raw: Any, reading: Reading) -> dict[str, Record]:
    """Return the texts of our languages, that of the source first, where a record has them all."""
    variants = raw.get("variants")
    texts_by_tag = variants if isinstance(variants, dict) else {}
    return {
        language: nonempty(_texts(kind, texts))
        for language in dict.fromkeys((reading.language, *reading.languages))
        if isinstance(texts := texts_by_tag.get(language), dict) and texts.get(kind.label)
    }


def _texts(kind: Kind, texts: Record) -> Record:
    own: Record = {
        n: text for n in kind.texts if isinstance(text := texts.get(n), str) and n != "slug"
    }
    if "website" in own:
        own["website"] = values.address(texts, "website")
    if NAME in kind.texts:
        own[NAME] = values.custom_fields(texts)
    return own


def _origins(raw: Any, variants: Record) -> Record:
    """Return who wrote each text, and whether somebody has checked it, by language and field."""
    origins = raw.get(TEXT_ORIGINS)
    entries_by_tag = origins if isinstance(origins, dict) else {}
    return nonempty(
        {
            language: nonempty(
                {
                    name: [entry["origin"], entry.get("reviewed") is True]
                    for name in texts
                    if isinstance(entry := own.get(name), dict) and entry.get("origin") in ORIGINS
                }
            )
            for language, texts in variants.items()
            if isinstance(own := entries_by_tag.get(language), dict)
        }
    )
