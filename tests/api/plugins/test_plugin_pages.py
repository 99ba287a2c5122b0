"""Plugins add pages to the desk and routes for everybody, and have settings of their own."""

from datetime import timedelta

import pytest
from calling import Client
from desking import Desk
from flask import Blueprint
from structlog.testing import capture_logs

from calendar_app.api.http.request.state import get_services
from calendar_app.app import create_app
from calendar_app.assembly.plugins import Plugins
from calendar_app.errors import ConfigurationError
from calendar_app.plugins import DeskPage, Plugin, Right
from calendar_app.settings import Settings
from calendar_app.site.desk.sessions import COOKIE

PATH = "/desk/plugins/trial/clubs"


def fail(*_):
    raise ZeroDivisionError


@pytest.fixture
def app_with(app, settings, database, clock):
    """Return a function that makes the service with one plugin, called ``trial``."""
    del app

    def make(plugin, **own):
        chosen = Settings.load(environment={}, **own) if own else settings
        return create_app(chosen, database, clock, Plugins({"trial": plugin}))

    return make


@pytest.fixture
def enter(database):
    """Return a function that begins a user's session at the desk of a service."""

    def begin(app, name):
        browser = Desk(app)
        user = database["users"].find_one({"name": name})
        sessions = get_services(app).accounts.sessions
        browser.client.set_cookie(
            COOKIE, sessions.begin(user["_id"], timedelta(hours=1)), path="/desk"
        )
        return browser

    return begin


@pytest.fixture
def clubs():
    """Return a page of the desk that keeps the names of clubs, and these names."""
    names = []

    def show(visit):
        listed = ", ".join(names)
        return f"<p>{visit.name}: {listed}</p><form method='post'>{visit.token}</form>"

    def save(visit):
        if not visit.form.get("club"):
            raise ValueError("Name the club.")
        names.append(visit.form["club"])

    title = {"de": "Vereine", "rm": "Uniuns"}
    return DeskPage("clubs", title, Right.EDIT_OTHERS, show, save), names


def test_page_of_the_desk_is_in_the_menu_of_those_who_may_open_it(app_with, enter, clubs):
    app = app_with(Plugin(desk_pages=[clubs[0]]))
    links = "//nav//a[contains(@href, 'plugins')]"
    (link,) = enter(app, "editor").get("/desk/").tree.xpath(links)[:1]
    assert (link.get("href"), link.text_content()) == (PATH, "Vereine")
    assert not enter(app, "author").get("/desk/").tree.xpath(links)
    assert enter(app, "author").get(PATH).status == 403
    stranger = app.test_client().get(PATH)
    assert (stranger.status_code, stranger.headers["Location"][:11]) == (303, "/desk/login")


def test_page_of_the_desk_stores_what_its_form_sends(app_with, enter, clubs):
    page, names = clubs
    browser = enter(app_with(Plugin(desk_pages=[page])), "editor")
    assert browser.get(PATH).tree.xpath("//h1/text()") == ["Vereine"]
    assert browser.send(PATH.removeprefix("/desk"), club="Chor").status == 303
    assert names == ["Chor"]
    assert "editor: Chor" in browser.get(PATH).text
    refused = browser.send(PATH.removeprefix("/desk"))
    assert refused.status == 400
    assert "Name the club." in refused.text
    assert browser.post(PATH, club="Turnverein").status == 403
    assert names == ["Chor"]


def test_page_of_the_desk_that_fails_is_named_in_the_log(app_with, enter):
    page = DeskPage("clubs", {"de": "Vereine"}, Right.EDIT, fail)
    browser = enter(app_with(Plugin(desk_pages=[page])), "editor")
    with capture_logs() as log:
        assert browser.get(PATH).status == 500
    assert ("trial", "desk page") in [(each.get("plugin"), each.get("part")) for each in log]
    assert browser.get("/desk/").status == 200


@pytest.mark.parametrize(
    "page",
    [
        DeskPage("clubs", {}, Right.EDIT, fail),
        DeskPage("clubs", {"de": " "}, Right.EDIT, fail),
        DeskPage("clubs", "Vereine", Right.EDIT, fail),
        DeskPage("", {"de": "Vereine"}, Right.EDIT, fail),
        DeskPage("<name>", {"de": "Vereine"}, Right.EDIT, fail),
        DeskPage("members", {"de": "Mitglieder"}, Right.EDIT, fail),
    ],
)
def test_page_of_the_desk_that_cannot_be_shown_is_left_out_alone(app_with, enter, page):
    sound = DeskPage("members", {"de": "Mitglieder"}, Right.EDIT, lambda _: "<p>5</p>")
    with capture_logs() as log:
        browser = enter(app_with(Plugin(desk_pages=[sound, page])), "editor")
    assert [(each["plugin"], each["part"]) for each in log] == [("trial", "desk page")]
    assert browser.get("/desk/plugins/trial/members").status == 200
    assert "Mitglieder" in browser.get("/desk/").text


def _routes():
    routes = Blueprint("anything", __name__)
    routes.add_url_rule("/members", view_func=lambda: {"members": 5}, endpoint="members")
    routes.add_url_rule("/broken", view_func=fail, endpoint="broken")
    return routes


def test_routes_of_a_plugin_are_for_everybody(app_with):
    client = app_with(Plugin(blueprint=_routes())).test_client()
    assert client.get("/plugins/trial/members").json == {"members": 5}
    assert client.get("/plugins/trial/nothing").status_code == 404
    with capture_logs() as log:
        assert client.get("/plugins/trial/broken").status_code == 500
    assert ("trial", "route") in [(each.get("plugin"), each.get("part")) for each in log]
    assert client.get("/events/").status_code == 200


def test_plugin_gets_its_settings_before_it_is_asked_for_anything(app_with):
    taken = []
    app_with(Plugin(configure=taken.append), plugins={"trial": {"key": "x", "most": 3}})
    app_with(Plugin(configure=taken.append))
    assert taken == [{"key": "x", "most": 3}, {}]


def test_plugin_that_refuses_its_settings_is_left_out(app_with, clubs):
    plugin = Plugin(configure=fail, desk_pages=[clubs[0]], blueprint=_routes())
    with capture_logs() as log:
        app = app_with(plugin, plugins={"other": {}})
    assert [(each["event"], each["plugin"]) for each in log] == [
        ("settings of no plugin", "other"),
        ("plugin failed", "trial"),
    ]
    assert Client(app).get("/events").status_code == 200
    assert not [rule for rule in app.url_map.iter_rules() if "plugins" in rule.rule]


def test_settings_of_plugins_are_tables():
    with pytest.raises(ConfigurationError, match="must have a table"):
        Settings.load(environment={}, plugins={"trial": 5})
    secret = Settings.load(environment={"CALENDAR_PLUGINS": '{"trial": {"key": "sesame"}}'})
    assert secret.plugins == {"trial": {"key": "sesame"}}
    assert "sesame" not in repr(secret)
