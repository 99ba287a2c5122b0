"""The first page of the desk."""

from flask import Response

from calendar_app.desk.rendering import render
from calendar_app.desk.routing import page


@page("/")
def dashboard() -> Response:
    """Show what waits for the user."""
    return render("dashboard.html")
