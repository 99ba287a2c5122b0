"""Templates of a theme stand in the place of ours, and never in the way of a page."""

import dataclasses
import json
import re
from pathlib import Path

import pytest
from browsing import Browser

import calendar_app.site.pages
from calendar_app.app import create_app

pytestmark = pytest.mark.without_mongodb

PATHS = [
    *(f"/events/{view}/" for view in ("list", "photo", "map", "month", "week", "2030-01-01")),
    *("/event/concert/", "/venue/hall/", "/organizer/choir/", "/embed/list/", "/nowhere/"),
]
_GUIDE = Path(__file__).parents[3] / "docs/how-to/make-a-theme.md"
_TEMPLATE_OF_GUIDE = re.compile(
    r"^cat > my-theme/templates/(\S+)\.html <<'JINJA'\n(.*?)^JINJA$", re.DOTALL | re.MULTILINE
)


@pytest.fixture
def themed(settings, database, clock, app, tmp_path):
    """Return a function that opens pages of a site with these templates of its own."""
    assert app

    def start(**templates):
        for name, source in templates.items():
            path = tmp_path / "templates" / f"{name.replace('__', '/')}.html"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(source, encoding="utf-8")
        own = dataclasses.replace(settings, theme=str(tmp_path))
        return Browser(create_app(own, database, clock))

    return start


@pytest.fixture
def failures(capsys):
    """Return a function that reads which templates the log names."""

    def read():
        lines = map(json.loads, capsys.readouterr().out.splitlines())
        return [
            (line["template"], line["error"])
            for line in lines
            if line["event"] == "template of the theme failed"
        ]

    return read


def test_templates_of_a_theme_stand_for_ours(themed):
    assert themed(error="<h1>Weg</h1>")("/nowhere/").text == "Weg"


@pytest.fixture
def guided(themed):
    """Return a function that opens pages with the theme of the guide."""
    templates = dict(_TEMPLATE_OF_GUIDE.findall(_GUIDE.read_text(encoding="utf-8")))
    return themed(**{name.replace("/", "__"): source for name, source in templates.items()})


def test_rows_of_the_guide_keep_their_distance(guided, make_event):
    for title in ("Concert", "Market"):
        make_event(title=title)
    rows = guided("/events/list/").tree.xpath("//article[contains(@class, 'my-row')]")
    assert len(rows) == 2
    for row in rows:
        assert row.getparent().tag == "li"
        assert "day-events" in row.getparent().getparent().get("class").split()


def test_rows_of_the_guide_open_outside_of_a_frame(guided, make_event):
    make_event(title="Concert")
    (link,) = guided("/embed/list/").tree.xpath("//article[contains(@class, 'my-row')]//a")
    assert link.get("target") == "_blank"


def test_part_that_is_imported_without_the_page_has_its_texts_and_files(themed):
    part = "{% macro word() %}{{ _('Events') }} {{ static('calendar.js') }}{% endmacro %}"
    page = "{% import 'parts/own.html' as own %}{{ own.word() }}"
    own = themed(parts__own=part, error=page)
    assert own("/nowhere/").text.startswith("Veranstaltungen /static/calendar.")


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        ("{% if %}", "line 1"),
        ("<p>\n{{ title|shout }}", "No filter named 'shout'. (line 2)"),
        ("{% include 'parts/own.html' %}", "there is no template parts/own.html"),
        ("{% extends 'bare.html' %}", "there is no template bare.html"),
    ],
)
def test_template_that_cannot_be_compiled_is_named_and_ours_stands_in(
    themed, browse, failures, source, reason
):
    own = themed(list=source, error="<h1>Weg</h1>")
    ((name, failure),) = failures()
    assert name == "list.html"
    assert reason in failure
    assert own("/events/list/").answer.data == browse("/events/list/").answer.data
    assert own("/nowhere/").text == "Weg"


@pytest.mark.parametrize("source", ["{{ nothing.at_all }}", "{{ 1 // 0 }}", "{% include name %}"])
def test_template_that_fails_late_is_named_and_the_page_is_ours(
    themed, browse, make_event, failures, source
):
    make_event(
        title="Concert",
        slug="concert",
        venue={"venue": "Hall", "slug": "hall"},
        organizer={"organizer": "Choir", "slug": "choir"},
    )
    shipped = Path(calendar_app.site.pages.__file__).parent / "templates" / "base.html"
    own = themed(base=shipped.read_text(encoding="utf-8") + source)
    for path in PATHS:
        assert own(path).answer.data == browse(path).answer.data, path
    assert [name for name, _ in failures()] == ["base.html"] * len(PATHS)


def test_part_of_a_theme_may_show_what_changes_without_a_write(themed, make_event):
    make_event(title="Concert")
    row = "{% macro row(event, dated=False, placed=True) %}<p>{{ place.query }}</p>{% endmacro %}"
    nothing = "{% macro nothing(next_event, text) %}{% endmacro %}"
    browse = themed(parts__events=row + nothing)
    for word in ("Concert", "concert"):
        assert f"('search', '{word}')" in browse(f"/events/list/?search={word}").text


@pytest.mark.parametrize(
    ("title_bar", "logos", "name"),
    [("logo", ["Agenda"], ""), ("name", [], "Agenda"), ("both", [""], "Agenda")],
)
def test_title_bar_shows_logo_name_or_both(browse_with, title_bar, logos, name):
    browse = browse_with(logo="/logo.png", title_bar=title_bar, site_name="Agenda")
    (link,) = browse("/events/").tree.find_class("site-name")
    assert link.xpath("img/@alt") == logos
    assert link.text_content().strip() == name
