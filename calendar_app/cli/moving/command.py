"""``check-move``: compares the old addresses of a site that moves on the old site and the new."""

from collections.abc import Iterator, Sequence
from contextlib import closing
from itertools import groupby, islice
from pathlib import Path

import click
from tqdm import tqdm

from calendar_app.cli.moving.comparing import Comparison, Difference
from calendar_app.cli.moving.fetching import Site, origin_of
from calendar_app.cli.moving.old_addresses import (
    OldAddress,
    OldSite,
    recorded_site,
    running_site,
)

_MOST_LINES = 200


@click.command("check-move")
@click.argument("old", metavar="OLD")
@click.argument("new", metavar="NEW")
@click.option(
    "--most",
    type=click.IntRange(min=1),
    default=10_000,
    show_default=True,
    help="Compare at most this many addresses.",
)
@click.option(
    "--pause",
    type=click.FloatRange(min=0, max=60),
    default=0.1,
    show_default=True,
    help="Seconds to wait before each request.",
)
def check_move(old: str, new: str, most: int, pause: float) -> None:
    """Compare the addresses of an old site with those of the new one.

    The exit status is 1 where something differs without a known reason.

    OLD is the address of the running site, a recording of its REST interface, a file with one
    address a line, or a folder with such files. NEW is the address of the calendar here.
    """
    origin = _origin(new, "NEW")
    with closing(Site(_origin(old, "OLD") if _is_address(old) else "", frozenset(), pause)) as site:
        old_site = running_site(site) if _is_address(old) else recorded_site(Path(old))
        names = frozenset({old_site.origin})
        with closing(Site(origin, names, pause)) as new_site:
            addresses = list(islice(old_site.addresses.values(), most))
            differences = list(_differences(addresses, old_site, site, new_site))
    _print(differences, len(addresses), len(old_site.addresses) - len(addresses))
    if any(not difference.reason for difference in differences):
        click.get_current_context().exit(1)


def _is_address(text: str) -> bool:
    return text.startswith(("http://", "https://"))


def _origin(address: str, name: str) -> str:
    if not _is_address(address) or not origin_of(address):
        raise click.BadParameter(
            "It must be an address such as https://agenda.example.", None, None, name
        )
    return origin_of(address)


def _differences(
    addresses: Sequence[OldAddress], old_site: OldSite, site: Site, new_site: Site
) -> Iterator[Difference]:
    comparison = Comparison(old_site.origin, new_site.origin, old_site.addresses)
    for address in tqdm(addresses, unit=" addresses", disable=None):
        old = site.get(address.path) if address.is_asked else None
        yield from comparison.differences(address, new_site.get(address.path), old)


def _print(differences: Sequence[Difference], compared: int, left_out: int) -> None:
    """Print unexplained differences line by line, and count the expected ones by reason.

    Lost addresses come first, lest many changed values hide them.
    """
    unexplained = [each for each in differences if not each.reason]
    unexplained.sort(key=lambda each: not each.is_lost)
    for each in unexplained[:_MOST_LINES]:
        click.echo(f"{each.path}: {each.what}")
    if len(unexplained) > _MOST_LINES:
        click.echo(f"and {len(unexplained) - _MOST_LINES} more")
    expected = sorted((each for each in differences if each.reason), key=lambda each: each.reason)
    for reason, group in groupby(expected, key=lambda each: each.reason):
        same = list(group)
        click.echo(f"expected, {len(same)} times: {reason} First: {same[0].path}: {same[0].what}")
    if left_out:
        click.echo(f"{left_out} addresses were left out; --most allows more.")
    click.echo(
        f"{compared} addresses compared: {len(unexplained)} differences without a reason, "
        f"{len(expected)} expected."
    )
