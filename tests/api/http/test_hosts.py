"""Where a request comes from and goes to: headers of proxies, and the host."""

import pytest

from calendar_app.settings import Settings

pytestmark = pytest.mark.without_mongodb

BASE = "/calendar/events/v1"


@pytest.fixture
def settings():
    """Return the settings of a site that has no address of its own, behind a proxy."""
    return Settings.load(environment={}, trusted_proxies=["127.0.0.1", "fd00::/8"])


@pytest.fixture
def address_of(app):
    """Return a function that reads the index as a peer and returns the site's address."""

    def ask(peer="127.0.0.1", **headers):
        sent = {name.replace("_", "-"): value for name, value in headers.items()}
        environ = {"REMOTE_ADDR": peer}
        answer = app.test_client().get(BASE, headers=sent, environ_overrides=environ)
        assert answer.status_code == 200, answer.json
        return answer.json["_links"]["up"][0]["href"]

    return ask


@pytest.mark.parametrize("peer", ["127.0.0.1", "::ffff:127.0.0.1", "::FFFF:7f00:1", "fd00::7"])
def test_a_trusted_proxy_says_where_the_request_went(address_of, peer):
    address = address_of(peer, X_Forwarded_Host="calendar.example", X_Forwarded_Proto="https")
    assert address == "https://calendar.example/"


@pytest.mark.parametrize("peer", ["127.0.0.2", "::ffff:127.0.0.2", "::1", "", "unix"])
def test_forwarded_host_of_an_untrusted_peer_is_ignored(address_of, peer):
    address = address_of(peer, X_Forwarded_Host="calendar.example", X_Forwarded_Proto="https")
    assert address == "http://localhost/"


@pytest.mark.parametrize("scheme", ["javascript", "https, javascript", "", "ftp"])
def test_invalid_forwarded_scheme_is_ignored(address_of, scheme):
    assert address_of(X_Forwarded_Proto=scheme) == "http://localhost/"


@pytest.mark.parametrize(
    "host",
    [
        "a b<script>",
        "a/b",
        "user@host",
        "host:port",
        "[::1",
        "",
        "127.0.0.1:99999",
        "[::1]:65536",
        "my_calendar:65536",
        f"host:{'9' * 5000}",
    ],
)
@pytest.mark.parametrize("path", ["/", BASE, f"{BASE}/events", "/nothing"])
def test_invalid_host_is_refused(app, path, host):
    answer = app.test_client().get(path, headers={"Host": host})
    assert (answer.status_code, answer.json["code"]) == (400, "bad_request")
    assert "Host" in answer.json["message"]
    assert host not in answer.headers["Link"] or not host


@pytest.mark.parametrize("method", ["GET", "POST"])
@pytest.mark.parametrize("path", ["/events/", "/desk/login", f"{BASE}/events.ics", "/oembed"])
def test_host_with_a_port_that_none_has_is_refused_everywhere(app, path, method):
    answer = app.test_client().open(path, method=method, headers={"Host": "127.0.0.1:99999"})
    assert answer.status_code == 400


def test_invalid_forwarded_host_is_refused(app):
    headers = {"X-Forwarded-Host": "a b<script>"}
    assert app.test_client().get(BASE, headers=headers).status_code == 400


@pytest.mark.parametrize(
    "host", ["calendar.example:8000", "[::1]:8000", "127.0.0.1", "my_calendar", "my_calendar:8000"]
)
def test_service_answers_under_every_valid_host(address_of, host):
    assert address_of(Host=host) == f"http://{host}/"


@pytest.mark.parametrize("host", ["a b", "127.0.0.1:99999"])
def test_liveness_answers_under_any_host(app, host):
    assert app.test_client().get("/livez", headers={"Host": host}).status_code == 200


def test_a_site_with_its_own_address_is_found_under_any_name(worker):
    client = worker(site_url="https://calendar.example")
    answer = client.send("GET", "", headers={"Host": "other.example"})
    assert answer.json["_links"]["up"][0]["href"] == "https://calendar.example/"


@pytest.mark.parametrize("host", ["a b", "127.0.0.1:99999"])
def test_a_site_with_its_own_address_refuses_what_is_no_host(worker, host):
    answer = worker(site_url="https://calendar.example").send("GET", "", headers={"Host": host})
    assert (answer.status_code, answer.code) == (400, "bad_request")
