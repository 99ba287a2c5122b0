"""The addresses of the simple kinds."""

from flask import Response

from calendar_app.accounts.policy import role_allows
from calendar_app.desk.records import editing, lists, removing
from calendar_app.desk.records.kinds import SHEETS
from calendar_app.desk.routing import page
from calendar_app.errors import NotAllowed
from calendar_app.http.request import current

_KIND = "/<any(venues,organizers,categories,tags,media):kind>"
_BOTH = ("GET", "POST")


@page(f"{_KIND}/")
def records(kind: str) -> Response:
    if not role_allows(current.caller(), "edit", SHEETS[kind].kind.singular):
        raise NotAllowed
    return lists.show(SHEETS[kind])


@page(f"{_KIND}/new", methods=_BOTH)
def new_record(kind: str) -> Response:
    return editing.create(SHEETS[kind])


@page(f"{_KIND}/<digits:record_id>", methods=_BOTH)
def record(kind: str, record_id: int) -> Response:
    return editing.edit(SHEETS[kind], record_id)


@page(f"{_KIND}/<digits:record_id>/delete", methods=_BOTH)
def remove_record(kind: str, record_id: int) -> Response:
    return removing.remove(SHEETS[kind], record_id)


@page("/<any(venues,organizers):kind>/<digits:record_id>/restore", methods=["POST"])
def restore_record(kind: str, record_id: int) -> Response:
    return removing.restore(SHEETS[kind], record_id)
