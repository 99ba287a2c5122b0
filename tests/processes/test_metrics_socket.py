"""Metrics on a socket of their own, in a service that runs."""

import re
import socket
from contextlib import closing
from http.client import HTTPConnection

import httpx
import pytest
from serving import GUNICORN, OURS, launched, status_of, wait_for


@pytest.mark.parametrize("command", [OURS, GUNICORN], ids=["serve", "gunicorn"])
def test_metrics_of_all_workers_are_on_their_own_socket_alone(tmp_path, command):
    with socket.create_server(("127.0.0.1", 0)) as free:
        bind = f"127.0.0.1:{free.getsockname()[1]}"
    options = {"CALENDAR_METRICS": "true", "CALENDAR_METRICS_BIND": bind, "WEB_CONCURRENCY": "2"}
    with (
        (tmp_path / "log").open("w") as log,
        launched(command, tmp_path / "data", log, **options) as (_, client),
    ):
        wait_for(lambda: status_of(client) == 200)
        hidden = ["/metrics", "/metrics/", "/metrics%2f", "/rm/metrics", "/%6detrics", "//metrics"]
        statuses = {path: public_status(client, path) for path in hidden}
        assert statuses == dict.fromkeys(hidden, 404)
        metrics = httpx.get(f"http://{bind}/metrics").text
        processes = re.findall(r'^process_resident_memory_bytes{pid="\d+"}', metrics, re.MULTILINE)
        assert len(processes) == 3
        assert status_of(client, f"http://{bind}/metrics/") == 404


def public_status(client, path):
    """Return the status of an answer; clients of httpx would join two slashes."""
    with closing(HTTPConnection(client.base_url.host, client.base_url.port)) as connection:
        connection.request("GET", path)
        return connection.getresponse().status
