"""A service with a demo calendar, and a browser of the system that looks at its pages."""

import os
import shutil
import subprocess
import sys
from contextlib import ExitStack, contextmanager
from io import BytesIO
from pathlib import Path
from threading import Thread
from urllib.parse import urljoin, urlsplit

import pytest
from desking import PASSWORD
from PIL import Image
from playwright.sync_api import expect, sync_playwright
from serving import CONFIG, serving
from werkzeug.serving import WSGIRequestHandler, make_server

_OPTIONS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
# A busy machine takes its time.
expect.set_options(timeout=30_000)


@pytest.fixture(scope="session")
def data(tmp_path_factory):
    """Return the directory of the service's database."""
    return tmp_path_factory.mktemp("data")


@pytest.fixture(scope="session")
def site(data):
    """Return the address of a service with the calendar of the demo valley."""
    with _demo(data) as address:
        yield address


@contextmanager
def _demo(data, **settings):
    with serving(data, "--demo", **settings) as service:
        is_loaded = any("The password of admin" in line for line in service.output)
        assert is_loaded, service.complaint("demo calendar")
        # A service whose log nobody reads waits as soon as the pipe is full.
        Thread(target=service.process.stdout.read, daemon=True).start()
        parts = urlsplit(service.events)
        yield f"{parts.scheme}://{parts.netloc}"


@pytest.fixture(scope="session")
def tiles():
    """Return the address of a server of map tiles."""
    with _served(_tile) as address:
        yield address


def _tile(_environ, start_response):
    """Answer each request with a tile of one color."""
    body = BytesIO()
    Image.new("RGB", (256, 256), "#ddeedd").save(body, "PNG")
    start_response("200 OK", [("Content-Type", "image/png")])
    return [body.getvalue()]


@pytest.fixture(scope="session")
def mapped_data(tmp_path_factory):
    """Return the directory of the database of the service with map tiles."""
    return tmp_path_factory.mktemp("mapped")


@pytest.fixture(scope="session")
def mapped_site(mapped_data, tiles):
    """Return the address of a service with the demo calendar and with map tiles."""
    with _demo(mapped_data, CALENDAR_MAP_TILES=f"{tiles}/{{z}}/{{x}}/{{y}}.png") as address:
        yield address


@pytest.fixture(scope="session")
def browser_options():
    """Return the options of Chromium on a machine without a screen."""
    return _OPTIONS


@pytest.fixture(scope="session")
def chromium(browser_options):
    program = shutil.which("chromium")
    assert program, "Chromium is needed: apt-get install chromium"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=browser_options)
        yield browser
        browser.close()


@pytest.fixture
def visit(site, chromium):
    """Return a function that opens a path in a new window with options."""
    contexts = []

    def open_page(path, **options):
        context = chromium.new_context(base_url=site, **options)
        contexts.append(context)
        page = context.new_page()
        page.goto(urljoin(site, path))
        return page

    yield open_page
    for context in contexts:
        context.close()


@pytest.fixture(scope="session")
def users(site, data):
    """Return a function that runs a command about users beside the service."""
    environment = os.environ | {"CALENDAR_DATA": str(data)}

    def run(*arguments):
        command = [sys.executable, "-m", "calendar_app", "--config", str(CONFIG), "users"]
        finished = subprocess.run(
            [*command, *arguments], env=environment, check=True, capture_output=True, text=True
        )
        return finished.stdout

    assert site
    return run


@pytest.fixture(scope="session")
def desk_user(users):
    """Return a function that makes a user with a password for the desk, once for each name."""
    names = set()

    def make(name, role):
        if name not in names:
            users("add", name, "--role", role)
            users("password", name, "--desk", PASSWORD)
            names.add(name)

    return make


@pytest.fixture
def at_desk(visit, desk_user):
    """Return a function that logs a user in, and opens a page of the desk in a new window."""

    def open_page(path="/desk/", role="administrator", **options):
        desk_user(role, role)
        page = visit(f"/desk/login?next={path}", locale="de", **options)
        page.fill("#name", role)
        page.fill("#password", PASSWORD)
        with page.expect_navigation(wait_until="load"):
            page.click("main button")
        return page

    return open_page


@pytest.fixture(scope="session")
def findings():
    """Return a function that lists the accessibility violations of a page."""
    modules = Path(__file__).parent / "node_modules"
    axe = (modules / "axe-core" / "axe.min.js").read_text(encoding="utf-8")

    def find(page):
        # The page forbids scripts that it does not have itself, but not the browser's own.
        page.evaluate(axe)
        result = page.evaluate("axe.run(document, {resultTypes: ['violations']})")
        return [
            (each["id"], [node["target"] for node in each["nodes"]][:3])
            for each in result["violations"]
        ]

    return find


class QuietHandler(WSGIRequestHandler):
    def log(self, *_):
        """Log nothing."""


@pytest.fixture
def serve():
    """Return a function that serves an application and returns its address."""
    with ExitStack() as servers:
        yield lambda app: servers.enter_context(_served(app))


@contextmanager
def _served(app):
    server = make_server("127.0.0.1", 0, app, threaded=True, request_handler=QuietHandler)
    thread = Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
