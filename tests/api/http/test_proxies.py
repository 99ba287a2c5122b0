"""Forwarded headers count only from trusted proxies."""

from base64 import b64encode
from dataclasses import replace

import pytest
from calling import SECRET

pytestmark = pytest.mark.without_mongodb

PROXY = "192.0.2.7"
BY_SOCKET = ""  # how servers put it
FORWARDED = {
    "X-Forwarded-For": "198.51.100.4",
    "X-Forwarded-Proto": "https",
    "X-Forwarded-Host": "agenda.example.org",
}
TRUSTED = "https://agenda.example.org/"


@pytest.fixture
def trusted():
    return ()


@pytest.fixture
def settings(settings, trusted):
    return replace(settings, site_url="", trusted_proxies=trusted)


def reached(client, peer, headers=FORWARDED):
    """Return the address that the service believes it was called by."""
    answer = client.send("GET", "/events", headers, environ_overrides={"REMOTE_ADDR": peer})
    return answer.json["rest_url"]


@pytest.mark.parametrize(
    ("trusted", "heeded", "ignored"),
    [
        ((), [], [PROXY, BY_SOCKET]),
        (("192.0.2.0/24",), [PROXY], ["198.51.100.1", BY_SOCKET]),
        (("unix",), [BY_SOCKET], [PROXY]),
        (("unix", PROXY), [BY_SOCKET, PROXY], ["192.0.2.8"]),
    ],
)
def test_only_trusted_proxies_set_forwarded_headers(anyone, heeded, ignored):
    assert all(reached(anyone, peer).startswith(TRUSTED) for peer in heeded)
    assert not any(reached(anyone, peer).startswith(TRUSTED) for peer in ignored)


def signing_in(client, secret, headers=()):
    token = b64encode(f"admin:{secret}".encode()).decode()
    credentials = {"Authorization": f"Basic {token}", **dict(headers)}
    address = {"REMOTE_ADDR": BY_SOCKET}
    return client.send("GET", "/events", credentials, environ_overrides=address).status_code


def test_wrong_secrets_behind_a_socket_do_not_lock_others_out(anyone):
    answers = [signing_in(anyone, f"wrong {number}") for number in range(31)]

    assert answers[0] == 401
    assert signing_in(anyone, SECRET) == 200


@pytest.mark.parametrize("trusted", [("unix",)])
def test_proxy_behind_a_socket_gives_the_client_address(anyone):
    attacker = {"X-Forwarded-For": "198.51.100.4"}
    for number in range(30):
        signing_in(anyone, f"wrong {number}", attacker)

    assert signing_in(anyone, SECRET, attacker) == 429
    assert signing_in(anyone, SECRET, {"X-Forwarded-For": "198.51.100.5"}) == 200
