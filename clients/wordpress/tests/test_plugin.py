"""The plugin as WordPress calls it, against a service."""

import json
import re
import shutil
import subprocess
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import lxml.html
import pytest

PLUGIN = Path(__file__).parents[1] / "calendar-app"
SHOW = Path(__file__).with_name("show.php")
FILES = sorted(PLUGIN.rglob("*.php"))
LOCALES = ("de_DE", "fr_FR", "it_IT", "roh")

pytestmark = pytest.mark.skipif(shutil.which("php") is None, reason="needs php-cli")


@pytest.fixture
def show(service, tmp_path):
    """Return a function that shows a shortcode or a block, and what it took."""

    def run(name, locale="de_DE", base=service.base, filters=None, minutes=10, **attributes):
        site = {
            "transients": str(tmp_path / "transients.json"),
            "locale": locale,
            "options": {"calendar_app_base": base, "calendar_app_minutes": minutes},
            "filters": filters or {},
            "show": name,
            "attributes": attributes or {"limit": "5"},
        }
        command = ["php", "-d", "error_reporting=E_ALL", "-d", "zend.assertions=1", SHOW]
        process = subprocess.run(
            command, input=json.dumps(site), capture_output=True, text=True, check=False
        )
        assert process.returncode == 0, process.stdout + process.stderr
        return json.loads(process.stdout)

    return run


@pytest.fixture
def lying():
    """Return a function that starts a server with one answer to all, and returns its address."""
    servers = []

    def serve(body, status=200):
        class Handler(BaseHTTPRequestHandler):
            def do_GET(self):
                self.send_response(status)
                self.end_headers()
                self.wfile.write(json.dumps(body).encode())

            def log_message(self, *_):
                pass

        server = HTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        servers.append(server)
        return f"http://127.0.0.1:{server.server_port}"

    yield serve
    for server in servers:
        server.shutdown()
        server.server_close()


def titles(shown):
    tree = lxml.html.fromstring(shown["html"])
    return [link.text_content() for link in tree.xpath("//h3/a")]


def test_a_list_shows_the_next_events_with_links_to_their_pages(show, service):
    shown = show("calendar_events", limit="4")
    events = service.get("/events", per_page=4)["events"]
    assert titles(shown) == [service.plain(event["title"]) for event in events]
    tree = lxml.html.fromstring(shown["html"])
    assert tree.xpath("//h3/a/@href") == [event["url"] for event in events]
    assert events[0]["start_date"][11:16] in tree.xpath("//time")[0].text_content()


SHORTCODE = "[gallery ids='1']"
HOSTILE = {
    "id": 1,
    "title": SHORTCODE,
    "description": f"<p>{SHORTCODE}</p>",
    "excerpt": SHORTCODE,
    "url": f"https://example.org/{SHORTCODE}",
    "start_date": "2030-03-01 19:00:00",
    "end_date": "2030-03-01 21:00:00",
    "all_day": False,
    "timezone": "Europe/Zurich",
    "language": SHORTCODE,
    "cost": SHORTCODE,
    "event_status": "canceled",
    "status_reason": SHORTCODE,
    "venue": {"venue": SHORTCODE, "city": SHORTCODE},
    "image": {"url": f"https://example.org/{SHORTCODE}.png", "alt_text": SHORTCODE, "sizes": {}},
}


@pytest.mark.parametrize(
    ("name", "attributes"),
    [
        ("calendar_events", {"limit": "5", "layout": "cards"}),
        ("calendar_event", {"id": "1"}),
        ("calendar-app/events", {"limit": "5"}),
        ("calendar-app/event", {"id": "1"}),
    ],
)
def test_texts_of_the_calendar_run_no_shortcode(show, lying, name, attributes):
    base = lying(HOSTILE | {"events": [HOSTILE], "total": 1, "total_pages": 1})
    html = show(name, base=base, **attributes)["html"]
    assert "[" not in html
    assert SHORTCODE in lxml.html.fromstring(html).text_content()


def test_filters_are_those_of_the_interface(show, service):
    event = next(event for event in service.get("/events")["events"] if event["categories"])
    category = event["categories"][0]["slug"]
    shown = show("calendar_events", categories=category, limit="50")
    found = service.get("/events", categories=category, per_page=50)["events"]
    assert titles(shown) == [service.plain(each["title"]) for each in found]


@pytest.mark.parametrize(
    ("locale", "filters", "language"),
    [
        ("de_CH", {}, "de"),
        ("roh", {}, "rm"),
        ("de_DE", {"wpml_current_language": "rm"}, "rm"),
    ],
)
def test_texts_are_in_the_language_of_the_page(show, service, locale, filters, language):
    shown = show("calendar_events", locale=locale, filters=filters, limit="5")
    events = service.get("/events", per_page=5, translation_language=language)["events"]
    assert titles(shown) == [service.plain(event["title"]) for event in events]
    assert " lang=" not in shown["html"]


def test_a_language_that_the_calendar_lacks_is_answered_in_its_own(show):
    shown = show("calendar_events", locale="fr_FR", limit="2")
    assert len(titles(shown)) == 2
    assert '<ul class="calendar-app-events is-list" lang="de">' in shown["html"]
    assert show("calendar_events", locale="fr_FR", limit="2")["requests"] == []


def test_one_event_is_shown_with_its_description(show, service):
    event = next(event for event in service.get("/events")["events"] if event["description"])
    for chosen in ({"id": str(event["id"])}, {"slug": event["slug"]}):
        shown = show("calendar_event", **chosen)
        assert titles(shown) == [service.plain(event["title"])]
        text = lxml.html.fromstring(event["description"]).text_content().split()
        assert text[0] in lxml.html.fromstring(shown["html"]).text_content()


def test_the_block_shows_what_the_shortcode_shows(show):
    block = show("calendar-app/events", limit="3")["html"]
    shortcode = show("calendar_events", limit="3")["html"]
    assert block == f'<div class="wp-block">{shortcode}</div>'


def test_an_answer_is_kept(show):
    assert len(show("calendar_events", limit="3")["requests"]) == 1
    assert show("calendar_events", limit="3")["requests"] == []
    assert len(show("calendar_events", limit="2")["requests"]) == 1


def test_an_old_answer_is_better_than_none(show, tmp_path, lying):
    before = show("calendar_events", limit="3")["html"]
    kept = tmp_path / "transients.json"
    stale = kept.read_text().replace('"until":', '"until":1,"was":')
    away = lying({}, 503)
    # What was read of the service is that of the address that is away.
    (key,) = json.loads(stale)
    asked = show("calendar_events", base=away, limit="3")["requests"]
    (other,) = set(json.loads(kept.read_text())) - {key}
    kept.write_text(stale.replace(key, other))
    shown = show("calendar_events", base=away, limit="3")
    assert (shown["html"], shown["requests"]) == (before, asked)
    # It is left alone for a while.
    assert show("calendar_events", base=away, limit="3")["requests"] == []


def test_a_calendar_that_was_never_reached_is_excused(show):
    shown = show("calendar_events", base="http://127.0.0.1:9", limit="3")
    assert "Die Veranstaltungen lassen sich gerade nicht anzeigen." in shown["html"]
    assert "127.0.0.1" not in shown["html"]
    shown = show("calendar_event", id="999999")
    assert "Diese Veranstaltung lässt sich gerade nicht anzeigen." in shown["html"]


def test_a_list_without_events_says_so(show):
    shown = show("calendar_events", search="xyzzy")
    assert "Zurzeit ist nichts angekündigt." in shown["html"]


def test_nothing_that_a_calendar_says_is_run(show, service, lying):
    hostile = "<script>alert(1)</script><img src=x onerror=alert(1)>\"'"
    event = service.get("/events", per_page=1)["events"][0]
    event |= {
        "title": hostile,
        "url": "javascript:alert(1)",
        "cost": hostile,
        "description": f'{hostile}<p onclick="alert(1)">Text</p><a href="javascript:alert(1)">x',
        "image": {"url": "javascript:alert(1)", "alt_text": hostile},
        "language": hostile,
        "start_date": event["start_date"],
    }
    event["venue"] = {"venue": hostile, "city": hostile}
    for name, answer in (("calendar_event", event), ("calendar_events", {"events": [event]})):
        shown = show(name, base=lying(answer), id="1")["html"]
        tree = lxml.html.fromstring(shown)
        names = {name for element in tree.iter() for name in element.attrib}
        assert not [name for name in names if name.startswith("on")]
        assert not tree.xpath("//script | //img[@onerror]")
        addresses = [*tree.xpath("//@href"), *tree.xpath("//@src")]
        assert not [address for address in addresses if "javascript" in address]


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_every_file_is_right_and_cannot_be_called_alone(file):
    process = subprocess.run(["php", "-l", file], capture_output=True, text=True, check=False)
    assert process.returncode == 0, process.stdout
    if file.parent.name != "languages":
        assert re.search(
            r"^defined\( '(ABSPATH|WP_UNINSTALL_PLUGIN)' \) \|\| exit;$",
            file.read_text(),
            re.MULTILINE,
        )


def test_every_message_is_translated():
    sources = [*PLUGIN.glob("includes/*.php")]
    messages = {
        text
        for file in sources
        for text in re.findall(r"__\( '([^']+)', 'calendar-app' \)", file.read_text())
    }
    for locale in LOCALES:
        file = PLUGIN / "languages" / f"calendar-app-{locale}.l10n.php"
        code = f"echo json_encode( ( include '{file}' )['messages'] );"
        made = subprocess.run(["php", "-r", code], capture_output=True, text=True, check=True)
        assert messages <= json.loads(made.stdout).keys(), locale


def test_blocks_have_the_attributes_of_the_shortcodes():
    source = (PLUGIN / "includes" / "rendering.php").read_text()
    for name, constant in (("events", "LIST_DEFAULTS"), ("event", "EVENT_DEFAULTS")):
        block = json.loads((PLUGIN / "blocks" / name / "block.json").read_text())
        declared = re.search(rf"const {constant} = array\((.*?)\);", source, re.DOTALL)[1]
        defaults = dict(re.findall(r"'(\w+)'\s+=> '(\w*)'", declared))
        assert {key: each["default"] for key, each in block["attributes"].items()} == defaults
