"""After an import, lists answer like the recorded site of 2,000 events."""

import gzip
import json
from pathlib import Path
from threading import Thread

import pytest
from click.testing import CliRunner
from werkzeug.serving import WSGIRequestHandler, make_server

from calendar_app.app import create_app
from calendar_app.cli import main
from calendar_app.settings import Settings
from calendar_app.storage.mongo.connection import open_database

RECORDED = Path(__file__).parents[1] / "contract" / "recorded" / "tec-site.jsonl.gz"
# A cost is shown in the language of the reader.
FREE = ".cost: 'Free' is answered as 'Kostenlos'"
# Names and addresses that this service has of its own: the taxonomy, the pages of terms.
OWN = {"taxonomy", "rest_url", "next_rest_url", "previous_rest_url"}
WORDPRESS = {
    "languages": ["de"],
    "default_language": "de",
    "timezone": "Europe/Zurich",
    "namespace": "tribe/events/v1",
    "api_prefix": "/wp-json",
    "site_url": "http://127.0.0.1:8090",
}


def differences(recorded, answered, at=""):
    """Yield the differences between a recorded value and the answered one."""
    if isinstance(recorded, dict) and isinstance(answered, dict):
        for name in recorded.keys() - OWN:
            yield from differences(recorded[name], answered.get(name), f"{at}.{name}")
    elif (
        isinstance(recorded, list) and isinstance(answered, list) and len(recorded) == len(answered)
    ):
        for recorded_item, answered_item in zip(recorded, answered, strict=True):
            yield from differences(recorded_item, answered_item, at)
    elif recorded != answered:
        yield f"{at}: {recorded!r} is answered as {answered!r}"


@pytest.fixture(scope="module")
def imported(mongod_uri):
    """Return the output of the first and second import, and a client."""
    uri = mongod_uri.replace("/calendar?", "/moved?")
    environment = {"CALENDAR_MONGODB_URI": uri, "CALENDAR_LANGUAGES": "de"}
    environment |= {"CALENDAR_DEFAULT_LANGUAGE": "de", "CALENDAR_TIMEZONE": "Europe/Zurich"}
    command = ["import", "tec", str(RECORDED)]
    outputs = [CliRunner().invoke(main, command, env=environment).stdout for _ in range(2)]
    database = open_database(uri)
    app = create_app(Settings.load(environment={}, **WORDPRESS), database)
    yield outputs, app.test_client()
    database.client.drop_database(database.name)
    database.client.close()


def test_imported_site_answers_like_the_recording_and_repeats_without_changes(imported):
    (first, second), client = imported
    assert first.splitlines()[-1] == "all: 2112 created, 0 updated, 0 unchanged, 0 refused"
    assert second.splitlines()[-1] == "all: 0 created, 0 updated, 2112 unchanged, 0 refused"
    with gzip.open(RECORDED, "rt", encoding="utf-8") as lines:
        for page in map(json.loads, lines):
            answered = client.get(f"/wp-json/tribe/events/v1{page['path']}").json
            wrong = [
                difference
                for difference in differences(page["body"], answered)
                if ".categories.url: " not in difference and not difference.endswith(FREE)
            ]
            assert wrong == [], page["path"]


class QuietHandler(WSGIRequestHandler):
    def log_request(self, *_):
        pass


@pytest.mark.timeout(600)
def test_every_address_of_the_recorded_site_answers_after_the_move(imported):
    _, client = imported
    server = make_server(
        "127.0.0.1", 0, client.application, threaded=True, request_handler=QuietHandler
    )
    Thread(target=server.serve_forever, daemon=True).start()
    try:
        command = ["check-move", str(RECORDED), f"http://127.0.0.1:{server.port}", "--pause", "0"]
        result = CliRunner().invoke(main, command)
    finally:
        server.shutdown()
        server.server_close()
    *expected, last = result.stdout.splitlines()
    assert "4188 addresses compared: 0 differences without a reason" in last, result.stdout
    assert result.exit_code == 0
    assert all(line.startswith("expected, ") for line in expected)
