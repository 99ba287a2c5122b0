"""Which addresses may be reached, and that the address that was judged is the one reached."""

import ipaddress
import socket
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import httpcore
import pytest

from calendar_app.domain.addresses import networks_of
from calendar_app.errors import ConfigurationError
from calendar_app.storage.network import ForbiddenAddress, PublicNetwork, is_allowed

NAME = "site.example"
PUBLIC = ["93.184.216.34", "2606:4700::1111", "::ffff:93.184.216.34", "64:ff9b::5db8:d822"]
NOT_PUBLIC = [
    "0.0.0.1",
    "10.1.2.3",
    "100.64.0.1",
    "127.0.0.1",
    "169.254.169.254",
    "172.16.0.1",
    "192.0.2.1",
    "192.168.1.1",
    "198.18.0.1",
    "224.0.0.1",
    "240.0.0.1",
    "255.255.255.255",
    "::",
    "::1",
    "::7f00:1",
    "::ffff:127.0.0.1",
    "::ffff:169.254.169.254",
    "2001:db8::1",
    "2002:7f00:1::",
    "64:ff9b::a9fe:a9fe",
    "64:ff9b:1::1",
    "fc00::1",
    "fe80::1",
    "fe80::1%eth0",
    "fec0::1",
    "ff02::1",
]


class Home(BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200)
        self.end_headers()
        self.wfile.write(self.headers["Host"].encode())

    def log_message(self, *_):
        pass


@pytest.fixture
def port():
    """Return the port of a server on loopback that answers with the name it was asked by."""
    with ThreadingHTTPServer(("127.0.0.1", 0), Home) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield server.server_port
        server.shutdown()
        thread.join()


@pytest.fixture
def resolve_to(monkeypatch):
    """Return a function that resolves a name to one list of addresses after the other."""

    def resolve(*answers):
        waiting = [list(answer) for answer in answers]
        real = socket.getaddrinfo

        def look_up(host, port, *args, **options):
            if host != NAME:
                return real(host, port, *args, **options)
            addresses = waiting.pop(0)
            return [
                (socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, port))
                for address in addresses
            ]

        monkeypatch.setattr(socket, "getaddrinfo", look_up)
        return waiting

    return resolve


def request(port, *networks):
    permitted = networks_of("import_networks", networks)
    with httpcore.ConnectionPool(network_backend=PublicNetwork(permitted)) as pool:
        return pool.request("GET", f"http://{NAME}:{port}/").content


@pytest.mark.parametrize("address", PUBLIC)
def test_public_addresses_are_allowed(address):
    assert is_allowed(ipaddress.ip_address(address))


@pytest.mark.parametrize("address", NOT_PUBLIC)
def test_private_addresses_are_forbidden(address):
    assert not is_allowed(ipaddress.ip_address(address))


@pytest.mark.parametrize(
    ("network", "address"),
    [("10.0.0.0/8", "10.1.2.3"), ("10.0.0.0/8", "::ffff:10.1.2.3"), ("fe80::/10", "fe80::1")],
)
def test_permitted_networks_are_allowed(network, address):
    assert is_allowed(ipaddress.ip_address(address), networks_of("import_networks", [network]))


def test_invalid_network_is_refused_with_its_setting():
    with pytest.raises(ConfigurationError, match=r"import_networks.*10\.0\.0\.0/99"):
        networks_of("import_networks", ["10.0.0.0/99"])


def test_name_is_resolved_once(port, resolve_to):
    # A second look-up would lead to where it may not.
    waiting = resolve_to(["127.0.0.1"], ["169.254.169.254"])
    assert request(port, "127.0.0.1") == f"{NAME}:{port}".encode()
    assert waiting == [["169.254.169.254"]]


def test_forbidden_addresses_of_a_name_are_skipped(port, resolve_to):
    resolve_to(["10.0.0.1", "169.254.169.254", "127.0.0.1"])
    assert request(port, "127.0.0.1") == f"{NAME}:{port}".encode()


def test_next_address_is_tried_after_a_failure(port, resolve_to):
    resolve_to(["127.0.0.3", "127.0.0.1"])
    assert request(port, "127.0.0.0/8") == f"{NAME}:{port}".encode()


@pytest.mark.parametrize("addresses", [["127.0.0.1"], ["10.0.0.1", "fe80::1"]])
def test_name_without_a_public_address_is_refused(port, resolve_to, addresses):
    resolve_to(addresses)
    with pytest.raises(ForbiddenAddress, match=r"site\.example"):
        request(port)


def test_unix_sockets_are_refused():
    with pytest.raises(ForbiddenAddress):
        PublicNetwork().connect_unix_socket("/run/docker.sock")
