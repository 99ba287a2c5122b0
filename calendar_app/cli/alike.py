"""``check --places``: venues and organizers that are perhaps one, or perhaps several."""

from collections.abc import Iterator, Sequence

from calendar_app.calendar.alike_records import AlikeRecord, alike_records, events_linking
from calendar_app.domain.kind import Kind
from calendar_app.domain.kinds import ORGANIZER, VENUE
from calendar_app.domain.languages import localize
from calendar_app.settings import Settings
from calendar_app.sources.fused_records import fused_records
from calendar_app.storage.mongo.store import Store
from calendar_app.storage.query.clauses import EVERYTHING, one_of

_DETAILS = ("address", "city", "website")
_DESK = "/desk"


def alike_lines(store: Store, settings: Settings) -> Iterator[str]:
    """Yield records that are perhaps one, with the address to unite them, then fused ones.

    The one to keep comes first.
    """
    chain = settings.chain(settings.default_language)
    for kind in (VENUE, ORGANIZER):
        groups = alike_records(store, kind, EVERYTHING)
        yield f"{kind.name.capitalize()} that are perhaps one: {len(groups) or 'none'}."
        for first, *duplicates in groups:
            yield f"  {_described(kind, first, chain)}"
            for duplicate in duplicates:
                address = (
                    f"{settings.site_url}{_DESK}/{kind.name}/{first.id}/unite?with={duplicate.id}"
                )
                yield f"    {_described(kind, duplicate, chain)} -> {address}"
        yield from _several_lines(store, settings, kind)


def _several_lines(store: Store, settings: Settings, kind: Kind) -> Iterator[str]:
    """Yield records that stand for several, with the address of the register of each name."""
    fused = list(fused_records(store, kind))
    yield f"{kind.name.capitalize()} that are perhaps several: {len(fused) or 'none'}."
    numbers = events_linking(store, kind, [number for number, _ in fused])
    records = store.of(kind).find(one_of("_id", [number for number, _ in fused]))
    by_id = {each["_id"]: AlikeRecord(each, numbers[each["_id"]]) for each in records}
    chain = settings.chain(settings.default_language)
    for number, names in fused:
        if number in by_id:
            yield f"  {_described(kind, by_id[number], chain)}"
            for each in names:
                address = f"{settings.site_url}{_DESK}/sources/{each.source}/register"
                yield f"    {each.name} ({each.address}) -> {address}"


def _described(kind: Kind, alike: AlikeRecord, chain: Sequence[str]) -> str:
    record = alike.record
    texts = localize(record["variants"], (kind.label, *_DETAILS), chain)
    shared = (record.get(name) for name in ("zip", "email", "phone"))
    facts = ", ".join(filter(None, [*(texts[name] for name in _DETAILS), *shared]))
    events = f"{alike.events} event{'' if alike.events == 1 else 's'}"
    return f"{alike.id} {texts[kind.label]} ({'; '.join(filter(None, [facts, events]))})"
