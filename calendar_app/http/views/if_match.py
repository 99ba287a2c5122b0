"""Optimistic locking with ``If-Match``.

The tag may be that of the record in the language of the request or in all languages, and narrowed
to ``_fields`` or whole. A tag of another language proves nothing about the texts to be replaced.
"""

import re
from collections.abc import Callable
from dataclasses import replace

from flask import Flask

from calendar_app.domain.kind import Record
from calendar_app.errors import InvalidParameters, Message
from calendar_app.http.answers.answering import answer, plain_answer
from calendar_app.http.answers.conditional import entity_tag
from calendar_app.http.request import current
from calendar_app.presentation.records import JSONObject, View

# RFC 9110 section 8.8.3; an empty header says nothing.
_TAG = r'(?:W/)?"[\x21\x23-\x7e\x80-\xff]*"'
_TAGS = re.compile(rf"\s*(?:\*|(?:{_TAG}(?:\s*,\s*|\s*$))*)\s*")
# Below all revisions, so that the write fails.
_NO_REVISION = 0


def require_entity_tags(app: Flask, base: str) -> None:
    """Refuse requests below ``base`` with an ``If-Match`` that is no entity tag."""

    @app.before_request
    def refuse() -> None:
        request = current.request()
        if f"{request.path}/".startswith(f"{base}/") and not _TAGS.fullmatch(
            request.headers.get("If-Match", "")
        ):
            reason = Message(
                "{name} must be an entity tag in quotes, such as {example}.",
                name="If-Match",
                example='"33a64df5"',
            )
            raise InvalidParameters({"If-Match": reason})


def expected_revision(record: Record, view: View, present: Callable[..., JSONObject]) -> int:
    """Return the revision that ``If-Match`` names."""
    if_match = current.request().if_match
    settings = view.context.settings
    everything = replace(view.context, chain=settings.chain(settings.default_language))
    views = (view, replace(view, context=everything, variants=True, cache={}))
    presented = (present(record, each, single=True) for each in views)
    responses = (serialize(each) for each in presented for serialize in (answer, plain_answer))
    if if_match.star_tag or any(
        if_match.contains(entity_tag(response.get_data())) for response in responses
    ):
        return int(record["revision"])
    return _NO_REVISION
