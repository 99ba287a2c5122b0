"""The Compose file, judged without a container engine."""

import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from ruamel.yaml import YAML

from calendar_app.server.master import GRACE

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
        assert "healthcheck" in services[name] or services[name]["build"] == "."  # the image's own


def test_every_volume_that_is_mounted_is_declared(compose):
    mounted = {
        volume.split(":")[0]
        for service in compose["services"].values()
        for volume in service.get("volumes", [])
        if not volume.startswith("./")
    }
    assert mounted == set(compose["volumes"])


def test_service_uses_the_replica_set_of_the_other_container(compose):
    mongo = compose["services"]["mongo"]
    uri = compose["services"]["calendar"]["environment"]["CALENDAR_MONGODB_URI"]
    (name,) = re.findall(r"--replSet (\S+)", mongo["entrypoint"][-1])
    assert uri.split("@")[1].startswith(f"mongo:27017/calendar?replicaSet={name}")
    check = mongo["healthcheck"]["test"][-1]
    assert f'_id: "{name}"' in check
    assert 'host: "mongo:27017"' in check


def test_database_password_is_in_no_file(compose):
    mongo = compose["services"]["mongo"]["environment"]
    uri = compose["services"]["calendar"]["environment"]["CALENDAR_MONGODB_URI"]
    user, password = mongo["MONGO_INITDB_ROOT_USERNAME"], mongo["MONGO_INITDB_ROOT_PASSWORD"]
    assert password == "${MONGO_PASSWORD:?}"  # Compose refuses to start without one
    assert uri.startswith(f"mongodb://{user}:{password}@")
    assert "authSource=admin" in uri
    assert "--keyFile" in compose["services"]["mongo"]["entrypoint"][-1]


def test_container_that_stops_waits_for_the_requests_that_are_under_way(compose):
    assert int(compose["services"]["calendar"]["stop_grace_period"].removesuffix("s")) > GRACE


def test_only_the_proxy_can_be_reached_from_outside(compose):
    published = [name for name, service in compose["services"].items() if "ports" in service]
    assert published == ["proxy"]
    (mount,) = compose["services"]["proxy"]["volumes"]
    assert (ROOT / mount.split(":")[0]).is_file()


@pytest.mark.skipif(not shutil.which("nginx"), reason="no nginx here")
def test_nginx_understands_its_configuration(tmp_path):
    sites = f"include {ROOT / 'config' / 'nginx.conf'};"
    main = tmp_path / "nginx.conf"
    main.write_text(f"pid {tmp_path}/pid; events {{}} http {{ {sites} }}")
    checked = subprocess.run(
        ["nginx", "-t", "-q", "-e", "stderr", "-c", main], capture_output=True, check=False
    )
    assert checked.returncode == 0, checked.stderr


def test_files_copied_into_the_image_exist(dockerfile):
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


def test_image_serves_as_an_ordinary_user(dockerfile):
    instructions = dict(dockerfile)
    assert instructions["USER"] != "root"
    command = [word.strip(",[]") for word in shlex.split(instructions["CMD"].replace(",", " "))]
    assert command[:2] == ["calendar-app", "serve"]
    assert "/readyz" in instructions["HEALTHCHECK"]


def test_the_image_has_no_mongod(dockerfile):
    assert not any("embedded" in rest for _, rest in dockerfile)
