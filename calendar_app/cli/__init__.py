"""The command line, one file a group of commands."""

from calendar_app.cli.main import main

__all__ = ["main"]
