"""``publish-due``: publishes scheduled records, for those whose service does not."""

from datetime import UTC, datetime

import click

from calendar_app.cli.application import settings_for_application
from calendar_app.cli.database import opened_store
from calendar_app.services import build_services


@click.command("publish-due")
@click.pass_context
def publish_due(context: click.Context) -> None:
    """Publish scheduled records that are due; remove pictures that nobody needs."""
    settings = settings_for_application(context)
    with opened_store(settings) as store:
        services = build_services(settings, store, lambda: datetime.now(UTC))
        number = services.scheduler.publish_due()
        services.submissions.pictures.settle()
        services.picture_sweep.sweep_daily()
    click.echo(f"{number} published.")
