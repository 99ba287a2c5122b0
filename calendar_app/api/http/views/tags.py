"""Entity tags of records: made of what they show, where that can be told without rendering it."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import lru_cache
from importlib.metadata import version

from xxhash import xxh3_128_hexdigest

from calendar_app.api.http.answers.answering import (
    encoded,
    entity_tag,
    is_matched,
    plain_answer,
    selected_paths,
)
from calendar_app.api.http.request import current
from calendar_app.api.presentation.records import RecordView
from calendar_app.api.presentation.shapes import JSONObject
from calendar_app.calendar.reading.reader import unlocked
from calendar_app.domain.kind import Kind, Record
from calendar_app.readmodel.records import ReadRecord
from calendar_app.settings import Settings

Present = Callable[..., JSONObject]

# Another version may present records differently.
_VERSION = version("calendar-app")
# The settings that records show; no others, which may differ between workers, and lest a tag tell
# by a guess what somebody keeps secret.
SHOWN_SETTINGS = (
    *("site_name", "namespace", "api_prefix", "translation_parameter", "page_template"),
    *("languages", "default_language", "fallback", "negotiate_language", "custom_fields"),
    *("timezone", "data_license", "machine_text"),
    *("currency_symbol", "currency_code", "currency_position"),
)
# Below all revisions, so that the write fails.
_NO_REVISION = 0


def tag_of_content(kind: Kind, record: Record, view: RecordView) -> str | None:
    """Return the entity tag of a record on its own route, by all that it shows.

    The caller is no part of it, so that who reads without credentials may write with them.
    ``None`` where the body decides: of pictures, which tell where they are used, and of a selection
    of fields, where others may change.
    """
    return None if kind.is_picture or selected_paths() else _tag_of_whole(kind, record, view)


def tag_of_body(record: Record, view: RecordView, present: Present) -> str:
    """Return the entity tag of a record on its own route, computed from its body."""
    return entity_tag(encoded(present(record, view, single=True)))


def _tag_of_whole(kind: Kind, record: Record, view: RecordView) -> str:
    context = view.context
    shows_writers = view.variants or view.origins
    parts = (
        _of_site(context.settings),
        kind.name,
        context.version(record),
        context.chain,
        context.addresses.key,
        (view.variants, view.origins),
        shows_writers and ReadRecord(record, context).may_edit(kind),
        _shows_series(record, view),
    )
    return xxh3_128_hexdigest(repr(parts).encode())


@lru_cache(8)
def _of_site(settings: Settings) -> str:
    shown = {name: getattr(settings, name) for name in SHOWN_SETTINGS}
    return xxh3_128_hexdigest(f"{_VERSION} {shown}".encode())


def _shows_series(record: Record, view: RecordView) -> bool:
    """Say whether the caller may know of the series of a record without a password."""
    context, facts = view.context, view.context.series.get(record.get("series", 0))
    return facts is not None and (
        record["password"] is not None or unlocked(facts.record, context.caller, context.password)
    )


# Optimistic locking with ``If-Match``.
#
# The tag may be that of the record in the language of the request or in all languages, and
# narrowed to ``_fields`` or whole. A tag of another language proves nothing about the texts to be
# replaced.


def expected_revision(record: Record, tags: Iterator[str]) -> int:
    """Return the revision that ``If-Match`` names by one of the ``tags`` of the record."""
    if_match = current.context().request.if_match
    if if_match.star_tag or any(is_matched(if_match, tag) for tag in tags):
        return int(record["revision"])
    return _NO_REVISION


def tags_of(kind: Kind, record: Record, view: RecordView, present: Present) -> Iterator[str]:
    """Yield the entity tags with which a write of the record may come."""
    if not kind.is_picture:
        yield from (_tag_of_whole(kind, record, each) for each in _views(view))
    if kind.is_picture or selected_paths():
        yield from tags_of_bodies(record, view, present)


def tags_of_bodies(record: Record, view: RecordView, present: Present) -> Iterator[str]:
    """Yield the entity tags of a record, computed from its bodies."""
    for each in _views(view):
        body = present(record, each, single=True)
        yield entity_tag(encoded(body))
        yield entity_tag(plain_answer(body).get_data())


def _views(view: RecordView) -> Iterator[RecordView]:
    """Yield how the record may have been read: as it is, by an editor, in all languages."""
    settings = view.context.settings
    everything = replace(view.context, chain=settings.chain(settings.default_language))
    yield replace(view, origins=False)
    yield replace(view, origins=True)
    yield replace(view, context=everything, variants=True)
