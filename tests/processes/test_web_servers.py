"""nginx and Caddy in front of a program, as the documentation configures them."""

import json
import os
import re
import shutil
import socket
import subprocess
import threading
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest
from serving import ROOT, status_of, wait_for
from werkzeug import Request, Response
from werkzeug.serving import make_server

PAGE = (ROOT / "docs" / "how-to" / "put-a-web-server-in-front.md").read_text()
HOST = "agenda.example.org"
FORGED = {"X-Forwarded-For": "192.0.2.1", "X-Forwarded-Proto": "gopher", "X-Forwarded-Host": "a.b"}
LIMIT = 10 << 20
SECRET = "fish-and-chips"
TRACE = {"User-Agent": "somebody", "Referer": f"http://{HOST}/?token={SECRET}"}


@Request.application
def answer(request):
    """Return the headers of a request, and redirect as the service does."""
    request.get_data()
    if request.path == "/former":
        return Response(
            status=301, headers={"Location": f"/present?{request.query_string.decode()}"}
        )
    return Response(json.dumps(dict(request.headers)))


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as free:
        return free.getsockname()[1]


def block(language):
    (text,) = re.findall(rf"^```{language}\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE)
    return text


def nginx(directory, port):
    """Return the command that starts nginx without HTTPS, with all it writes in a directory."""
    sites = re.sub(r".*(\[::\]|ssl_certificate).*\n|(?<=443) ssl", "", block("nginx"))
    sites = sites.replace("listen 80;", f"listen {free_port()};").replace("443;", f"{port};")
    kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    places = "".join(f"{kind}_temp_path {directory}/{kind};" for kind in kinds)
    file = directory / "nginx.conf"
    process = f"daemon off; master_process off; pid {directory}/pid; events {{}}"
    text = f"{process} http {{ {places} {sites} }}"
    file.write_text(text.replace("/var/log/nginx", str(directory)))
    return ["nginx", "-e", directory / "error.log", "-c", file]


def caddy(directory, port):
    """Return the command that starts Caddy without HTTPS, with all it writes in a directory."""
    text = block("caddyfile").replace(f"\n{HOST} {{", f"\nhttp://{HOST}:{port} {{")
    file = directory / "Caddyfile"
    file.write_text(text.replace("/var/log/caddy", str(directory)))
    return ["caddy", "run", "--config", file, "--adapter", "caddyfile"]


@contextmanager
def running(command, directory):
    environment = os.environ | {
        "HOME": str(directory),
        "CADDY_ADMIN": f"unix/{directory}/admin.sock",
    }
    with (
        (directory / "output.log").open("w") as log,
        subprocess.Popen(command, env=environment, stdout=log, stderr=log) as process,
    ):
        try:
            yield process
        finally:
            process.terminate()


@pytest.fixture
def upstream():
    """Return a program in the place of the service."""
    server = make_server("127.0.0.1", 0, answer, threaded=True)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield server
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture(params=[nginx, caddy], ids=lambda program: program.__name__)
def front(request, upstream, tmp_path):
    """Return a client of a web server, with the directory of its logs."""
    if not shutil.which(request.param.__name__):
        pytest.skip(f"no {request.param.__name__} here")
    port = free_port()
    command = request.param(tmp_path, port)
    file = Path(next(part for part in command if str(part).endswith(("file", ".conf"))))
    file.write_text(file.read_text().replace("127.0.0.1:8000", f"127.0.0.1:{upstream.server_port}"))
    headers = {"Host": HOST} | TRACE
    with (
        running(command, tmp_path) as process,
        httpx.Client(base_url=f"http://127.0.0.1:{port}", headers=headers) as client,
    ):
        wait_for(lambda: status_of(client) or process.poll() is not None)
        yield client, tmp_path


def test_host_scheme_and_address_of_the_client_are_forwarded_and_cannot_be_forged(front):
    client, _ = front
    got = client.get("/events", headers=FORGED).json()
    assert got["Host"].partition(":")[0] == HOST
    assert got["X-Forwarded-Host"].partition(":")[0] == HOST
    assert (got["X-Forwarded-For"], got["X-Forwarded-Proto"]) == ("127.0.0.1", "http")


def test_no_log_has_a_secret(front):
    client, directory = front
    paths = ("/events?token=", "/former?x=1&password=", "/events?x=1&Token=", "/events?%74oken=")
    for path in paths:
        assert client.get(path + SECRET, auth=("boss", SECRET)).status_code in {200, 301}
    client.get("/last")

    def logs():
        return "".join(file.read_text() for file in directory.glob("*.log"))

    wait_for(lambda: "/last" in logs())
    assert "/events?[hidden]" in logs()
    assert SECRET not in logs()


def test_a_body_of_the_largest_upload_comes_through_and_a_larger_one_does_not(front):
    client, _ = front
    assert client.post("/media", content=bytes(LIMIT)).status_code == 200
    # Caddy before 2.7 says that it is a bad gateway.
    assert client.post("/media", content=bytes(LIMIT + 1)).status_code in {413, 502}


def test_figures_are_not_for_the_world(front):
    client, _ = front
    assert client.get("/metrics").status_code == 404
