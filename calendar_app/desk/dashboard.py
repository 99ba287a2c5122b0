"""The first page of the desk: all that waits for the user."""

from datetime import timedelta

from flask import Response

from calendar_app.accounts.policy import Right
from calendar_app.desk import waiting
from calendar_app.desk.paging import sent_window
from calendar_app.desk.rendering import render
from calendar_app.desk.routing import page
from calendar_app.errors import Message
from calendar_app.http.request import current
from calendar_app.query.list_query import Window

_PER_PAGE = 50
_INCOMPLETE = Message("Incomplete next week")


@page("/")
def dashboard() -> Response:
    """Show the work that waits for the user."""
    if not current.caller().may(Right.EDIT):
        return render("dashboard.html", writes=False)
    return render(
        "dashboard.html",
        writes=True,
        to_check=waiting.to_check(),
        drafts=waiting.own_drafts(),
        soon=waiting.incomplete_soon(),
        numbers=waiting.numbers(),
        lacks=waiting.LACKS,
        contributions=waiting.contributions(),
        failed_imports=waiting.failed_imports(),
    )


@page("/missing/", needs=Right.EDIT)
def incomplete_events() -> Response:
    """List the events of the next week that lack something."""
    window = sent_window(_PER_PAGE)
    return _incomplete(_INCOMPLETE, waiting.incomplete_soon(window), waiting.SOON, window)


@page("/missing/<any(picture,place,category):what>", needs=Right.EDIT)
def events_lacking(what: str) -> Response:
    """List the coming events without a picture, a place or a category."""
    heading, _ = waiting.LACKS[what]
    window = sent_window(_PER_PAGE)
    return _incomplete(heading, waiting.lacking(what, window), waiting.AHEAD, window)


def _incomplete(
    heading: Message, tasks: waiting.Tasks, ahead: timedelta, window: Window
) -> Response:
    return render(
        "incomplete.html",
        heading=heading,
        tasks=tasks,
        days=ahead.days,
        number=window.number,
        pages=tasks.pages,
    )
