"""The index says which routes there are, and OPTIONS says it of one."""

from importlib.metadata import version

import pytest

from calendar_app.settings import Settings

pytestmark = pytest.mark.without_mongodb

SITE = "https://calendar.example"
NAMESPACE = "calendar/events/v1"
COLLECTIONS = ["events", "venues", "organizers", "categories", "tags"]
WITH_SLUGS = COLLECTIONS[:3]
PATTERNS = {
    f"/{NAMESPACE}",
    f"/{NAMESPACE}/doc",
    f"/{NAMESPACE}/recurrence/preview",
    *(f"/{NAMESPACE}/series{path}" for path in ("", r"/(?P<id>\d+)", r"/(?P<id>\d+)/events")),
    *(
        rf"/{NAMESPACE}/users{path}"
        for path in (
            "",
            r"/(?P<id>\d+)",
            r"/(?P<id>\d+)/invitation",
            r"/(?P<id>\d+)/sessions",
            r"/(?P<id>\d+)/application-passwords/(?P<label>[^/]+)",
        )
    ),
    *(
        rf"/{NAMESPACE}/sources{path}"
        for path in (
            "",
            r"/(?P<id>\d+)",
            r"/(?P<id>\d+)/read",
            r"/(?P<id>\d+)/register",
            r"/(?P<id>\d+)/register/(?P<entry>[^/]+)",
            r"/doubles",
            r"/doubles/(?P<id>[^/]+)",
            r"/(?P<id>\d+)/readings",
            r"/(?P<id>\d+)/readings/(?P<reading>[^/]+)",
        )
    ),
    *(rf"/{NAMESPACE}/{name}/(?P<id>\d+)/unite" for name in ("venues", "organizers")),
    f"/{NAMESPACE}/translations/glossary",
    rf"/{NAMESPACE}/events/by-source/(?P<source>\d+)/(?P<uid>[^/]+)",
    f"/{NAMESPACE}/bulk",
    *(
        rf"/{NAMESPACE}/webhooks{path}"
        for path in (
            "",
            r"/(?P<id>\d+)",
            r"/(?P<id>\d+)/secret",
            r"/(?P<id>\d+)/test",
            r"/(?P<id>\d+)/deliveries",
            r"/(?P<id>\d+)/deliveries/(?P<delivery>[^/]+)",
            r"/(?P<id>\d+)/deliveries/(?P<delivery>[^/]+)/send",
        )
    ),
    f"/{NAMESPACE}/translations/propose",
    f"/{NAMESPACE}/changes",
    f"/{NAMESPACE}/media",
    rf"/{NAMESPACE}/media/(?P<id>\d+)",
    *(f"/{NAMESPACE}/events.{suffix}" for suffix in ("ics", "atom", "geojson", "csv")),
    *(f"/{NAMESPACE}/{name}.jsonld" for name in ("events", "venues", "organizers", "dcat")),
    *(f"/{NAMESPACE}/{name}" for name in COLLECTIONS),
    *(
        rf"/{NAMESPACE}/{name}/(?P<id>\d+)/history{path}"
        for name in (*COLLECTIONS, "series", "media")
        for path in ("", r"/(?P<revision>\d+)", r"/(?P<revision>\d+)/restore")
    ),
    *(rf"/{NAMESPACE}/{name}/(?P<id>\d+)" for name in COLLECTIONS),
    *(f"/{NAMESPACE}/{name}/by-slug/(?P<slug>[^/]+)" for name in WITH_SLUGS),
}


def arguments(route, method):
    return next(
        endpoint["args"] for endpoint in route["endpoints"] if method in endpoint["methods"]
    )


@pytest.fixture
def routes(anyone):
    return anyone.get("").json["routes"]


@pytest.mark.parametrize("path", ["", "/"])
def test_the_root_lists_all_routes_by_their_raw_pattern(anyone, path):
    answer = anyone.get(path)
    assert answer.status_code == 200
    assert answer.json["namespace"] == NAMESPACE
    assert answer.json["version"] == version("calendar-app")
    assert set(answer.json["routes"]) == PATTERNS
    assert answer.json["_links"] == {"up": [{"href": f"{SITE}/"}]}


def test_only_a_route_without_variables_links_to_itself(routes):
    for pattern, route in routes.items():
        links = None if "(" in pattern else {"self": [{"href": SITE + pattern}]}
        assert route.get("_links") == links


def test_a_list_and_a_record_have_their_methods(routes):
    assert routes[f"/{NAMESPACE}/venues"]["methods"] == ["GET", "POST"]
    venue_route = routes[rf"/{NAMESPACE}/venues/(?P<id>\d+)"]
    assert venue_route["methods"] == ["GET", "DELETE", "POST", "PUT", "PATCH"]
    assert [endpoint["methods"] for endpoint in venue_route["endpoints"]] == [
        ["GET"],
        ["DELETE"],
        ["POST", "PUT", "PATCH"],
    ]


def test_a_new_event_needs_title_start_and_end(routes):
    create = arguments(routes[f"/{NAMESPACE}/events"], "POST")
    required = {name for name, argument in create.items() if argument["required"]}
    assert required == {"title", "start_date", "end_date"}


@pytest.mark.parametrize("name", COLLECTIONS)
def test_change_requires_only_the_id(routes, name):
    change = arguments(routes[rf"/{NAMESPACE}/{name}/(?P<id>\d+)"], "PATCH")
    assert {name for name, argument in change.items() if argument["required"]} == {"id"}


def test_the_slug_of_an_event_may_be_left_out_in_a_change_and_that_of_a_venue_selects(routes):
    pattern = f"/{NAMESPACE}/{{}}/by-slug/(?P<slug>[^/]+)"
    assert not arguments(routes[pattern.format("events")], "PUT")["slug"]["required"]
    assert arguments(routes[pattern.format("venues")], "PUT")["slug"]["required"]
    assert arguments(routes[pattern.format("events")], "GET")["slug"]["required"]


def test_arguments_say_type_meaning_and_default(routes):
    listed = arguments(routes[f"/{NAMESPACE}/events"], "GET")
    assert listed["page"]["type"] == "integer"
    assert listed["page"]["default"] == 1
    assert listed["per_page"]["default"] == "12"
    assert listed["categories"]["type"] == "array"
    assert all(argument["description"] for argument in listed.values())


def test_arguments_of_writes_are_declared_as_in_the_reference(routes):
    create = arguments(routes[f"/{NAMESPACE}/events"], "POST")
    assert create["venue"]["default"] is None
    assert create["venue"]["items"] == {"type": "integer"}
    assert create["image"]["type"] == create["description"]["type"] == "string"
    change = arguments(routes[rf"/{NAMESPACE}/venues/(?P<id>\d+)"], "PATCH")
    assert (change["city"]["type"], change["city"]["default"]) == ("string", None)


def test_website_of_an_event_has_no_type(routes):
    for path in ("events", r"events/(?P<id>\d+)", "events/by-slug/(?P<slug>[^/]+)"):
        website = arguments(routes[f"/{NAMESPACE}/{path}"], "POST")["website"]
        assert {"type", "format"}.isdisjoint(website)
        assert website["default"] is None


@pytest.mark.parametrize("name", ["venues", "organizers"])
def test_filters_by_events_have_no_type_and_take_any_value(anyone, routes, name):
    listed = arguments(routes[f"/{NAMESPACE}/{name}"], "GET")
    assert "type" not in listed["has_events"] | listed["only_with_upcoming"]
    assert listed["only_with_upcoming"]["default"] is False
    for value in ("yes", "maybe", "2", "", "true", "[]"):
        query = {"has_events": value, "only_with_upcoming": value}
        assert anyone.get(f"/{name}", **query).status_code == 200


def test_the_default_dates_of_a_list_count_from_today(routes, anyone):
    listed = arguments(routes[f"/{NAMESPACE}/events"], "GET")
    page = anyone.get("/events").json["rest_url"]
    assert listed["start_date"]["default"].startswith("2030-01-15 ")
    assert listed["end_date"]["default"].startswith("2032-01-1")
    assert "start_date=2030-01-15" in page


def test_every_route_takes_the_language(routes):
    for route in routes.values():
        for endpoint in route["endpoints"]:
            languages = endpoint["args"]["translation_language"]["enum"]
            assert languages == ["de", "rm", *(["all"] if "GET" in endpoint["methods"] else [])]


def test_the_root_takes_its_own_namespace_and_no_other(anyone):
    assert anyone.get("", namespace=NAMESPACE, context="view").status_code == 200
    answer = anyone.get("", namespace="other/v1")
    assert answer.status_code == 404
    assert answer.code == "rest_invalid_namespace"


@pytest.mark.parametrize("path", ["", "/doc"])
def test_a_language_that_the_site_has_not_is_refused(anyone, path):
    answer = anyone.get(path, translation_language="fr")
    assert answer.status_code == 400
    assert answer.invalid_params == ["translation_language"]


def test_the_index_of_the_site_may_be_asked_for_a_part(app, settings):
    answer = app.test_client().get("/?_fields=name,namespaces")
    assert answer.json == {"name": settings.site_name, "namespaces": [NAMESPACE, "wp/v2"]}


def test_the_index_of_the_site_names_the_namespace(app, settings):
    answer = app.test_client().get("/")
    assert answer.status_code == 200
    assert answer.json["name"] == settings.site_name
    assert answer.json["namespaces"] == [NAMESPACE, "wp/v2"]
    own = {name for name in answer.json["routes"] if not name.startswith("/wp/v2")}
    assert own == PATTERNS
    assert (answer.json["url"], answer.json["gmt_offset"]) == (SITE, 1)


@pytest.mark.parametrize("method", ["GET", "HEAD"])
@pytest.mark.parametrize("language", ["", "/rm"])
def test_the_root_of_the_site_leads_importers_to_the_interface(app, method, language):
    headers = app.test_client().open(f"{language}/", method=method).headers
    assert headers["X-TEC-API-VERSION"] == "v1"
    assert headers["X-TEC-API-ROOT"] == f"{SITE}{language}/{NAMESPACE}/"
    assert headers["X-TEC-API-ORIGIN"] == f"{SITE}{language}"


@pytest.mark.parametrize("path", ["/events", "/events/", "/events/7", "/events/by-slug/x", ""])
def test_options_describes_the_route_to_strangers(anyone, routes, path):
    answer = anyone.send("OPTIONS", path)
    assert answer.status_code == 200
    assert answer.json in routes.values()


@pytest.mark.parametrize("path", ["/events/86.ics", "/events/by-slug/concert.ics", "/events.ics"])
def test_options_describes_feeds_as_well(anyone, path):
    route = anyone.send("OPTIONS", path).json
    assert route["methods"] == ["GET"]
    assert "translation_language" in arguments(route, "GET")


@pytest.mark.parametrize("path", ["/nothing", "/events/x/y", "/events/by-slug/"])
def test_options_of_an_unknown_path_is_an_empty_list(anyone, path):
    answer = anyone.send("OPTIONS", path)
    assert (answer.status_code, answer.json) == (200, [])


def test_options_needs_no_credentials_not_even_right_ones(anyone):
    answer = anyone.send("OPTIONS", "/events", headers={"Authorization": "Bearer wrong"})
    assert answer.status_code == 200


def test_links_carry_the_language_in_front_of_the_namespace(app):
    answer = app.test_client().get(f"/rm/{NAMESPACE}")
    assert answer.json["_links"] == {"up": [{"href": f"{SITE}/rm/"}]}


class TestInPlaceOfWordPress:
    @pytest.fixture
    def settings(self):
        return Settings.load(
            environment={},
            api_prefix="/wp-json",
            namespace="tribe/events/v1",
            translation_parameter="wpml_language",
        )

    @pytest.mark.parametrize("path", ["/wp-json", "/wp-json/", "/"])
    def test_index_is_served_at_prefix_and_root(self, app, path):
        answer = app.test_client().get(path)
        assert answer.json["namespaces"] == ["tribe/events/v1", "wp/v2"]

    def test_only_the_root_leads_importers_to_the_interface(self, app):
        root, index = (app.test_client().get(path).headers for path in ("/", "/wp-json/"))
        assert root["X-TEC-API-ROOT"] == "http://localhost/wp-json/tribe/events/v1/"
        assert "X-TEC-API-ROOT" not in index

    def test_routes_and_parameters_have_their_other_names(self, app):
        answer = app.test_client().get("/wp-json/tribe/events/v1/")
        route = answer.json["routes"]["/tribe/events/v1/tags"]
        assert "wpml_language" in arguments(route, "GET")
        tags_url = "http://localhost/wp-json/tribe/events/v1/tags"
        assert route["_links"]["self"] == [{"href": tags_url}]
        assert answer.json["_links"]["up"] == [{"href": "http://localhost/wp-json/"}]
