"""Clients that are slow, that send too much, or that come as the service ends."""

import os
import re
import signal
import socket
import threading
import time
from collections import Counter
from contextlib import ExitStack, closing
from http.client import HTTPConnection, HTTPException
from pathlib import Path

import httpx
import pytest
from serving import PATIENCE, children_of, mongod_on, read, reload, runs, serving, wait_for

pytestmark = pytest.mark.timeout(180)

SLOW = 200
HEADERS = b"GET /livez HTTP/1.1\r\nHost: x\r\nX-Slow: "
BODY = b"POST /calendar/events/v1/events HTTP/1.1\r\nHost: x\r\nContent-Length: 999\r\n\r\n"
LIMIT = 10_000_000  # bytes, more than the service takes


@pytest.fixture(scope="module")
def clients_served(tmp_path_factory):
    with serving(tmp_path_factory.mktemp("clients") / "data", "--workers", "2") as service:
        yield service


@pytest.fixture
def address(clients_served):
    return address_of(clients_served)


def address_of(service):
    url = httpx.URL(service.events)
    return url.host, url.port


def status_of(address, path="/livez"):
    with closing(HTTPConnection(*address, timeout=PATIENCE)) as connection:
        connection.request("GET", path)
        return connection.getresponse().status


@pytest.mark.parametrize("beginning", [HEADERS, BODY])
def test_two_hundred_slow_clients_delay_no_other(address, beginning):
    with ExitStack() as stack:
        connections = [
            stack.enter_context(socket.create_connection(address, PATIENCE)) for _ in range(SLOW)
        ]
        for connection in connections:
            connection.sendall(beginning)
        for _ in range(5):
            for connection in connections:
                connection.sendall(b"x")
            began = time.monotonic()
            assert status_of(address) == 200
            assert time.monotonic() - began < 1


def test_connection_serves_many_requests(address):
    with closing(HTTPConnection(*address, timeout=PATIENCE)) as connection:
        for _ in range(3):
            connection.request("GET", "/livez")
            response = connection.getresponse()
            assert response.status == 200
            response.read()
            assert not response.will_close


def test_pipelined_requests_are_answered_in_order(address):
    paths = ["/livez", "/nowhere", "/livez"]
    head = "GET {} HTTP/1.1\r\nHost: x\r\nX-Request-ID: n{}\r\n\r\n"
    with socket.create_connection(address, PATIENCE) as connection:
        connection.sendall("".join(head.format(p, n) for n, p in enumerate(paths)).encode())
        received = b""
        while received.count(b"\r\n\r\n") < len(paths):
            received += connection.recv(65_536)
    assert re.findall(rb"HTTP/1.1 (\d+)", received) == [b"200", b"404", b"200"]
    places = [received.index(f"x-request-id: n{n}".encode()) for n in range(len(paths))]
    assert places == sorted(places)


@pytest.mark.parametrize("chunked", [False, True])
def test_refusal_of_a_large_body_reaches_its_sender(address, chunked):
    body = iter([b"x" * 100_000] * 150) if chunked else b"x" * (3 * LIMIT // 2)
    headers = {"Content-Type": "application/json"}
    with closing(HTTPConnection(*address, timeout=PATIENCE)) as connection:
        connection.request("POST", "/calendar/events/v1/events", body, headers)
        response = connection.getresponse()
        assert response.status == 413
        assert b"request_too_large" in response.read()
        assert response.will_close


def test_header_cannot_pass_for_another_one(address):
    events = "/calendar/events/v1/events"
    with closing(HTTPConnection(*address, timeout=PATIENCE)) as connection:
        connection.request("GET", events, headers={"If_None_Match": "*", "X_Request_ID": "forged"})
        response = connection.getresponse()
        assert response.status == 200
        assert response.headers["X-Request-ID"] != "forged"


def test_worker_returns_large_blocks_and_has_one_arena(clients_served):
    commands = {
        child: read(f"/proc/{child}/cmdline") for child in children_of(clients_served.process.pid)
    }
    workers = [child for child, command in commands.items() if "calendar_app.server" in command]
    assert len(workers) == 2
    for worker in workers:
        environment = Path(f"/proc/{worker}/environ").read_bytes().split(b"\0")
        assert {b"MALLOC_ARENA_MAX=1", b"MALLOC_MMAP_THRESHOLD_=1048576"} <= set(environment)


class Load:
    """Clients that ask all the time, half of them on a new connection each time."""

    def __init__(self, address):
        self.outcomes = Counter()
        self._address = address
        self._goes_on = True
        self._threads = [threading.Thread(target=self._ask, args=(n % 2,)) for n in range(2)]

    def __enter__(self):
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_):
        self._goes_on = False
        for thread in self._threads:
            thread.join()

    def _ask(self, keep):
        connection = HTTPConnection(*self._address, timeout=PATIENCE)
        while self._goes_on:
            try:
                connection.connect() if connection.sock is None else None
            except ConnectionRefusedError:
                self.outcomes["refused"] += 1
                time.sleep(0.05)
                continue
            try:
                connection.request("GET", "/livez")
                response = connection.getresponse()
                response.read()
                self.outcomes[response.status] += 1
            except (OSError, HTTPException):
                self.outcomes["lost"] += 1
            if not keep:
                connection.close()
            time.sleep(0.05)  # so that the service has time to do something else
        connection.close()


def test_requests_are_answered_as_the_service_ends(tmp_path):
    with serving(tmp_path / "data", "--workers", "2") as service:
        with Load(address_of(service)) as load:
            wait_for(lambda: load.outcomes[200] > 50)
            assert service.end() == 0
        assert load.outcomes["lost"] == 0
        assert service.stderr.read() == ""


def test_reload_loses_no_request(clients_served):
    with Load(address_of(clients_served)) as load:
        wait_for(lambda: load.outcomes[200] > 50)
        reload(clients_served)
    assert set(load.outcomes) == {200}


def test_restart_with_systemd_socket_refuses_no_connection(tmp_path):
    with socket.create_server(("127.0.0.1", 0), backlog=100) as listener:
        options = {"listener": listener}
        with serving(tmp_path / "data", **options) as service:
            with ExitStack() as stack:
                load = stack.enter_context(Load(address_of(service)))
                wait_for(lambda: load.outcomes[200] > 50)
                assert service.end() == 0
                with serving(tmp_path / "data", **options):
                    answered = load.outcomes[200]
                    wait_for(lambda: load.outcomes[200] > answered + 50)
                    stack.close()
            assert set(load.outcomes) == {200}


def test_workers_of_a_killed_master_end_too(tmp_path):
    data = tmp_path / "data"
    with serving(data, "--workers", "2") as service:
        workers = children_of(service.process.pid) - {mongod_on(data)}
        with socket.create_connection(address_of(service), PATIENCE) as connection:
            connection.sendall(BODY)  # a request is under way
            service.end(signal.SIGKILL)
            assert len(workers) == 2
            wait_for(lambda: not any(map(runs, workers)))
        with pytest.raises(httpx.ConnectError):
            service.get()


def test_worker_that_was_killed_is_replaced(tmp_path):
    data = tmp_path / "data"
    with serving(data) as service:
        for _ in range(3):
            before = children_of(service.process.pid)
            (worker,) = before - {mongod_on(data)}
            os.kill(worker, signal.SIGKILL)
            assert service.get().status_code == 200
            assert "another one starts" in service.complaint(str(worker))
