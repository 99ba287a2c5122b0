"""``openapi``: the document that describes the interface."""

import json

import click

from calendar_app.app import openapi_document
from calendar_app.cli.database import settings_of


@click.command()
@click.pass_context
def openapi(context: click.Context) -> None:
    """Print the OpenAPI document."""
    document = openapi_document(settings_of(context))
    click.echo(json.dumps(document, ensure_ascii=False, indent=2))
