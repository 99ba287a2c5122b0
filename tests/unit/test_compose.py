"""The Compose file, judged without a container engine."""

import runpy
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from ruamel.yaml import YAML

ROOT = Path(__file__).parents[2]
COMPOSE = ROOT / "docker-compose.yml"


@pytest.fixture(scope="module")
def compose():
    return YAML(typ="safe").load(COMPOSE)


@pytest.fixture(scope="module")
def dockerfile():
    joined = (ROOT / "Dockerfile").read_text().replace("\\\n", "")
    lines = [line.split(None, 1) for line in joined.splitlines() if line and line[0] != "#"]
    return [(instruction, rest) for instruction, rest in lines]


def test_it_follows_the_compose_specification():
    schema = ["--builtin-schema", "vendor.compose-spec"]
    checked = subprocess.run(
        [sys.executable, "-m", "check_jsonschema", *schema, COMPOSE],
        capture_output=True,
        text=True,
        check=False,
    )
    assert checked.returncode == 0, checked.stdout


def test_every_service_that_is_waited_for_exists_and_says_when_it_is_healthy(compose):
    services = compose["services"]
    waited_for = [
        (name, condition["condition"])
        for service in services.values()
        for name, condition in service.get("depends_on", {}).items()
    ]
    assert waited_for
    for name, condition in waited_for:
        assert condition == "service_healthy"
        assert services[name]["healthcheck"]["test"]


def test_every_volume_that_is_mounted_is_declared(compose):
    mounted = {
        volume.split(":")[0]
        for service in compose["services"].values()
        for volume in service.get("volumes", [])
    }
    assert mounted == set(compose["volumes"])


def test_the_service_uses_the_replica_set_of_the_other_container(compose):
    mongo = compose["services"]["mongo"]
    uri = compose["services"]["calendar"]["environment"]["CALENDAR_MONGODB_URI"]
    name = mongo["command"][mongo["command"].index("--replSet") + 1]
    assert uri == f"mongodb://mongo:27017/calendar?replicaSet={name}"
    check = mongo["healthcheck"]["test"][-1]
    assert f'_id: "{name}"' in check
    assert 'host: "mongo:27017"' in check


def test_a_container_that_stops_waits_for_the_requests_that_are_under_way(compose):
    graceful = runpy.run_path(str(ROOT / "config" / "gunicorn.conf.py"))["graceful_timeout"]
    assert int(compose["services"]["calendar"]["stop_grace_period"].removesuffix("s")) > graceful


def test_the_database_can_be_reached_by_the_service_alone(compose):
    assert "ports" not in compose["services"]["mongo"]


def test_what_is_copied_into_the_image_exists(dockerfile):
    sources = [
        source
        for instruction, rest in dockerfile
        if instruction == "COPY"
        for source in rest.split()[:-1]
    ]
    assert "calendar_app" in sources
    ignore = (ROOT / ".dockerignore").read_text().splitlines()
    for source in sources:
        assert (ROOT / source).exists()
        assert f"!{source}" in ignore


def test_the_image_runs_gunicorn_with_our_configuration_as_an_ordinary_user(dockerfile):
    said = dict(dockerfile)
    assert said["USER"] != "root"
    command = [word.strip(",[]") for word in shlex.split(said["CMD"].replace(",", " "))]
    assert command[:3] == ["gunicorn", "-c", "config/gunicorn.conf.py"]
    assert command[-1] == "wsgi:app"
    assert "/readyz" in said["HEALTHCHECK"]


def test_the_image_has_no_mongod(dockerfile):
    assert not any("embedded" in rest for _, rest in dockerfile)
