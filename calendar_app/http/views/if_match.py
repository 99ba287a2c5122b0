"""Optimistic locking with ``If-Match``.

The tag may be that of the record in the language of the request or in all languages, and narrowed
to ``_fields`` or whole. A tag of another language proves nothing about the texts to be replaced.
"""

from collections.abc import Callable
from dataclasses import replace

from calendar_app.domain.kind import Record
from calendar_app.http.answers.answering import answer, plain_answer
from calendar_app.http.answers.conditional import entity_tag
from calendar_app.http.presentation.presenting import JSONObject, View
from calendar_app.http.request import current

# Below all revisions, so that the write fails.
_NO_REVISION = 0


def expected_revision(record: Record, view: View, present: Callable[..., JSONObject]) -> int:
    """Return the revision that ``If-Match`` names."""
    if_match = current.request().if_match
    everything = view.settings.chain(view.settings.default_language)
    views = (view, replace(view, chain=everything, variants=True, cache={}))
    presented = (present(record, each, single=True) for each in views)
    responses = (serialize(each) for each in presented for serialize in (answer, plain_answer))
    if if_match.star_tag or any(
        if_match.contains(entity_tag(response.get_data())) for response in responses
    ):
        return int(record["revision"])
    return _NO_REVISION
