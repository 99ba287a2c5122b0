"""Which language a request is answered in, and how addresses keep it."""

import pytest

from calendar_app.settings import Settings

pytestmark = pytest.mark.without_mongodb

BASE = "/calendar/events/v1"
SITE = "https://calendar.example"
LANGUAGES = ["de", "rm", "fr", "pt-BR"]


@pytest.fixture
def settings():
    return Settings.load(
        environment={},
        site_url=SITE,
        languages=LANGUAGES,
        default_language="de",
        negotiate_language=True,
    )


@pytest.fixture
def language_of(app):
    """Return a function that asks for a list and tells the language of the answer."""

    def ask(path=f"{BASE}/events", **options):
        answer = app.test_client().get(path, **options)
        assert answer.status_code == 200, answer.json
        return answer.headers["Content-Language"]

    return ask


@pytest.mark.parametrize(
    ("accepted", "language"),
    [
        ("rm", "rm"),
        ("RM", "rm"),
        ("rm-CH", "rm"),
        ("fr-CH-u-co-phonebk, de;q=0.5", "fr"),
        ("de;q=0.5, fr;q=0.9", "fr"),
        ("it, rm;q=0.1", "rm"),
        ("rm;q=0, fr;q=0.1", "fr"),
        ("it", "de"),
        ("*", "de"),
        ("it, *;q=0.5, rm;q=0.3", "de"),
        ("*;q=0.9, fr;q=0.1", "de"),
        ("*, fr", "fr"),
        ("*;q=0.9, de;q=0.1", "rm"),
        ("de;q=0, *", "rm"),
        ("de;q=0", "rm"),
        ("fr-CH;q=0, fr", "fr"),
        ("pt;q=0, pt-BR;q=0.2", "pt-BR"),
        ("de;q=0, rm;q=0, fr;q=0, pt;q=0.5, pt-BR;q=0", "de"),
        ("*;q=0, fr;q=0.1", "fr"),
        ("de-CH, de;q=0.5, fr;q=0.8", "de"),
        ("*;q=0", "de"),
        ("pt-BR", "pt-BR"),
        ("pt", "pt-BR"),
        ("PT-PT, pt;q=0.9, fr;q=0.5", "pt-BR"),
        ("p, r", "de"),
        ("", "de"),
        ("\x7f;;q=", "de"),
    ],
)
def test_best_accepted_language_is_selected(language_of, accepted, language):
    assert language_of(headers={"Accept-Language": accepted}) == language


def test_a_client_without_wishes_gets_the_default(language_of):
    assert language_of() == "de"


def test_the_language_in_front_wins_over_accept_language(language_of):
    accepted = {"Accept-Language": "fr"}
    assert language_of(f"/rm{BASE}/events", headers=accepted) == "rm"


def test_the_parameter_wins_over_all(language_of):
    path = f"/rm{BASE}/events?translation_language=fr"
    assert language_of(path, headers={"Accept-Language": "pt-BR"}) == "fr"


def test_responses_vary_by_accept_language_if_negotiated(anyone):
    assert "Accept-Language" in anyone.get("/events").headers["Vary"]


@pytest.mark.parametrize(
    ("code", "language"), [("RM", "rm"), (" rm", "rm"), ("pt-br", "pt-BR"), ("pt_BR", "pt-BR")]
)
def test_the_parameter_is_understood_in_any_letter_case(anyone, code, language):
    answer = anyone.get("/events", translation_language=code)
    assert (answer.status_code, answer.headers["Content-Language"]) == (200, language)


@pytest.mark.parametrize("tag", ["rm-CH", "rm_CH", "rm-rumgr-x-a", "pt", "pt-BR-1990"])
def test_a_variety_that_the_site_does_not_have_is_an_unknown_language(anyone, as_admin, tag):
    for name in ("translation_language", "fallback"):
        answer = anyone.get("/events", **{name: tag})
        assert (answer.status_code, answer.invalid_params) == (400, [name])
    answer = as_admin.post("/tags", name="Neu", translation_language=tag)
    assert (answer.status_code, answer.invalid_params) == (400, ["translation_language"])


@pytest.mark.parametrize("subtag", ["a" * 33, "-a" * 20])
def test_overlong_language_tag_is_ignored(language_of, subtag):
    assert language_of(headers={"Accept-Language": f"rm-{subtag}"}) == "de"


@pytest.mark.parametrize("tag", ["xx", "english", "d", "de;rm", "*", "-", "../de", "\0"])
@pytest.mark.parametrize("path", ["/events", "/venues", "/organizers", "/categories", "/tags"])
def test_an_unknown_language_is_refused(anyone, path, tag):
    answer = anyone.get(path, translation_language=tag)
    assert (answer.status_code, answer.invalid_params) == (400, ["translation_language"])
    assert answer.code == "rest_invalid_param"


@pytest.mark.parametrize("query", ["translation_language[]=de", "translation_language[a]=de"])
def test_a_language_that_is_no_text_is_refused(anyone, query):
    answer = anyone.send("GET", "/events", query_string=query)
    assert (answer.status_code, answer.invalid_params) == (400, ["translation_language"])


def test_two_languages_at_once_are_refused(anyone):
    answer = anyone.send(
        "GET", "/events", query_string="translation_language=de&translation_language=rm"
    )
    assert (answer.status_code, answer.invalid_params) == (400, ["translation_language"])


@pytest.mark.parametrize("fallback", ["xx", "fr,xx", "fr,none", "none,de", "all"])
def test_a_chain_that_names_an_unknown_language_is_refused(anyone, fallback):
    answer = anyone.get("/events", fallback=fallback)
    assert (answer.status_code, answer.invalid_params) == (400, ["fallback"])


@pytest.mark.parametrize("path", ["/events/1", "/events/by-slug/a", "/venues/1", "/tags/1"])
def test_single_records_refuse_an_unknown_language_too(as_admin, path):
    for method in ("GET", "POST", "DELETE"):
        query = {"translation_language": "xx"}
        answer = as_admin.send(method, path, query_string=query)
        assert answer.status_code == 400
        if method != "GET":
            assert answer.invalid_params == ["translation_language"]


def test_the_language_in_front_stays_in_every_address(app, make_event):
    event = make_event(title="Konzert", venue={"venue": "Saal"}, categories=["Musik"])
    make_event(title="Zweites")
    front = f"{SITE}/rm{BASE}"
    record = app.test_client().get(f"/rm{BASE}/events/{event['id']}").json
    assert record["rest_url"] == f"{front}/events/{event['id']}"
    assert record["url"].startswith(f"{SITE}/rm/")
    assert record["categories"][0]["urls"]["self"].startswith(f"{front}/categories/")
    assert {tag: each["rest_url"] for tag, each in record["translations"].items()} == {
        tag: f"{SITE}/{tag}{BASE}/events/{event['id']}" for tag in LANGUAGES
    }
    page = app.test_client().get(f"/rm{BASE}/events?per_page=1").json
    assert page["rest_url"].startswith(f"{front}/events/")
    assert page["next_rest_url"].startswith(f"{front}/events/")


def test_the_parameter_stays_in_every_address(anyone, make_event):
    event = make_event(title="Konzert")
    make_event(title="Zweites")
    page = anyone.get("/events", per_page=1, translation_language="rm", fallback="none").json
    assert "translation_language=rm" in page["rest_url"]
    assert "fallback=none" in page["rest_url"]
    page = anyone.get("/events", per_page=1, translation_language="rm").json
    assert "translation_language=rm" in page["next_rest_url"]
    assert anyone.follow(page["next_rest_url"]).headers["Content-Language"] == "rm"
    current_event = anyone.get(f"/events/{event['id']}", translation_language="rm").json
    address = f"{SITE}{BASE}/events/{event['id']}?translation_language=fr"
    assert current_event["translations"]["fr"]["rest_url"] == address


def test_a_segment_that_is_no_language_is_no_route(app):
    answer = app.test_client().get(f"/xx{BASE}/events")
    assert (answer.status_code, answer.json["code"]) == (404, "rest_no_route")


@pytest.mark.parametrize(
    ("query", "language"),
    [
        ("translation_language=rm", "rm"),
        ("wpml_language=fr", "fr"),
        ("wpml_language=fr&translation_language=rm", "fr"),
        ("wpml_language=&translation_language=rm", "rm"),
    ],
)
def test_translation_language_is_understood_beside_the_name_of_the_setting(worker, query, language):
    client = worker(translation_parameter="wpml_language")
    answer = client.send("GET", f"/events?{query}")
    assert answer.headers["Content-Language"] == language
    following = client.send("GET", answer.json["rest_url"].partition(BASE)[2])
    assert following.headers["Content-Language"] == language
    refused = client.send("GET", "/events?translation_language=xx")
    assert (refused.status_code, refused.invalid_params) == (400, ["translation_language"])
