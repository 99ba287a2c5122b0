"""The first page of the desk: all that waits for the user."""

from flask import Response

from calendar_app.accounts.roles import Right
from calendar_app.desk import waiting
from calendar_app.desk.rendering import render
from calendar_app.desk.routing import page
from calendar_app.http.request import current


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


@page("/missing/<any(picture,place,category):what>", needs=Right.EDIT)
def incomplete_events(what: str) -> Response:
    """List the coming events without a picture, a place or a category."""
    heading, _ = waiting.LACKS[what]
    return render("incomplete.html", heading=heading, tasks=waiting.lacking(what))
