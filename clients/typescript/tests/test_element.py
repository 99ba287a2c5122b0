"""The element on the page of somebody else, as people see it in Chromium."""

import json
import re
import shutil
from pathlib import Path

import pytest
from playwright.sync_api import expect, sync_playwright

PACKAGE = Path(__file__).parents[1]
DIST = PACKAGE / "dist"
AXE = PACKAGE / "node_modules" / "axe-core" / "axe.min.js"
# Another origin than the service, so that browsers ask whether it may be read.
SITE = "http://page.example"
# The service of the tests is on this machine, for which Chromium would ask people.
_ASKING = "LocalNetworkAccessChecks"
PAGE = """<!doctype html>
<html lang="{lang}"><head><meta charset="utf-8"><title>Agenda</title>
<meta name="viewport" content="width=device-width">
<style>:root {{ color-scheme: light dark }}
  body {{ margin: 1.5rem; background: light-dark(#fff, #13171a); {style} }}</style>
<script type="module" src="/dist/element.js"></script></head>
<body><main><h1>Agenda</h1>{body}</main></body></html>"""
AXE_RUN = """async () => (await axe.run(document, { resultTypes: ["violations"] }))
    .violations.map(({ id, nodes }) => [id, nodes.map((node) => node.html)])"""


@pytest.fixture(scope="module")
def browser():
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--disable-features=" + _ASKING]
        )
        yield browser
        browser.close()


@pytest.fixture
def show(browser, service):
    """Return a function that shows the element with these attributes, and returns the page."""
    contexts = []

    def open_page(attributes="", lang="de", style="", before=None, name="calendar-list", **options):
        context = browser.new_context(**{"viewport": {"width": 1280, "height": 900}, **options})
        contexts.append(context)
        page = context.new_page()
        element = f'<{name} src="{service.base}" {attributes}></{name}>'
        html = PAGE.format(lang=lang, style=style, body=element)

        def answer(route):
            path = route.request.url.removeprefix(SITE)
            if path.startswith("/dist/"):
                route.fulfill(path=DIST / path.removeprefix("/dist/"))
            else:
                route.fulfill(body=html, content_type="text/html")

        page.route(f"{SITE}/**", answer)
        if before:
            before(page)
        page.goto(SITE)
        return page

    yield open_page
    for context in contexts:
        context.close()


def titles(page):
    return [link.inner_text() for link in page.locator("calendar-list .title").all()]


def test_pages_of_earlier_releases_show_the_list_under_its_former_name(show):
    page = show('limit="2"', name="calendar-events")
    expect(page.locator("calendar-events article")).to_have_count(2)


def test_the_next_events_are_listed_with_links_to_their_pages(show, service):
    page = show('limit="5"')
    expect(page.locator("calendar-list article")).to_have_count(5)
    events = service.get("/events", per_page=5)["events"]
    assert titles(page) == [service.plain(event["title"]) for event in events]
    hrefs = [link.get_attribute("href") for link in page.locator("calendar-list .title a").all()]
    assert hrefs == [event["url"] for event in events]
    machine = page.locator("calendar-list time").first.get_attribute("datetime")
    assert events[0]["start_date"][:10] in machine or "T" in machine


def test_more_events_are_shown_one_page_at_a_time(show):
    page = show('limit="4"')
    button = page.get_by_role("button", name="Mehr anzeigen")
    button.click()
    expect(page.locator("calendar-list article")).to_have_count(8)
    assert page.evaluate(
        "document.querySelector('calendar-list').shadowRoot.activeElement.textContent"
    )
    assert (
        len(set(page.locator("calendar-list .title a").evaluate_all("a => a.map(x => x.href)")))
        == 8
    )


@pytest.mark.parametrize(
    ("lang", "word"),
    [
        ("de", "Mehr anzeigen"),
        ("fr", "Afficher plus"),
        ("it", "Mostra altre"),
        ("rm", "Mussar dapli"),
        ("en-GB", "Show more"),
    ],
)
def test_it_speaks_the_language_of_the_page(show, lang, word):
    page = show('limit="2"', lang=lang)
    expect(page.get_by_role("button", name=word)).to_be_visible()


def test_texts_are_in_the_language_of_the_page_where_the_calendar_has_it(show, service):
    page = show('limit="5"', lang="rm")
    expect(page.locator("calendar-list article")).to_have_count(5)
    events = service.get("/events", per_page=5, translation_language="rm")["events"]
    assert titles(page) == [service.plain(event["title"]) for event in events]


def test_events_near_a_point_show_how_far_they_are(show):
    page = show('near="46.8508,9.532" radius="200" limit="3"')
    expect(page.locator("calendar-list article").first).to_contain_text(re.compile(r"\d\s(km|m)"))


def test_dates_are_written_as_people_there_do(show, service):
    day = service.get("/events", per_page=1)["events"][0]["start_date"]
    month = int(day[5:7]) - 1
    names = (
        "schaner favrer mars avrigl matg zercladur "
        "fanadur avust settember october november december"
    )
    page = show('limit="1"', lang="rm")
    expect(page.locator("calendar-list time")).to_contain_text(
        f"ils {int(day[8:10])} da {names.split()[month]} {day[:4]}"
    )


def test_one_event_stands_alone_with_its_description(show, service):
    event = next(event for event in service.get("/events")["events"] if event["description"])
    for chosen in (event["id"], event["slug"]):
        page = show(f'event="{chosen}"')
        expect(page.locator("calendar-list .text")).to_be_visible()
        assert titles(page) == [service.plain(event["title"])]


def test_a_calendar_without_events_says_so(show):
    page = show('search="xyzzy"')
    expect(page.get_by_role("status")).to_have_text("Zurzeit ist nichts angekündigt.")


def test_a_calendar_that_is_away_can_be_asked_again(show):
    def away(page):
        page.route("**/events?*", lambda route: route.abort())

    page = show('limit="1"', before=away)
    button = page.get_by_role("button", name="Noch einmal versuchen")
    expect(button).to_be_visible()
    page.unroute("**/events?*")
    button.click()
    expect(page.locator("calendar-list article")).to_have_count(1)


def test_changed_attributes_load_anew(show):
    page = show('limit="2"')
    expect(page.locator("calendar-list article")).to_have_count(2)
    page.evaluate("document.querySelector('calendar-list').setAttribute('limit', '3')")
    expect(page.locator("calendar-list article")).to_have_count(3)


def test_nothing_that_a_calendar_says_is_run(show, service):
    hostile = "<img src=x onerror=\"document.title='run'\"><script>document.title='run'</script>"

    def lie(page):
        event = service.get("/events", per_page=1)["events"][0]
        event |= {
            "title": hostile,
            "image": False,
            "url": "javascript:document.title='run'",
            "description": f'{hostile}<a href="javascript:alert(1)">x</a><p onclick="x()">Text</p>',
        }
        page.route(
            "**/events/7?*",
            lambda route: route.fulfill(json=event, headers={"Access-Control-Allow-Origin": "*"}),
        )

    page = show('event="7"', before=lie)
    expect(page.locator("calendar-list .text")).to_contain_text("Text")
    assert page.title() == "Agenda"
    markup = page.evaluate(
        "document.querySelector('calendar-list').shadowRoot.querySelector('section').innerHTML"
    )
    assert not re.search(r"onerror|onclick|<script|javascript:|<img", markup)


@pytest.mark.parametrize(
    "attributes",
    ['heading="Agenda" limit="6"', 'layout="cards" limit="6"', 'event="FIRST"', 'search="xyzzy"'],
)
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing(show, service, attributes, scheme):
    first = str(service.get("/events", per_page=1)["events"][0]["id"])
    page = show(attributes.replace("FIRST", first), color_scheme=scheme)
    expect(page.locator("calendar-list section[aria-busy=false]")).to_be_attached()
    page.add_script_tag(path=AXE)
    assert page.evaluate(AXE_RUN) == []


def test_a_page_sets_colors_by_properties(show):
    page = show('limit="1"', style="--calendar-accent: rgb(200, 0, 0);")
    day = page.locator("calendar-list .day")
    expect(day).to_have_css("color", "rgb(200, 0, 0)")


@pytest.mark.parametrize("width", [320, 360, 1280])
def test_nothing_is_wider_than_the_page(show, width):
    page = show('heading="Agenda" limit="8"', viewport={"width": width, "height": 800})
    expect(page.locator("calendar-list article")).to_have_count(8)
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_the_package_is_small_and_needs_nothing_at_run_time():
    files = [path for path in DIST.glob("*.js") if path.name != "schema.js"]
    imports = {name for path in files for name in re.findall(r"from '([^']+)'", path.read_text())}
    assert all(name.startswith("./") for name in imports)
    assert sum(path.stat().st_size for path in files) < 50_000


def test_the_types_are_those_of_the_service(service):
    document = json.loads(service.command("openapi"))
    assert json.loads((PACKAGE / "openapi.json").read_text()) == document, "make clients"
