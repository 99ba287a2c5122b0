"""``deliver``: delivers webhooks in place of the service."""

import signal
import threading

import click

from calendar_app.api.resources.following import Follower
from calendar_app.app import create_app
from calendar_app.assembly.background import courier_of
from calendar_app.cli.database import opened_store
from calendar_app.cli.indexing import make_indexes
from calendar_app.cli.maintenance import settings_for_application
from calendar_app.domain.moments import naive_clock, system_clock


@click.command()
@click.option("--once", is_flag=True, help="Send what is due, then exit.")
@click.pass_context
def deliver(context: click.Context, *, once: bool) -> None:
    """Deliver changes to the receivers of webhooks, until Ctrl-C."""
    settings = settings_for_application(context)
    with opened_store(settings) as store:
        make_indexes(store, settings)
        app = create_app(settings, store.database)
        now = naive_clock(system_clock)
        courier = courier_of(settings, store, Follower(app).changes, now)
        if once:
            click.echo(f"{courier.deliver_due()} delivered.")
            return
        click.echo("Delivering until Ctrl-C.")
        end = threading.Event()
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, lambda *_: end.set())
        courier.run(end)
