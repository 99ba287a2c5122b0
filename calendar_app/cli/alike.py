"""``check --places``: venues and organizers that are perhaps one, ready to be united."""

from collections.abc import Iterator, Sequence

from calendar_app.calendar.alike_records import AlikeRecord, alike_records
from calendar_app.domain.kind import Kind
from calendar_app.domain.kinds import ORGANIZER, VENUE
from calendar_app.domain.languages import localize
from calendar_app.settings import Settings
from calendar_app.storage.mongo.store import Store
from calendar_app.storage.query.clauses import EVERYTHING

_DETAILS = ("address", "city", "website")
_DESK = "/desk"


def alike_lines(store: Store, settings: Settings) -> Iterator[str]:
    """Yield possible namesakes, and the address to unite them; the one to keep comes first."""
    chain = settings.chain(settings.default_language)
    for kind in (VENUE, ORGANIZER):
        groups = alike_records(store, kind, EVERYTHING)
        yield f"{kind.name.capitalize()} that are perhaps one: {len(groups) or 'none'}."
        for kept, *others in groups:
            yield f"  {_described(kind, kept, chain)}"
            for other in others:
                address = f"{settings.site_url}{_DESK}/{kind.name}/{kept.id}/unite?with={other.id}"
                yield f"    {_described(kind, other, chain)} -> {address}"


def _described(kind: Kind, alike: AlikeRecord, chain: Sequence[str]) -> str:
    record = alike.record
    texts = localize(record["variants"], (kind.label, *_DETAILS), chain)
    shared = (record.get(name) for name in ("zip", "email", "phone"))
    facts = ", ".join(filter(None, [*(texts[name] for name in _DETAILS), *shared]))
    events = f"{alike.events} event{'' if alike.events == 1 else 's'}"
    return f"{alike.id} {texts[kind.label]} ({'; '.join(filter(None, [facts, events]))})"
