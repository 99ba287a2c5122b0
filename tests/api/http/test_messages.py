"""Messages in the language of the request."""

import pytest

from calendar_app.settings import Settings

pytestmark = pytest.mark.without_mongodb

BASE = "/calendar/events/v1"
_MARK = "\N{RIGHT SINGLE QUOTATION MARK}"
SORRY = {
    "en": "Log in first: send your name and an application password by HTTP Basic.",
    "de": "Melden Sie sich zuerst an: Senden Sie Ihren Namen und ein Anwendungspasswort "
    "mit HTTP Basic.",
    "rm": f"S{_MARK}annunziai l{_MARK}emprim: Tramettai Voss num ed in pled-clav "
    f"d{_MARK}applicaziun cun HTTP Basic.",
    "fr": f"Connectez-vous d{_MARK}abord\N{NARROW NO-BREAK SPACE}: envoyez votre nom et un mot de "
    f"passe d{_MARK}application avec HTTP Basic.",
}


@pytest.fixture
def settings():
    return Settings.load(
        environment={},
        site_url="https://calendar.example",
        languages=["en", "rm", "de", "fr", "nl"],
        default_language="en",
        fallback=["de", "fr", "en"],
        negotiate_language=True,
    )


@pytest.mark.parametrize("language", ["en", "de", "fr", "rm"])
def test_errors_speak_the_language_of_the_parameter(anyone, language):
    answer = anyone.post("/events", title="x", translation_language=language)
    assert answer.json["message"] == SORRY[language]
    assert answer.json["code"] == "rest_forbidden"
    assert answer.json["data"] == {"status": 401}


@pytest.mark.parametrize(
    ("path", "language", "spoken"),
    [
        ("/events/999999", "fr", "fr"),
        ("/events?page=x", "en", "en"),
        ("/events?page=x", "rm", "rm"),
        ("/venues/999999", "nl", "de"),
        ("/nothing", "nl", "de"),
        ("/events", "xx", "en"),
    ],
)
def test_errors_have_their_content_language(anyone, path, language, spoken):
    joint = "&" if "?" in path else "?"
    answer = anyone.send("GET", f"{path}{joint}translation_language={language}")
    assert answer.status_code in (400, 404)
    assert answer.headers["Content-Language"] == spoken


@pytest.mark.parametrize("path", ["/events/999999", "/events?page=x", "/nothing"])
def test_errors_vary_by_accept_language_if_negotiated(anyone, path):
    answer = anyone.send("GET", path, headers={"Accept-Language": "fr"})
    assert answer.headers["Content-Language"] == "fr"
    assert "Accept-Language" in answer.headers["Vary"]


def test_too_large_body_is_refused_with_a_content_language(anyone):
    answer = anyone.send("POST", "/events", data=b"x" * 2_000_000)
    assert (answer.status_code, answer.headers["Content-Language"]) == (413, "en")


@pytest.mark.parametrize("fallback", [None, "none", "fr"])
def test_a_language_without_a_catalog_is_answered_by_the_chain_of_the_site(anyone, fallback):
    query = {"translation_language": "nl"} | ({"fallback": fallback} if fallback else {})
    answer = anyone.send("POST", "/events", query_string=query)
    assert answer.json["message"] == SORRY["de"]


def test_errors_speak_the_language_in_front_of_the_address(app):
    answer = app.test_client().post(f"/fr{BASE}/events", json={})
    assert answer.json["message"] == SORRY["fr"]


def test_errors_speak_a_language_that_the_client_accepts(anyone):
    headers = {"Accept-Language": "es, de-CH;q=0.8, fr;q=0.5"}
    assert anyone.send("POST", "/events", json={}, headers=headers).json["message"] == SORRY["de"]


def test_errors_of_a_request_that_names_none_speak_the_default(anyone):
    assert anyone.post("/events").json["message"] == SORRY["en"]


def test_parameters_keep_their_names_and_codes_in_every_language(anyone):
    responses = {
        tag: anyone.get("/events", page="x", per_page=-1, translation_language=tag).json
        for tag in ("en", "de", "fr")
    }
    assert responses["de"]["message"] == "Ungültige Parameter: page, per_page"
    assert responses["de"]["data"]["params"] == {
        "page": "page muss eine ganze Zahl über 0 sein.",
        "per_page": "per_page muss eine ganze Zahl über 0 sein.",
    }
    assert len({answer["message"] for answer in responses.values()}) == 3
    for answer in responses.values():
        assert answer["code"] == "rest_invalid_param"
        assert answer["data"]["params"].keys() == {"page", "per_page"}
        assert (answer["data"]["status"], answer["data"]["details"]) == (400, [])


def test_error_details_are_translated(as_admin):
    wrong = {"title": "x", "start_date": "2030-03-10", "end_date": "2030-03-10", "featured": "?"}
    data = as_admin.post("/events", translation_language="de", **wrong).json["data"]
    message = "featured ist nicht vom Typ boolean."
    assert data["params"] == {"featured": message}
    assert data["details"]["featured"] == {
        "code": "rest_invalid_type",
        "message": message,
        "data": {"param": "featured"},
    }


def test_kind_of_a_missing_record_is_translated(as_admin):
    answer = as_admin.get("/venues/999", translation_language="de")
    assert answer.json["data"]["params"] == {"id": "Nicht vorhanden: Ort."}


@pytest.mark.parametrize(
    ("tag", "expected"),
    [("de", "Diese Uhrzeit gibt es nicht."), ("fr", "Cette heure du jour n\u2019existe pas.")],
)
def test_date_error_is_translated(anyone, tag, expected):
    answer = anyone.get("/events", start_date="2030-03-10 25:00", translation_language=tag)
    assert answer.json["data"]["params"] == {"start_date": expected}


@pytest.mark.parametrize(
    ("sent", "expected"),
    [
        (
            {"venue": "Kulturstall Pradasut"},
            'venue muss eine ID sein oder ein Objekt wie {"venue": "…"}.',
        ),
        (
            {"organizer": [5.5]},
            'organizer muss eine ID sein oder ein Objekt wie {"organizer": "…"}.',
        ),
        ({"organizer": 999999}, "Nicht vorhanden: Veranstalter 999999."),
        (
            {"venue": {"venue": "Saal", "geo_lat": 200, "geo_lng": 9}},
            "venue.geo_lat: geo_lat muss zwischen -90 und 90 liegen.",
        ),
        ({"venue": {"city": "Chur"}}, "venue.venue: Diese Angabe ist nötig."),
        (
            {"categories": [{"count": 5}]},
            "categories muss jeden Eintrag durch seine ID, seinen Slug oder seinen Namen nennen.",
        ),
        ({"author": 0}, "Es gibt kein Benutzerkonto 0."),
        ({"author": 999999}, "Es gibt kein Benutzerkonto 999999."),
        ({"author": "anna"}, "author muss die ID eines Benutzerkontos sein."),
    ],
)
def test_invalid_link_is_refused_with_the_valid_forms(as_admin, make_event, sent, expected):
    path = f"/events/{make_event()['id']}?translation_language=de"
    answer = as_admin.patch(path, **sent)
    assert (answer.status_code, answer.code) == (400, "rest_invalid_param")
    assert answer.json["data"]["params"] == dict.fromkeys(sent, expected)


def test_single_coordinate_names_the_missing_one(as_admin):
    answer = as_admin.post("/venues?translation_language=de", venue="Saal", geo_lat=46.8)
    expected = {"geo_lng": "Nötig sind beide Koordinaten oder keine."}
    assert answer.json["data"]["params"] == expected


@pytest.mark.parametrize(
    "date", ["2026-11-22T00:00:00+01:00", "2026-11-22 00:00+01:00", "2026-11-22T00:00:00.5+01:00"]
)
def test_unencoded_plus_is_refused_with_its_encoding(anyone, date):
    answer = anyone.send("GET", f"/events?translation_language=de&starts_after={date}")
    expected = {"starts_after": "Ein + ist in einer Adresse als %2B zu schreiben."}
    assert answer.json["data"]["params"] == expected
    answer = anyone.send("GET", f"/events?starts_after={date.replace('+', '%2B')}")
    assert answer.status_code == 200


def test_change_by_an_unknown_slug_names_the_slug(as_admin):
    answer = as_admin.put("/events/by-slug/gibt-es-nicht?translation_language=de", title="x")
    assert (answer.status_code, answer.code) == (404, "rest-event-not-found")
    assert answer.json["message"] == "Eine Veranstaltung mit dem Slug gibt-es-nicht gibt es nicht."


def test_unknown_language_is_refused_in_the_default_language(anyone, app):
    answer = anyone.get("/events", translation_language="xx")
    assert answer.json["message"] == "Invalid parameter(s): translation_language"
    answer = app.test_client().get(f"/de{BASE}/events?translation_language=xx")
    assert answer.json["message"] == "Ungültige Parameter: translation_language"


def test_malformed_json_is_refused_in_the_language_of_the_query(anyone):
    options = {"data": "{", "content_type": "application/json"}
    query = {"translation_language": "de"}
    answer = anyone.send("POST", "/events", query_string=query, **options)
    assert answer.code == "rest_invalid_json"
    assert answer.json["message"] == "Der Inhalt der Anfrage ist kein gültiges JSON."


def test_an_unknown_route_is_refused_in_the_language_of_the_address(app):
    answer = app.test_client().get(f"{BASE}/nothing?translation_language=fr")
    assert answer.json["code"] == "rest_no_route"
    assert answer.json["message"].startswith("Rien ne correspond")


def test_client_input_in_messages_is_not_translated(as_admin, make_event):
    event = make_event()
    answer = as_admin.post(f"/events/{event['id']}", tags=[98765], translation_language="de")
    assert answer.json["data"]["params"] == {"tags": "Nicht vorhanden: Schlagwort 98765."}
    answer = as_admin.get("/tags", include="{kind} event", translation_language="de")
    assert "{kind} event" in answer.json["data"]["params"]["include"]
