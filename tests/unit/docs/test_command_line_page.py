"""The page about the command line tells of all that there is, and of nothing else."""

import re
from pathlib import Path

import click

from calendar_app.cli import main

PAGE = Path(__file__).parents[3] / "docs" / "reference" / "command-line.md"


def commands_below(group, path=()):
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        if isinstance(command, click.Group):
            yield from commands_below(command, (*path, name))
        else:
            yield " ".join((*path, name)), command


COMMANDS = dict(commands_below(main))
TEXT = PAGE.read_text(encoding="utf-8")
SECTIONS = {
    section.partition("\n")[0]: section
    for section in re.split(r"^## ", TEXT, flags=re.MULTILINE)[1:]
}


def test_every_command_has_a_section_and_no_other_has():
    assert set(SECTIONS) - {"Environment"} == set(COMMANDS)


def test_every_option_of_a_command_is_in_its_section_and_no_other_is(subtests):
    for name, command in COMMANDS.items():
        with subtests.test(name=name):
            options = {
                option
                for parameter in command.params
                if not getattr(parameter, "hidden", False)  # by which our own processes are started
                for option in parameter.opts
                if option.startswith("--")
            }
            documented = set(re.findall(r"^\| `(--[\w-]+)", SECTIONS[name], re.MULTILINE))
            assert documented == options - {"--help"}


def test_every_argument_of_a_command_is_in_its_section(subtests):
    for name, command in COMMANDS.items():
        with subtests.test(name=name):
            arguments = [
                parameter.human_readable_name.upper()
                for parameter in command.params
                if isinstance(parameter, click.Argument)
            ]
            assert " ".join([name, *arguments]) in SECTIONS[name]
