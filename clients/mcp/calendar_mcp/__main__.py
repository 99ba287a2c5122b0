"""Serves one calendar to the assistant that starts this process, over standard input and output."""

import argparse
import os

from calendar_client import AsyncCalendar

from calendar_mcp.server import calendar_server

_EPILOG = (
    "CALENDAR_USER and CALENDAR_PASSWORD in the environment, a user with an application password, "
    "add the tools that write."
)


def main() -> None:
    parser = argparse.ArgumentParser(prog="calendar-mcp", description=__doc__, epilog=_EPILOG)
    parser.add_argument("base", help="such as https://calendar.example.org/calendar/events/v1")
    parser.add_argument("--language", default="", help="the language of texts, such as de")
    arguments = parser.parse_args()
    user = os.environ.get("CALENDAR_USER", "")
    auth = (user, os.environ.get("CALENDAR_PASSWORD", "")) if user else None
    calendar = AsyncCalendar(arguments.base, auth=auth, language=arguments.language)
    calendar_server(calendar, may_write=auth is not None).run()


if __name__ == "__main__":
    main()
