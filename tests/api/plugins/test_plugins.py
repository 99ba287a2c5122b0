"""Plugins add to the service, replace nothing of it, and hold up nobody when they fail."""

import sys
from dataclasses import replace
from importlib.metadata import EntryPoint
from types import SimpleNamespace

import pytest
from calling import SITE, Client
from post_office import post_office
from structlog.testing import capture_logs

from calendar_app.api.http.request.state import get_services
from calendar_app.app import create_app
from calendar_app.assembly.plugins import Plugins, loaded_plugins
from calendar_app.assembly.services import build_services
from calendar_app.calendar.commit_reports import CommitReports
from calendar_app.changes.mail import Letter
from calendar_app.errors import ConfigurationError
from calendar_app.plugins import Format, Plugin, SourceKind
from calendar_app.settings import Settings
from calendar_app.sources.parsed import ParsedCalendar
from calendar_app.storage.mongo.outbox import Outbox
from calendar_app.storage.mongo.store import Store

TITLES = Format(
    "txt",
    "text/plain",
    lambda feed: f"{feed.title}\n".encode(),
    lambda event, _stamp, _feed: f"{event.title.text}\n".encode(),
)


@pytest.fixture
def app_with(settings, database, clock):
    """Return a function that makes the service with one plugin, called ``trial``."""

    def make(plugin):
        return create_app(settings, database, clock, Plugins({"trial": plugin}))

    return make


def fail(*_):
    raise ZeroDivisionError


def test_format_of_a_plugin_is_a_feed_with_the_filters_of_lists(app, app_with, make_event):
    del app
    make_event(title="Konzert")
    make_event(title="Markt")
    reader = Client(app_with(Plugin(formats=[TITLES])))
    answer = reader.get("/events.txt", search="Markt")
    assert answer.content_type == "text/plain; charset=utf-8"
    assert answer.text == "Calendar \u2013 Markt\nMarkt\n"
    tag = answer.headers["ETag"]
    again = reader.send("GET", "/events.txt?search=Markt", headers={"If-None-Match": tag})
    assert again.status_code == 304
    assert reader.get("/events.txt", start_date="soon").invalid_params == ["start_date"]


def test_feed_of_a_plugin_is_named_where_other_feeds_are(app, app_with, make_event):
    del app
    make_event()
    reader = Client(app_with(Plugin(formats=[TITLES])))
    listed = reader.get("/events", search="x")
    assert listed.json["feeds"]["txt"].endswith("/events.txt?search=x")
    links = ", ".join(listed.headers.getlist("Link"))
    assert 'events.txt?search=x>; rel="alternate"; type="text/plain"' in links
    assert "txt" not in reader.get("/events/1").json.get("feeds", {})
    described = reader.get("/doc").json["components"]["schemas"]["EventPage"]["properties"]
    assert described["feeds"]["properties"]["txt"]["description"] == "text/plain"


def test_plugin_of_one_service_is_described_by_no_other(settings, database, app_with):
    app_with(Plugin(formats=[TITLES], source_kinds={"club": SourceKind("text/plain", fail)}))
    plain = Client(create_app(settings, database, plugins=Plugins({})))
    schemas = plain.get("/doc").json["components"]["schemas"]
    assert "txt" not in schemas["EventPage"]["properties"]["feeds"]["properties"]
    assert "club" not in schemas["Source"]["properties"]["kind"]["description"]


def test_format_shows_a_stranger_no_draft(app, app_with, make_event):
    del app
    make_event(title="Entwurf", status="draft")
    assert Client(app_with(Plugin(formats=[TITLES]))).get("/events.txt").text == "Calendar\n"


def test_format_that_fails_is_named_in_the_log_and_answers_500_alone(app, app_with, make_event):
    del app
    make_event()
    broken = Format("txt", "text/plain", lambda _: b"", fail)
    reader = Client(app_with(Plugin(formats=[broken])))
    with capture_logs() as log:
        answer = reader.get("/events.txt")
    assert (answer.status_code, answer.code) == (500, "internal_error")
    assert {"plugin failed", "trial"} <= {*log[0].values()}
    assert reader.get("/events.ics").status_code == 200


def test_blocks_stand_on_the_pages_of_their_place(app, app_with, make_event):
    del app
    page = make_event(title="Konzert")["url"].removeprefix(SITE)
    blocks = {
        "event": lambda block: f"<p>About {block.event.title.text}</p>",
        "list": lambda block: f"<p>List in {block.languages[0]}</p>",
        "foot": fail,
    }
    client = app_with(Plugin(blocks=blocks)).test_client()
    with capture_logs() as log:
        event, events = client.get(page).text, client.get("/events/").text
    assert "<p>About Konzert</p>" in event
    assert "List in" not in event
    assert "<p>List in de</p>" in events
    assert "</footer>" in events
    failed = [
        (entry["plugin"], entry["part"]) for entry in log if entry["event"] == "plugin failed"
    ]
    assert set(failed) == {("trial", "block foot")}


def test_letter_is_sent_as_plugins_rewrite_it_and_as_it_was_where_one_fails(database, clock):
    def sign(letter):
        return Letter(letter.to, letter.subject, f"{letter.text}\nYour valley")

    with post_office() as (address, letters):
        settings = Settings.load(
            environment={}, site_url=SITE, smtp_url=f"smtp://{address}", mail_from="a@b.ch"
        )
        for plugin in (Plugin(letter=sign), Plugin(letter=fail), Plugin(letter=lambda _: "none")):
            plugins = Plugins({"trial": plugin})
            mailer = build_services(settings, Store(database), clock, plugins).mailer
            assert mailer.send(Letter("anna@example.org", "Hello", "Dear Anna"))
    texts = [letter.get_body(("plain",)).get_content().split() for letter in letters.taken]
    assert texts == [["Dear", "Anna", "Your", "valley"], ["Dear", "Anna"], ["Dear", "Anna"]]


def test_translator_of_a_plugin_is_named_by_the_setting(settings, database, clock):
    del settings
    engine = SimpleNamespace(name="Valley", speaks=lambda *_: True)
    plugins = Plugins({"trial": Plugin(translators={"valley": lambda _: engine})})
    own = Settings.load(environment={}, translator="valley")
    assert build_services(own, Store(database), clock, plugins).translation.machine.name == "Valley"
    with pytest.raises(ConfigurationError):
        build_services(own, Store(database), clock, Plugins({}))


def test_source_of_a_kind_of_a_plugin_is_read(app_with, as_editor):
    def read(content, _source, _reading):
        assert content == b"nothing"
        return ParsedCalendar(whole=True)

    plugin = Plugin(source_kinds={"club": SourceKind("text/plain", read)})
    app = app_with(plugin)
    editor = Client(app, "editor", as_editor.id)
    values = {"name": "Club", "kind": "club", "address": "https://club.example.org/"}
    source = editor.post("/sources", **values)
    assert source.status_code == 201, source.json
    assert as_editor.post("/sources", **values).invalid_params == ["kind"]
    schemas = editor.get("/doc").json["components"]["schemas"]
    for name in ("Source", "SourceChange"):
        assert schemas[name]["properties"]["kind"]["description"].endswith(", push, club.")


def test_records_that_were_written_are_reported_once(app, database, as_admin, make_event):
    del app
    reported = []
    store = Store(database)
    plugins = Plugins(
        {"broken": Plugin(after_commit=fail), "b": Plugin(after_commit=reported.append)}
    )
    reports = CommitReports(store, Outbox(store, 30), plugins.report)
    assert plugins.reads_commits
    reports.run()
    event = make_event(venue={"venue": "Saal"})
    as_admin.delete(f"/events/{event['id']}", force=True)
    reports.run()
    reports.run()
    (records,) = reported
    assert {("events", event["id"]), ("venues", event["venue"]["id"])} <= set(records)
    assert len(records) == len(set(records))


def test_nothing_of_ours_is_replaced():
    with capture_logs() as log:
        plugins = Plugins(
            {
                "a": Plugin(
                    formats=[Format("ics", "text/plain", fail, fail), TITLES],
                    source_kinds={"csv": SourceKind("text/csv", fail)},
                    translators={"deepl": fail},
                ),
                "b": Plugin(formats=[TITLES]),
            }
        )
    assert [each.suffix for each in plugins.formats] == ["txt"]
    assert not plugins.source_kinds
    assert not plugins.translators
    assert [(entry["plugin"], entry["part"]) for entry in log] == [
        ("a", "ics"),
        ("b", "txt"),
        ("a", "csv"),
        ("a", "deepl"),
    ]


def test_package_that_cannot_be_loaded_is_named_and_left_out():
    points = [
        EntryPoint("missing", "calendar_app.no_such_module:PLUGIN", "calendar_app.plugins"),
        EntryPoint("other", "calendar_app.changes.mail:Letter", "calendar_app.plugins"),
    ]
    with capture_logs() as log:
        assert not loaded_plugins(points)
    assert [entry["plugin"] for entry in log] == ["missing", "other"]


WRONG_PARTS = {
    "formats": ("txt",),
    "suffix": [replace(TITLES, suffix="../<txt>")],
    "source_kinds": None,
    "translators": ["deepl"],
    "blocks": {"foot": "<p>Hello</p>"},
    "desk_pages": None,
    "letter": "Dear all",
    "after_commit": True,
}


@pytest.mark.parametrize("part", WRONG_PARTS)
def test_plugin_with_a_part_of_another_type_is_left_out(monkeypatch, part):
    name = "formats" if part == "suffix" else part
    module = SimpleNamespace(wrong=Plugin(**{name: WRONG_PARTS[part]}), right=Plugin())
    monkeypatch.setitem(sys.modules, "plugins_of_others", module)
    points = [
        EntryPoint(each, f"plugins_of_others:{each}", "calendar_app.plugins")
        for each in ("wrong", "right")
    ]
    with capture_logs() as log:
        assert loaded_plugins(points).keys() == {"right"}
    assert [(entry["event"], entry["plugin"]) for entry in log] == [("plugin failed", "wrong")]


def test_a_service_without_plugins_has_no_further_routes(app):
    assert get_services(app)
    assert not any("events.txt" in rule.rule for rule in app.url_map.iter_rules())
