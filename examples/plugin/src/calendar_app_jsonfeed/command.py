"""``calendar-app jsonfeed``: the address of the feed."""

import click


@click.command()
@click.argument("site")
def jsonfeed(site: str) -> None:
    """Print the address of the JSON Feed of a SITE."""
    click.echo(f"{site.rstrip('/')}/calendar/events/v1/events.json")
