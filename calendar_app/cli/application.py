"""The settings, once the interface can be made with them.

This imports the application, so that the master of gunicorn leaves it to its commands.
"""

import click

from calendar_app.app import openapi_document
from calendar_app.cli.database import settings_of
from calendar_app.desk.translating.machine import imported_translator
from calendar_app.pages.rendering import theme_folder
from calendar_app.settings import Settings


def settings_for_application(context: click.Context) -> Settings:
    """Return the settings, validated as the interface validates them."""
    settings = settings_of(context)
    openapi_document(settings)
    if settings.translator:
        imported_translator(settings.translator)
    theme_folder(settings.theme)
    return settings
