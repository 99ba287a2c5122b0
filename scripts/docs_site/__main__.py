"""Builds the site below a directory, a folder for this version, and the list of all versions."""

import json
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import click

from docs_site.markdown import for_programs

_ROOT = Path(__file__).parents[2]
_HERE = Path(__file__).parent
_VERSION = re.compile(r"\d+\.\d+\.\d+")
_REDIRECT = """<!DOCTYPE html>
<meta charset="utf-8">
<title>Calendar</title>
<meta http-equiv="refresh" content="0; url={version}/">
<link rel="canonical" href="{version}/">
<a href="{version}/">The documentation of {version}</a>
"""


def _versions(site: Path) -> list[str]:
    """Return the folders of the site, released versions first, the newest of them on top."""
    names = [folder.name for folder in site.iterdir() if (folder / "index.html").is_file()]
    released = sorted(
        filter(_VERSION.fullmatch, names), key=lambda name: [*map(int, name.split("."))]
    )
    return [*reversed(released), *(name for name in sorted(names) if name not in released)]


def _build(target: Path, version: str) -> None:
    command = [sys.executable, "-m", "sphinx", "--fail-on-warning", "--keep-going", "--quiet"]
    # The index of the search would lose the keywords of pages that are not read again.
    options = ["--conf-dir", str(_HERE), "--fresh-env"]
    places = [str(_ROOT / "docs"), str(target)]
    doctrees = ["--doctree-dir", str(target.parent / ".doctrees" / version)]
    outcome = subprocess.run(  # noqa: S603 - the command is ours
        [*command, *options, *doctrees, *places],
        env=os.environ | {"DOCS_VERSION": version},
        check=False,
    )
    if outcome.returncode:
        sys.exit(outcome.returncode)


@click.command()
@click.argument("site", type=click.Path(path_type=Path))
@click.option("--version", help="The name of this version; that of the project without it.")
def main(site: Path, version: str | None) -> None:
    """Build the site of this version into SITE, beside the versions that are there."""
    project = tomllib.loads((_ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    version = version or project["version"]
    _build(site / version, version)
    versions = _versions(site)
    (site / "versions.json").write_text(json.dumps(versions), encoding="utf-8")
    index = (_ROOT / "docs" / "README.md").read_text(encoding="utf-8")
    (site / "llms.txt").write_text(for_programs(index, versions[0]), encoding="utf-8")
    (site / "index.html").write_text(_REDIRECT.format(version=versions[0]), encoding="utf-8")
    click.echo(f"{site / version / 'index.html'}")


main(prog_name="docs-site")
