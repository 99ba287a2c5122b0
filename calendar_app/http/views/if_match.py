"""Whether who writes has seen the record as it is: the header ``If-Match``.

Its tag may be that of the record in the language of the request or in all of them, and narrowed to
the ``_fields`` of the request or whole. Who has read another language alone has not seen what the
write may replace.
"""

from collections.abc import Callable
from dataclasses import replace

from calendar_app.domain.kind import Record
from calendar_app.http.answers.answering import answer, plain_answer
from calendar_app.http.answers.conditional import entity_tag
from calendar_app.http.presentation.presenting import Shown, View
from calendar_app.http.request import current

# No record is at it, so that a write fails for it where it would not fail for more.
_UNSEEN = 0


def seen_revision(record: Record, view: View, present: Callable[..., Shown]) -> int:
    """Return the revision that the client has seen, as ``If-Match`` says it."""
    wanted = current.request().if_match
    everything = view.settings.chain(view.settings.default_language)
    ways = (view, replace(view, chain=everything, variants=True, made={}))
    shown = (present(record, way, single=True) for way in ways)
    answers = (form(each) for each in shown for form in (answer, plain_answer))
    if wanted.star_tag or any(wanted.contains(entity_tag(one.get_data())) for one in answers):
        return int(record["revision"])
    return _UNSEEN
