"""A VEVENT as changes in the editor's words."""

from collections.abc import Iterator

from icalendar import Event

from calendar_app.domain.kind import Record
from calendar_app.domain.statuses import MIXED, OFFLINE, ONLINE, PRIVATE, SCHEDULED
from calendar_app.imports.ics.people import has_point, online_url_of, organizers_of, venues_of
from calendar_app.imports.ics.properties import is_inline, parameter, text, texts, value, values
from calendar_app.imports.ics.times import EventTimes
from calendar_app.imports.ics.writing import UNPLANNED, Languages, address, texts_of

_HIDDEN_CLASSES = ("PRIVATE", "CONFIDENTIAL")


def changes_of(
    event: Event, times: EventTimes, languages: Languages, master: Event | None = None
) -> tuple[str, Record]:
    """Return the language of the title, and the changes; raise ``ValueError`` if unreadable."""
    language, variants = texts_of(event, master or event, languages)
    venues, online_url = venues_of(event, languages), online_url_of(event)
    mode = (MIXED if venues else ONLINE) if online_url else OFFLINE
    changes = {
        "variants": variants,
        "venues": venues,
        "organizers": organizers_of(event, languages),
        "categories": list(dict.fromkeys(texts(event, "CATEGORIES"))),
        "image": _image(event),
        "online_url": online_url,
        "attendance_mode": mode,
    }
    if text(event, "STATUS").upper() == "CANCELLED":
        # Cancellations often say nothing but the time.
        variants[language] = _nonempty(variants[language])
        changes = _nonempty(changes | {"attendance_mode": mode if online_url else ""})
    changes["event_status"] = UNPLANNED.get(text(event, "STATUS").upper(), SCHEDULED)
    if text(event, "CLASS").upper() in _HIDDEN_CLASSES:
        changes["status"] = PRIVATE
    return language, changes | times.changes()


def left_out(event: Event) -> Iterator[str]:
    """Yield in words what an import leaves out of an event that it takes."""
    for name, reason in event.errors:
        yield f"{name}, which cannot be read: {reason}"
    if "EXRULE" in event:
        yield "EXRULE, which iCalendar has no more; list these dates as EXDATE."
    if value(event, "GEO") is not None and not has_point(event):
        yield "GEO, which needs a LOCATION, and degrees that exist."
    for name in ("ATTACH", "IMAGE"):
        if any(map(is_inline, values(event, name))):
            yield f"the file in {name}; only addresses are taken."
    for name in ("URL", "IMAGE"):
        words = [str(each) for each in values(event, name) if not is_inline(each)]
        for word in words:
            if not address(word):
                yield f"{name}, which is no address of the web: {word}"


def _nonempty(changes: Record) -> Record:
    return {name: value for name, value in changes.items() if value}


def _image(event: Event) -> str | None:
    """Return the address of IMAGE, else of an ATTACH that is a picture."""
    attached = (
        prop
        for prop in values(event, "ATTACH")
        if parameter(prop, "FMTTYPE").lower().startswith("image/") and not is_inline(prop)
    )
    addresses = (address(str(prop)) for prop in (*values(event, "IMAGE"), *attached))
    return next(filter(None, addresses), None)
