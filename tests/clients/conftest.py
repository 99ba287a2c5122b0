"""nginx with ``proxy_cache`` in front of the service."""

import dataclasses
import shutil
import subprocess
import threading
import time

import httpx
import pytest
from calling import BASE
from werkzeug.serving import make_server

from calendar_app.app import create_app

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
def cached_settings(settings):
    """Return settings that let caches keep lists and pages."""
    return dataclasses.replace(settings, cache_control=("*: public, max-age=600",))


@pytest.fixture
def service(cached_settings, database, clock):
    """Return the port of a service that lets caches keep its lists."""
    app = create_app(cached_settings, database, clock)
    server = make_server("127.0.0.1", 0, app, threaded=True)
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
