"""The message that says how to use a service that is ready."""

import json
import shlex
from datetime import date, timedelta

from calendar_app.settings import Settings

_USER = "admin"
_UNKNOWN = "PASSWORD"


def greeting(settings: Settings, origin: str, password: str, today: date) -> str:
    """Return addresses to open and commands to paste; ``password`` is empty if it is not new."""
    site = settings.site_url.rstrip("/") or origin
    events = f"{site}{settings.api_prefix}/{settings.namespace}/events"
    lines = [
        f"{settings.site_name} is ready.",
        *([f"  Calendar:  {site}/"] if settings.pages else []),
        *([f"  Desk:      {site}/desk/"] if settings.desk else []),
        f"  Events:    {events}",
        f"  Interface: {site}/doc",
        *([f"  The password of {_USER}, shown this once: {password}"] if password else []),
        "Read events:",
        f"  curl {shlex.quote(f'{events}?per_page=3')}",
        "Create one:",
        f"  {_creating(events, password or _UNKNOWN, today)}",
    ]
    return "\n".join(lines)


def _creating(events: str, password: str, today: date) -> str:
    day = today + timedelta(days=1)
    event = {
        "title": "A first event",
        "start_date": f"{day} 19:00:00",
        "end_date": f"{day} 21:00:00",
        "status": "publish",
    }
    credentials = shlex.quote(f"{_USER}:{password}")
    header = "-H 'Content-Type: application/json'"
    return f"curl -u {credentials} {header} -d {shlex.quote(json.dumps(event))} {events}"
