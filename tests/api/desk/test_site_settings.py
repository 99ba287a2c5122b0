"""Administrators change the settings left open by the operator, at once in all processes."""

from io import BytesIO

import pytest
from browsing import Browser

from calendar_app.app import create_app
from calendar_app.errors import ConfigurationError
from calendar_app.settings import Settings

OPEN = ["footer_links", "footer_text", "logo", "submissions"]


@pytest.fixture(scope="session")
def settings(settings):
    return Settings.load(
        environment={},
        site_url=settings.site_url,
        languages=list(settings.languages),
        default_language="de",
        desk_settings=OPEN,
    )


@pytest.fixture
def other_process(settings, app, database, clock):
    """Return a browser at another process of the same calendar."""
    assert app
    return Browser(create_app(settings, database, clock))


def test_text_at_the_foot_stands_on_pages_of_all_processes(desk, app, other_process):
    pages = [Browser(app), other_process]
    for browse in pages:
        assert "Gemeinde" not in browse("/events/").text
    german, romansh = "Ein <b>Angebot</b> der Gemeinde", "Da la vischnanca"
    texts = {"footer_text-de": german, "footer_text-rm": romansh}
    assert desk("admin").send("/settings/", **texts).status == 303
    for browse in pages:
        assert german in browse("/events/").text
        assert romansh in browse("/rm/events/").text


def foot(browse):
    links = browse("/events/").tree.xpath("//footer//ul//a")
    return {link.text_content(): link.get("href") for link in links}


def test_links_at_the_foot_stand_on_pages_of_all_processes(desk, app, other_process):
    lines = "Impressum = https://agenda.example/impressum?a=b\r\n\r\nTelefon=tel:+41810000000\n"
    assert desk("admin").send("/settings/", footer_links=lines.replace(" = ", "=")).status == 303
    for browse in (Browser(app), other_process):
        assert foot(browse) == {
            "Impressum": "https://agenda.example/impressum?a=b",
            "Telefon": "tel:+41810000000",
        }
    assert desk("admin").send("/settings/", footer_links="").status == 303
    assert foot(other_process) == {}


@pytest.mark.parametrize(
    "line", ["Impressum", "=https://a.example", "X=javascript:alert(1)", "X=https://", "X=a.html"]
)
def test_line_that_is_no_link_is_refused_by_name(desk, app, line):
    answer = desk("admin").send("/settings/", footer_links=f"Gut=/gut\n{line}")
    assert answer.status == 400
    assert f"«{line}»" in answer.text
    assert foot(Browser(app)) == {}
    with pytest.raises(ConfigurationError, match="footer_links"):
        Settings.load(environment={}, footer_links=[line])


def test_too_many_links_are_refused(desk):
    answer = desk("admin").send("/settings/", footer_links="A=/a\n" * 21)
    assert answer.status == 400


def test_contributions_are_switched_on_and_off(desk, app, anyone, other_process):
    browser = desk("admin")
    for is_on in (True, False):
        browser.send("/settings/", **({"submissions": "y"} if is_on else {"submissions": []}))
        for browse in (Browser(app), other_process):
            assert (browse("/events/submit/").status == 200) == is_on
            links = browse("/events/").tree.xpath('//footer//a[contains(@href, "submit")]')
            assert bool(links) == is_on
        assert (anyone.get("/submissions").status_code == 401) == is_on


def test_logo_is_uploaded_and_taken_away(desk, app, png):
    browser, browse = desk("admin"), Browser(app)
    sent = {"csrf_token": browser.token(), "logo_file": (BytesIO(png), "logo.png")}
    browser.post("/settings/", **sent)
    (logo,) = browse("/events/").tree.xpath('//header//a[@class="site-name"]/img/@src')
    assert browse(logo).status == 200
    browser.send("/settings/", logo_remove="y")
    assert not browse("/events/").tree.xpath('//header//a[@class="site-name"]/img')


def test_what_the_operator_has_set_stays(database, clock):
    own = {"languages": ["de", "rm"], "default_language": "de", "desk_settings": OPEN}
    fixed = Settings.load(environment={}, logo="/eigenes.png", **own)
    assert fixed.open_at_desk == ("footer_links", "footer_text", "submissions")
    app = create_app(fixed, database, clock)
    services = app.extensions["calendar"]
    services.site_settings.change({"logo": "/anderes.png"})
    assert services.site_settings.present().logo == "/eigenes.png"


@pytest.mark.parametrize("role", ["author", "editor"])
def test_settings_are_for_administrators(desk, role):
    assert desk(role).get("/settings/").status == 403


def test_setting_that_is_no_matter_of_the_desk_cannot_be_opened():
    with pytest.raises(ConfigurationError, match="desk_settings"):
        Settings.load(environment={}, desk_settings=["mongodb_uri"])
