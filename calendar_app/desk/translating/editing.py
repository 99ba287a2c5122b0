"""The page on which one record is translated into one language."""

from collections.abc import Mapping
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any

from flask import Response

from calendar_app.accounts.policy import Right, has_owner, may_edit, require_role
from calendar_app.calendar.series.occurrences import has_own_texts
from calendar_app.desk.rendering import notify, notify_other_slug, render, see
from calendar_app.desk.routing import page
from calendar_app.desk.translating.details import detail_rows, slug_row
from calendar_app.desk.translating.form import Sent, TranslationForm, form_for, merge
from calendar_app.desk.translating.machine import NoProposal, translator
from calendar_app.desk.translating.naming import KIND_NAMES, name_of
from calendar_app.desk.translating.overview import queue_of_request
from calendar_app.desk.translating.rows import Row, rows
from calendar_app.desk.translating.waiting import KINDS, Queue
from calendar_app.desk.translating.writing import change
from calendar_app.domain.kind import Kind, Record
from calendar_app.domain.translations import source_language
from calendar_app.errors import CalendarError, Message, NotAllowed, NotFound, PreconditionFailed
from calendar_app.http.request import current
from calendar_app.http.request.negotiation import named_language
from calendar_app.http.views.blueprint import Refused

_RULE = f"/<any({','.join(KINDS)}):kind>/<digits:id>/translate/<language>"


@dataclass(frozen=True, slots=True)
class Translation:
    """A record that is translated from a ``source`` into a language, and the way it was reached.

    ``made_from`` is the source whose changes the service knows; empty for the first language.
    """

    kind: Kind
    record: Record
    language: str
    source: str
    made_from: str
    rows: list[Row]
    queue: Queue

    @property
    def other_sources(self) -> list[str]:
        """Return the other languages that it could be translated from."""
        written = self.record["variants"]
        chosen = (self.source, self.language)
        return [tag for tag in current.settings().languages if tag in written and tag not in chosen]

    @property
    def tells_changes(self) -> bool:
        return self.source == self.made_from

    @property
    def path(self) -> str:
        return f"/{self.kind.name}/{self.record['_id']}/translate/{self.language}?{self.query}"

    @property
    def next_path(self) -> str:
        place = f"{self.kind.name}.{self.record['_id']}"
        return f"/translations/next?{self.query}&after={place}"

    @property
    def query(self) -> str:
        return self.queue.query


@page(_RULE, needs=Right.EDIT, methods=["GET", "POST"])
def translate(kind: str, id: int, language: str) -> Response:  # noqa: A002  # as in the route
    """Show source and translation side by side, and save the translation."""
    record = _record(KINDS[kind], id)
    tag = named_language(language, current.settings().languages)
    if tag is None:
        raise NotFound(KINDS[kind].singular, id)
    if record.get("series") and not has_own_texts(record):
        return see(f"/series/{record['series']}/translate/{tag}?{queue_of_request(tag).query}")
    translation = _translation(KINDS[kind], record, tag)
    form = form_for(translation.rows, record["revision"])
    if current.request().method != "POST":
        return _show(translation, form)
    return _act(translation, form, Sent(translation.rows))


def _act(translation: Translation, form: TranslationForm, sent: Sent) -> Response:
    """Perform the action of the pressed button."""
    taken = sent.taken()
    if taken:
        name, text = taken
        form[name].data = text
        return _show(translation, form, sent=sent, focus=name)
    if sent.press == "propose":
        return _propose(translation, form, sent)
    return _save(translation, form, sent)


def _save(translation: Translation, form: TranslationForm, sent: Sent) -> Response:
    body = _body(translation, sent)
    kind, record_id = translation.kind, translation.record["_id"]
    try:
        if body:
            written = change(kind, record_id, body, translation.language, sent.revision)
    except PreconditionFailed:
        return _show_conflict(translation, form, sent)
    except (CalendarError, Refused) as error:
        return _show(translation, form, form.refuse(error), sent=sent)
    if body:
        notify(Message("“{name}” is saved.", name=name_of(kind, translation.record)))
        slug = written["variants"].get(translation.language, {}).get("slug")
        if slug and slug != body.get("slug", slug):
            notify_other_slug(body["slug"], slug)
    is_done = sent.press in ("next", "right")
    return see(translation.next_path if is_done else translation.path)


def _body(translation: Translation, sent: Sent) -> dict[str, Any]:
    """Return the changes; a first translation remembers the language that it was made from."""
    body = sent.changes(translation.language)
    is_first = translation.language not in translation.record["variants"]
    if body and is_first and translation.made_from and not translation.tells_changes:
        body["translated_from"] = translation.source
    return body


def _show_conflict(translation: Translation, form: TranslationForm, sent: Sent) -> Response:
    """Show both the typed texts and the texts that somebody else saved meanwhile."""
    form.form_errors.append(
        Message("Somebody has saved this meanwhile. Look at it again, then save once more.")
    )
    theirs = merge(form, sent, translation.rows)
    form.revision.data = str(translation.record["revision"])
    return _show(translation, form, HTTPStatus.PRECONDITION_FAILED, sent=sent, theirs=theirs)


def _propose(translation: Translation, form: TranslationForm, sent: Sent) -> Response:
    """Show proposals of the machine beside the fields; nothing is saved."""
    machine, proposals = translator(), sent.proposals
    waiting = {row.name: row.source for row in translation.rows if row.waits and row.source}
    if machine is None:
        raise NotAllowed
    try:
        proposals |= machine.propose(waiting, translation.source, translation.language)
    except NoProposal as error:
        form.form_errors.append(error.reason)
    return _show(translation, form, sent=sent, proposals=proposals)


def _show(  # noqa: PLR0913  # what is beside the form differs
    translation: Translation,
    form: TranslationForm,
    status: int = HTTPStatus.OK,
    *,
    sent: Sent | None = None,
    proposals: Mapping[str, str] | None = None,
    theirs: Mapping[str, str] | None = None,
    focus: str = "",
) -> Response:
    waiting = next((row.name for row in translation.rows if row.waits), "")
    return render(
        "translate.html",
        status,
        kind_names=KIND_NAMES,
        translation=translation,
        form=form,
        right=sent.right if sent else [],
        proposals=(sent.proposals if sent else {}) if proposals is None else proposals,
        theirs=theirs or {},
        focus="" if form.problems else focus or waiting,
        name=name_of(translation.kind, translation.record),
        has_machine=translator() is not None,
    )


def _record(kind: Kind, record_id: int) -> Record:
    """Return a record that the user may change."""
    caller = current.caller()
    require_role(caller, "edit", kind.singular)
    record = current.reader().find(kind, record_id)
    if record is None:
        raise NotFound(kind.singular, record_id)
    if has_owner(kind.singular) and not may_edit(caller, record):
        raise NotAllowed
    return record


def _translation(kind: Kind, record: Record, language: str) -> Translation:
    queue = queue_of_request(language)
    made_from = source_language(record, language) or ""
    is_there = queue.source in record["variants"] and queue.source != language
    source = queue.source if is_there else made_from
    earlier = {}
    if source and source == made_from:
        earlier = current.services().history.source_texts(kind, record, language)
    part = (kind, record, source, language)
    fields = [*rows(*part, earlier), *detail_rows(*part, earlier), *slug_row(*part)]
    return Translation(kind, record, language, source, made_from, fields if source else [], queue)
