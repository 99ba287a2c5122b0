"""Commands and the masters of gunicorn import little before they start."""

import subprocess
import sys

import click
import pytest
from click.testing import CliRunner

from calendar_app.cli import main


def imported_with(module):
    """Return the names of all modules that a fresh interpreter has once it imports this one."""
    script = f"import sys, {module}; print(*sys.modules)"
    ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    return set(ran.stdout.split())


# The library decides as it is imported whether processes share their figures.
@pytest.mark.parametrize(
    "module",
    ["calendar_app.cli.gunicorn_hooks", "calendar_app.cli.serve", "calendar_app.server.log_stream"],
)
def test_masters_name_the_directory_of_figures_before_the_library_looks(module):
    assert "prometheus_client" not in imported_with(module)


# What a master has imported, its workers have as it was then, also after SIGHUP.
@pytest.mark.parametrize("module", ["calendar_app.cli.gunicorn_hooks", "calendar_app.cli.serve"])
def test_masters_leave_the_application_to_their_workers(module):
    assert not imported_with(module) & {
        "flask",
        "calendar_app.app",
        "calendar_app.assembly.services",
    }


def test_the_list_of_commands_says_of_each_what_its_own_help_says():
    context = click.Context(main)
    listed = CliRunner().invoke(main, ["--help"], terminal_width=400).output
    lines = dict(line.split(maxsplit=1) for line in listed.split("Commands:")[1].splitlines()[1:])
    commands = {name: main.get_command(context, name) for name in main.list_commands(context)}
    assert lines == {name: each.get_short_help_str(400) for name, each in commands.items()}


def test_the_list_of_commands_needs_none_of_them():
    script = "import sys\nfrom calendar_app.cli import main\ntry: main(['--help'])\n"
    script += "except SystemExit: print(*sys.modules, file=sys.stderr)"
    ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert not {"flask", "pymongo", "calendar_app.settings"} & set(ran.stderr.split())
