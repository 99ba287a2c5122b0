"""Checks the named pages, else README and all of docs; ends with status 1 where one is wrong."""

import shutil
import signal
import sys
from collections.abc import Iterator
from pathlib import Path

import click

from docs_check.copying import copied
from docs_check.foreground import Foreground
from docs_check.pages import Page, read_page
from docs_check.reading import check_page

ROOT = Path(__file__).parents[2]
# In the order in which people read.
_ORDER = ("README.md", "tutorial", "how-to", "reference", "explanation")


def _all_pages() -> list[Path]:
    places = [ROOT / "README.md", ROOT / "docs" / "README.md"]
    return places + [page for part in _ORDER for page in sorted((ROOT / "docs" / part).glob("*"))]


def _page_name(page: Path) -> str:
    return str(page.relative_to(ROOT) if page.is_relative_to(ROOT) else page)


def _checked(pages: list[Path]) -> Iterator[tuple[Page, list[str]]]:
    with copied(ROOT) as clone, Foreground(clone) as service:
        for file in pages:
            page = read_page(file, _page_name(file))
            yield page, check_page(page, clone, service)


@click.command()
@click.argument("pages", nargs=-1, type=click.Path(exists=True, path_type=Path))
def main(pages: tuple[Path, ...]) -> None:
    """Run the commands of PAGES, and compare their output with the documented one."""
    if shutil.which("curl") is None:
        raise click.ClickException("curl is needed; install it with: sudo apt-get install curl")
    # An ending from outside ends the service too.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    passed = failed = 0
    for page, complaints in _checked([page.resolve() for page in pages] or _all_pages()):
        wrong = len(complaints)
        right = len(page.steps) - wrong
        click.echo(f"{page.name}: {right} of {len(page.steps)} right")
        for complaint in complaints:
            click.echo(f"  {complaint}")
        passed, failed = passed + right, failed + wrong
    click.echo(f"{passed} passed, {failed} failed")
    sys.exit(1 if failed else 0)


main(prog_name="docs-check")
