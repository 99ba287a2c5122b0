"""The socket of metrics_bind."""

import socket

import httpx
import pytest
from werkzeug.wrappers import Response

from calendar_app.api.http.answers.metrics_socket import serve_metrics
from calendar_app.errors import ConfigurationError


@pytest.fixture
def free_port():
    with socket.create_server(("127.0.0.1", 0)) as server:
        return server.getsockname()[1]


def test_several_workers_answer_on_one_address(free_port):
    for _ in range(2):
        serve_metrics(f"127.0.0.1:{free_port}", lambda: Response("up 1"))
    assert httpx.get(f"http://127.0.0.1:{free_port}/metrics").text == "up 1"


@pytest.mark.parametrize("path", ["/", "/metrics/", "/metrics%2f", "/%6detrics", "/livez"])
def test_nothing_else_answers_there(free_port, path):
    serve_metrics(f"127.0.0.1:{free_port}", lambda: Response("up 1"))
    assert httpx.get(f"http://127.0.0.1:{free_port}{path}").status_code == 404


@pytest.mark.skipif(not socket.has_dualstack_ipv6(), reason="no IPv6 here")
def test_address_of_ipv6_is_written_in_brackets():
    with socket.create_server(("::1", 0), family=socket.AF_INET6) as server:
        port = server.getsockname()[1]
    serve_metrics(f"[::1]:{port}", lambda: Response("up 1"))
    assert httpx.get(f"http://[::1]:{port}/metrics").text == "up 1"


def test_latest_worker_takes_over_a_unix_socket(tmp_path):
    path = tmp_path / "metrics.sock"
    for worker in ("first", "second"):
        serve_metrics(f"unix:{path}", lambda worker=worker: Response(worker))
    with httpx.Client(transport=httpx.HTTPTransport(uds=str(path))) as client:
        assert client.get("http://calendar/metrics").text == "second"
    assert [file.name for file in tmp_path.iterdir()] == ["metrics.sock"]


def test_address_in_use_is_refused(free_port):
    with (
        socket.create_server(("127.0.0.1", free_port)),
        pytest.raises(ConfigurationError, match="metrics_bind"),
    ):
        serve_metrics(f"127.0.0.1:{free_port}", lambda: Response("up 1"))
