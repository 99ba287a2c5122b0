"""A shared cache in front of the service, nginx with ``proxy_cache``, keeps nothing secret."""

import dataclasses
import shutil
import subprocess
import threading
import time

import httpx
import pytest
from calling import BASE, SECRET
from werkzeug.serving import make_server

from calendar_app.app import create_app

pytestmark = [pytest.mark.needs_mongodb, pytest.mark.needs_nginx]

CONFIGURATION = """
daemon off;
master_process off;
pid {directory}/nginx.pid;
error_log {directory}/error.log;
events {{}}
http {{
    access_log off;
    client_body_temp_path {directory}/body;
    fastcgi_temp_path {directory}/fastcgi;
    uwsgi_temp_path {directory}/uwsgi;
    scgi_temp_path {directory}/scgi;
    proxy_temp_path {directory}/proxy;
    proxy_cache_path {directory}/cache keys_zone=calendar:1m;
    server {{
        listen unix:{directory}/nginx.sock;
        location / {{
            proxy_pass http://127.0.0.1:{port};
            proxy_cache calendar;
            add_header X-Cache $upstream_cache_status always;
        }}
    }}
}}
"""


@pytest.fixture
def service(settings, database, clock):
    """Return the port of a service that lets caches keep its lists."""
    cached = dataclasses.replace(settings, cache_control=("*: public, max-age=600",))
    server = make_server("127.0.0.1", 0, create_app(cached, database, clock), threaded=True)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield server.server_port
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture
def cache(service, tmp_path):
    """Return a client of nginx in front of the service."""
    program = shutil.which("nginx", path="/usr/sbin:/usr/bin:/usr/local/sbin:/usr/local/bin")
    assert program, "nginx is needed: sudo apt-get install nginx-light"
    configuration = tmp_path / "nginx.conf"
    configuration.write_text(CONFIGURATION.format(directory=tmp_path, port=service))
    socket = tmp_path / "nginx.sock"
    with subprocess.Popen([program, "-c", configuration, "-p", tmp_path]) as process:
        try:
            while not socket.exists():
                assert process.poll() is None, (tmp_path / "error.log").read_text()
                time.sleep(0.01)
            transport = httpx.HTTPTransport(uds=str(socket))
            with httpx.Client(transport=transport, base_url=f"http://calendar{BASE}") as client:
                yield client
        finally:
            process.terminate()


@pytest.fixture
def protected(make_event):
    make_event(title="Open")
    return make_event(title="Closed", description="Confidential", password="pp")


def test_it_answers_the_same_list_again(cache, protected):
    assert protected
    kept = [cache.get("/events").headers["X-Cache"] for _ in range(2)]
    assert kept == ["MISS", "HIT"]


@pytest.mark.parametrize("body", [{"search": "nowhere"}, {"password": "pp"}, {"per_page": 1}])
def test_a_body_poisons_no_answer(cache, protected, body):
    sent = cache.request("GET", "/events?per_page=7", json=body)
    read = cache.get("/events?per_page=7")

    assert (sent.status_code, read.headers["X-Cache"]) == (200, "HIT")
    assert sent.json() == read.json()
    assert {event["title"] for event in read.json()["events"]} == {"Open", "Closed"}
    assert "Confidential" not in read.text
    assert protected


@pytest.mark.parametrize("name", ["password", "pass%77ord", "password[]"])
def test_what_a_password_opens_is_not_kept(cache, protected, name):
    for path in ("/events", "/events.ics", f"/events/{protected['id']}"):
        for _ in range(2):
            assert cache.get(f"{path}?{name}=pp").headers["X-Cache"] == "MISS"
        assert "Confidential" not in cache.get(path).text


def test_what_a_secret_opens_is_not_kept(cache, protected):
    for path in ("/events", f"/events/{protected['id']}"):
        for _ in range(2):
            signed_in = cache.get(path, auth=("admin", SECRET))
            assert "Confidential" in signed_in.text
            assert signed_in.headers["X-Cache"] == "MISS"
        assert "Confidential" not in cache.get(path).text


def test_an_editor_gets_no_answer_that_was_kept_for_strangers(cache, protected):
    assert "Confidential" not in cache.get("/events").text
    assert cache.get("/events").headers["X-Cache"] == "HIT"
    assert "Confidential" in cache.get("/events", auth=("admin", SECRET)).text
    assert protected
