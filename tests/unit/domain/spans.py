"""Times of events as a write settles them, at a site in Zurich."""

from datetime import datetime

from calendar_app.domain.moments import Moment
from calendar_app.domain.timespan import settle
from calendar_app.domain.zones import zone_of


def at(text):
    return datetime.fromisoformat(text)


def moment(text):
    return Moment(at(text))


def settled(stored=None, **sent):
    """Settle with a Zurich site; texts for ``start`` and ``end`` may carry a zone behind ``|``."""
    for name in ("start", "end"):
        text, _, zone = sent.get(name, "").partition("|")
        sent[name] = Moment(at(text), zone_of(zone) if zone else None) if text else None
    fields = {"timezone": None, "all_day": None, "site_timezone": "Europe/Zurich"} | sent
    return settle(stored, **fields)


def span_texts(span):
    return tuple(str(each) for each in (span.start_local, span.end_local, span.start, span.end))
