"""A running worker needs no file of the program again, so an upgrade can replace them."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from calendar_app.cli.demo.calendars import DEMO_SETTINGS
from calendar_app.storage.mongo.connection import open_database

ROOT = Path(__file__).parents[2]
# Answers all routes, once the files of the package are gone if this is asked for.
WALK = """
import json, os, re, shutil, sys
from pathlib import Path
import calendar_app
from calendar_app.app import create_app

client, before = (app := create_app()).test_client(), set(sys.modules)
if "vanish" in sys.argv:
    shutil.rmtree(Path(calendar_app.__file__).parent)
base = "/calendar/events/v1"
def first(name):
    return client.get(f"{base}/{name}?start_date=2000-01-01").json[name][0]

event = first("events")
names = ("venues", "organizers", "categories", "tags")
ids = {"events": event["id"], **{name: first(name)["id"] for name in names}}
values = {"slug": event["slug"], "event_slug": event["slug"], "name": "site.css"}
who, desk = ("admin", os.environ["DEMO_PASSWORD"]), app.test_client()
token = re.search('name="csrf_token"[^>]* value="([^"]+)"', desk.get("/desk/login").text)[1]
entered = {"name": who[0], "password": who[1], "csrf_token": token}
assert desk.post("/desk/login", data=entered).status_code == 303
def argument(rule, name):
    choices = {each: min(of.items) for each, of in rule._converters.items() if hasattr(of, "items")}
    kinds = [*choices.values(), *(each for each in ids if each in rule.rule), ""]
    default = ids.get(kinds[0], 1) if name.endswith("id") else 1
    return choices.get(name, values.get(name, default))

statuses = {}
for rule in app.url_map.iter_rules():
    if "GET" in rule.methods:
        arguments = {name: argument(rule, name) for name in rule._converters}
        arguments |= rule.defaults or {}
        path = app.url_map.bind("localhost").build(rule.endpoint, arguments, method="GET")
        for address in (path, f"/rm{path}"):
            for accepted in ("application/json", "text/html"):
                response = client.get(address, headers={"Accept": accepted})
                statuses[f"{accepted} {address}"] = response.status_code
        if path.startswith(("/calendar", "/desk")):
            response = desk.get(path, auth=who if path.startswith("/calendar") else None)
            statuses[f"admin {path}"] = response.status_code
print(json.dumps({"statuses": statuses, "modules": sorted(set(sys.modules) - before)}))
"""


@pytest.fixture(scope="module")
def demo(mongod_uri):
    """Return the environment of a service with a demo calendar."""
    uri = mongod_uri.replace("/calendar?", "/upgraded?")
    environment = os.environ | {
        "CALENDAR_MONGODB_URI": uri,
        "CALENDAR_CONFIG": str(DEMO_SETTINGS),
        "CALENDAR_PUBLISH_INTERVAL": "0",
        "DEMO_PASSWORD": "a password of the tests",
    }
    command = [sys.executable, "-m", "calendar_app", "demo"]
    subprocess.run(command, env=environment, check=True, capture_output=True, cwd=ROOT)
    yield environment
    database = open_database(uri)
    database.client.drop_database(database.name)
    database.client.close()


@pytest.fixture(scope="module")
def walk(demo, tmp_path_factory):
    """Return a function that answers all routes from a copy of the package."""

    def run(*arguments):
        folder = tmp_path_factory.mktemp("copy")
        shutil.copytree(ROOT / "calendar_app", folder / "calendar_app")
        answered = subprocess.run(
            [sys.executable, "-c", WALK, *arguments],
            env=demo | {"PYTHONPATH": str(folder)},
            cwd=folder,
            capture_output=True,
            text=True,
            check=False,
        )
        assert answered.returncode == 0, answered.stderr[-2000:]
        return json.loads(answered.stdout.splitlines()[-1])

    return run


@pytest.fixture(scope="module")
def present(walk):
    return walk()


# It builds and installs a wheel, and walks through all routes twice.
@pytest.mark.timeout(360)
def test_all_routes_answer_as_before_when_the_files_are_gone(walk, present):
    assert len(present["statuses"]) > 200
    assert 500 not in present["statuses"].values()
    at_desk = [own for name, own in present["statuses"].items() if name.startswith("admin /desk")]
    assert at_desk.count(200) > 35
    assert walk("vanish")["statuses"] == present["statuses"]


def test_requests_import_no_module_of_the_program_or_its_libraries(present):
    standard = sys.stdlib_module_names
    assert [name for name in present["modules"] if name.split(".")[0] not in standard] == []
