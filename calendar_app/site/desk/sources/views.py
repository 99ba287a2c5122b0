"""The list of sources, one source, its settings, and its end."""

from collections.abc import Callable, Mapping
from functools import partial
from http import HTTPStatus

from flask import Response, request

from calendar_app.accounts.callers import Right
from calendar_app.accounts.policy import manages_sources
from calendar_app.api.http.request import current
from calendar_app.domain.kind import Record
from calendar_app.errors import CalendarError, Message
from calendar_app.site.desk.forms import DeskForm
from calendar_app.site.desk.rendering import notify, render, render_list, see, sent_window
from calendar_app.site.desk.routing import page
from calendar_app.site.desk.sources.fields import sent_values
from calendar_app.site.desk.sources.form import (
    SourceForm,
    fields_here,
    fields_of_words,
    show,
    show_words,
    stored_values,
)
from calendar_app.site.desk.sources.words import (
    kind_name,
    numbers_in_words,
    reason_in_words,
    rhythm_in_words,
    state_of,
)
from calendar_app.site.pages.forms import FormField, read_digests
from calendar_app.sources.managing import Sources
from calendar_app.sources.overview import SourceStatus
from calendar_app.sources.reports import OPEN, SourceRun
from calendar_app.sources.source import FILES, PUSH
from calendar_app.storage.query.list_query import Window

LIST = "/sources/"
SOURCE_PATH = "/sources/<digits:record_id>"
_PER_PAGE = 20
_BOTH = ("GET", "POST")
_MEANWHILE = Message("Somebody else has changed this meanwhile. Yours is below, not yet saved.")
_FEW = Window(1, 1)


def sources() -> Sources:
    return current.context().services.sources


def find(source_id: int) -> SourceStatus:
    """Return a source; raise ``NotFound``."""
    return sources().get(source_id, current.context().caller)


@page(LIST, needs=Right.EDIT)
def list_sources() -> Response:
    """List the sources by name, each with its last result; keepers see their own."""
    caller = current.context().caller
    statuses, manages = sources().list(caller), manages_sources(caller)
    return render(
        "sources/list.html",
        statuses=statuses,
        kind_name=kind_name,
        state_of=state_of,
        reason_in_words=reason_in_words,
        rhythm=rhythm_in_words,
        manages=manages,
        doubles=sources().decisions.pairs(caller, _FEW).total,
        numbers={each.source.id: _numbers(each) for each in statuses},
    )


@page("/sources/new", needs=Right.EDIT_OTHERS, methods=_BOTH)
def new_source() -> Response:
    """Show the form of a new source, or add it."""
    if request.method != "POST":
        return show(SourceForm.new())
    form = SourceForm(fields_here(), sent_values(request.form))
    if button := _pressed():
        form.press(button)
        return show(form)
    try:
        source = _together(form, {*form.fields}, None)
    except CalendarError as error:
        return show(form, form.refuse(error))
    notify(Message("{name} is saved. The preview shows what would be added.", name=source["name"]))
    return see(f"/sources/{source['id']}")


@page(f"{SOURCE_PATH}/settings", needs=Right.EDIT_OTHERS, methods=_BOTH)
def change_source(record_id: int) -> Response:
    """Show the settings of a source, or store the changed ones."""
    return _change(find(record_id), fields_here(), show)


@page(f"{SOURCE_PATH}/words", needs=Right.EDIT, methods=_BOTH)
def change_words(record_id: int) -> Response:
    """Show or store the meaning of the words of a source; keepers may."""
    return _change(find(record_id), fields_of_words(), show_words)


def _change(
    stored: SourceStatus, fields: Mapping[str, FormField], show_form: Callable[..., Response]
) -> Response:
    if request.method != "POST":
        return show_form(SourceForm.of(stored, fields))
    base = read_digests(request.form.get("base", ""))
    form = SourceForm(fields, sent_values(request.form), base=base, stored=stored)
    if button := _pressed():
        form.press(button)
        return show_form(form)
    present = stored_values(stored)
    if both := form.merge(present, 0):
        form.problems[""] = _MEANWHILE
        rows = [(fields[name].label, present[name], form.values[name]) for name in both]
        return show_form(form, HTTPStatus.PRECONDITION_FAILED, rows)
    try:
        source = _together(form, form.changed(present), stored.source.id)
    except CalendarError as error:
        return show_form(form, form.refuse(error))
    notify(Message("{name} is saved.", name=source["name"]))
    return see(f"/sources/{source['id']}")


def _pressed() -> str:
    """Return the pressed button of a rule, which stores nothing."""
    return request.form.get("rules", "")


def _together(form: SourceForm, names: set[str], source_id: int | None) -> Record:
    """Store a source and its new terms in one transaction."""
    context = current.context()
    if "address" in names or "kind" in names:
        names = names | {"address", "every"}

    def work() -> Record:
        settings = form.settings(names)
        if source_id is None:
            source = sources().add(settings, context.caller)
        else:
            source = sources().change(source_id, settings, context.caller)
        return {"id": source.id, "name": source.name}

    return context.services.editor.together(work)


@page(SOURCE_PATH, needs=Right.EDIT)
def one_source(record_id: int) -> Response:
    """Show a source: how it stands, what can be done with it, and its readings."""
    context = current.context()
    stored, window = find(record_id), sent_window(_PER_PAGE)
    readings = sources().readings.page(record_id, context.caller, window)
    last = sources().readings.last(record_id, context.caller)
    listed = [SourceRun.of(each) for each in readings.items]
    if last and window.number == 1:
        listed = [last, *listed[1:]]
    return render_list(
        "sources/one.html",
        manages=manages_sources(context.caller),
        stored=stored,
        source=stored.source,
        state=stored.state,
        last=last,
        is_open=last is not None and last.state in OPEN,
        readings=listed,
        number=window.number,
        pages=readings.pages,
        kind_name=kind_name,
        state_of=state_of,
        reason_in_words=reason_in_words,
        rhythm=rhythm_in_words,
        in_numbers=numbers_in_words,
        names=context.services.profiles.shown_names(
            [
                stored.source.author,
                stored.source.responsible,
                *stored.source.keepers,
                *(each.by for each in listed),
            ]
        ),
        is_pushed=stored.source.kind == PUSH,
        takes_files=stored.source.kind in FILES,
        interface=context.addresses.base,
        unknown=sum(map(len, (stored.state.get("unknown") or {}).values())),
    )


@page(f"{SOURCE_PATH}/delete", needs=Right.EDIT_OTHERS, methods=_BOTH)
def remove_source(record_id: int) -> Response:
    """Ask whether a source is to go, or let it go; its events stay."""
    stored, form = find(record_id), DeskForm()
    asks = partial(render, "sources/delete.html", source=stored.source, form=form)
    if request.method != "POST":
        return asks()
    try:
        sources().remove(record_id, current.context().caller)
    except CalendarError as error:
        return asks(form.refuse(error))
    notify(Message("{name} is deleted. Its events stay.", name=stored.source.name))
    return see(LIST)


def _numbers(stored: SourceStatus) -> str:
    last = stored.state.get("numbers")
    return numbers_in_words(last)
