"""The list of records that wait for translators, and the way to the next one."""

from dataclasses import replace

import marshmallow as ma
from flask import Response

from calendar_app.accounts.policy import Right, may_read
from calendar_app.desk.rendering import notify, render, see, sent_window
from calendar_app.desk.routing import page
from calendar_app.desk.translating.naming import KIND_NAMES, name_of
from calendar_app.desk.translating.waiting import (
    KINDS,
    STATES,
    Counts,
    Queue,
    counts,
    offered_kinds,
)
from calendar_app.domain.kind import Kind, Record
from calendar_app.domain.translations import CURRENT, OUTDATED
from calendar_app.errors import InvalidParameters, Message
from calendar_app.html.wording import own_name
from calendar_app.http.fields.scalars import whole_number
from calendar_app.http.lists.filtering import SearchText
from calendar_app.http.request import current
from calendar_app.http.request.negotiation import named_language

_PER_PAGE = 50


class _SearchSchema(ma.Schema):
    class Meta:
        unknown = ma.EXCLUDE

    search = SearchText(blank=True, load_default="")


@page("/translations/", needs=Right.EDIT)
def translations() -> Response:
    """Show the waiting records, by language, kind and state, with numbers."""
    language = _language()
    queue = queue_of_request(language)
    numbers = counts(current.settings().languages, past=queue.past)
    kind, state = _part(language, numbers)
    queue = replace(queue, state=state)
    listing = queue.listing(kind, sent_window(_PER_PAGE))
    results = current.reader().search(kind, listing, current.caller())
    total = results.total if queue.search else numbers[language, kind.name, state]
    return render(
        "translations.html",
        kind_names=KIND_NAMES,
        queue=queue,
        kind=kind,
        kinds=offered_kinds(),
        states=STATES,
        numbers=numbers,
        page_number=listing.window.number,
        pages=-(-total // _PER_PAGE),
        records=[(record, name_of(kind, record)) for record in results.items],
    )


@page("/translations/next", needs=Right.EDIT)
def next_translation() -> Response:
    """Lead to the next record that waits; else back to the list."""
    language = _language()
    queue = queue_of_request(language)
    following = _following(queue)
    if following is None:
        name = own_name(language)
        notify(Message("Nothing else waits here in {language}.", language=name))
        return see(f"/translations/?{queue.query}")
    kind, record = following
    return see(f"/{kind.name}/{record['_id']}/translate/{language}?{queue.query}")


def queue_of_request(language: str) -> Queue:
    """Return the queue that the address names, else that of outdated texts."""
    args = current.request().args
    state, source = args.get("state", OUTDATED), args.get("source", "")
    return Queue(
        language,
        state if state in STATES else OUTDATED,
        bool(args.get("past")),
        _search(),
        named_language(source, current.settings().languages) or "",
    )


def _following(queue: Queue) -> tuple[Kind, Record] | None:
    name, _, number = current.request().args.get("after", "").partition(".")
    kind, record_id = KINDS.get(name), whole_number(number) if number else None
    record = current.reader().find(kind, record_id) if kind and record_id else None
    if not kind or not record or (kind.has_status and not may_read(current.caller(), record)):
        return queue.first()
    return queue.next_of(kind, record)


def _search() -> str:
    """Return the words of the search; refuse more than the interface takes."""
    try:
        sent = _SearchSchema().load(current.request().args)
    except ma.ValidationError as error:
        raise InvalidParameters({"search": error.messages_dict["search"][0]}) from error
    words: str = sent["search"].strip()
    return words


def _language() -> str:
    """Return the requested language, else the first language besides the default."""
    settings = current.settings()
    requested = named_language(current.request().args.get("language", ""), settings.languages)
    other_languages = (tag for tag in settings.languages if tag != settings.default_language)
    return requested or next(other_languages, settings.default_language)


def _part(language: str, numbers: Counts) -> tuple[Kind, str]:
    """Return the kind and state that are asked for, else the first where something waits."""
    args, kinds = current.request().args, offered_kinds()
    asked_kinds = [kind for kind in kinds if kind.name == args.get("kind")] or kinds
    asked_states = [state for state in STATES if state == args.get("state")] or list(STATES)
    parts = [(kind, state) for state in asked_states for kind in asked_kinds]
    waiting = (
        part for part in parts if part[1] != CURRENT and numbers[language, part[0].name, part[1]]
    )
    return next(waiting, parts[0])
