"""The page on themes has all that templates of a theme can use, and nothing else."""

import re
from functools import cache
from pathlib import Path

from jinja2 import Environment, meta, nodes

from calendar_app.settings import Settings
from calendar_app.site.pages.rendering import Pages

ROOT = Path(__file__).parents[3]
PAGE = (ROOT / "docs" / "reference" / "themes.md").read_text(encoding="utf-8")
SECTIONS = dict(re.findall(r"^## (.+?)\n(.*?)(?=^## |\Z)", PAGE, re.MULTILINE | re.DOTALL))
ENVIRONMENT = Pages(Settings.load(environment={})).templates.environment
PLAIN = Environment(autoescape=True)
NAMES = ENVIRONMENT.list_templates()


@cache
def trees():
    """Return the parsed templates by their names."""
    sources = {name: ENVIRONMENT.loader.get_source(ENVIRONMENT, name)[0] for name in NAMES}
    return {name: ENVIRONMENT.parse(source) for name, source in sources.items()}


def rows(section):
    """Return the rows of a section, each with the code of its cells."""
    lines = re.findall(r"^\| (`.+) \|$", SECTIONS[section], re.MULTILINE)
    return [[re.findall(r"`([^`]+)`", cell) for cell in line.split(" | ")] for line in lines]


def first_cells(section):
    return [row[0][0] for row in rows(section)]


def macros_of(tree):
    return [macro.name for macro in tree.find_all(nodes.Macro)]


def variables_of(tree):
    """Return the variables that a template takes from the service."""
    imported = {
        name if isinstance(name, str) else name[1]
        for each in tree.find_all(nodes.FromImport)
        for name in each.names
    }
    defined = ENVIRONMENT.globals.keys() | imported | set(macros_of(tree))
    return meta.find_undeclared_variables(tree) - defined


def attributes_of(name):
    return {
        each.attr
        for tree in trees().values()
        for each in tree.find_all(nodes.Getattr)
        if isinstance(each.node, nodes.Name) and each.node.name == name
    }


def test_template_is_described_with_its_blocks_and_variables(subtests):
    for row in rows("Templates"):
        with subtests.test(template=row[0]):
            (name,), _, extended, blocks, variables = row
            tree = trees()[name]
            assert extended == [each.template.value for each in tree.find_all(nodes.Extends)]
            assert blocks == [block.name for block in tree.find_all(nodes.Block)]
            assert variables == sorted(variables_of(tree))


def test_part_is_described_with_its_macros_and_variables(subtests):
    for row in rows("Parts"):
        with subtests.test(template=row[0]):
            (name,), _, macros, variables = row
            assert macros == macros_of(trees()[name])
            assert variables == sorted(variables_of(trees()[name]))


def test_every_template_is_listed():
    assert sorted(first_cells("Templates") + first_cells("Parts")) == sorted(NAMES)


def test_every_variable_is_explained():
    used = set().union(*map(variables_of, trees().values()))
    assert sorted(first_cells("Variables")) == sorted(used)


def test_every_attribute_of_events_is_explained():
    explained = [name.removeprefix("event.") for name in first_cells("What an event has")]
    assert sorted(explained) == sorted(attributes_of("event"))


def test_every_function_and_filter_is_explained():
    functions = ENVIRONMENT.globals.keys() - PLAIN.globals.keys()
    assert sorted(first_cells("Functions")) == sorted(functions)
    filters = ENVIRONMENT.filters.keys() - PLAIN.filters.keys()
    assert sorted(first_cells("Filters")) == sorted(filters)


def test_every_property_of_css_is_explained():
    sheet = (ROOT / "calendar_app" / "site" / "pages" / "static" / "calendar.css").read_text(
        "utf-8"
    )
    top = re.search(r":root \{(.*?)\}", sheet, re.DOTALL)
    assert first_cells("Properties of CSS") == re.findall(r"^\s+(--[\w-]+):", top[1], re.MULTILINE)
