"""The Compose file, judged without a container engine."""

import re
import shlex
import subprocess
import sys
from datetime import datetime
from pathlib import Path

import click
import pytest
from ruamel.yaml import YAML

from calendar_app.cli import main
from calendar_app.server.master import GRACE

ROOT = Path(__file__).parents[2]
COMPOSE = ROOT / "docker-compose.yml"
# What the health check of MongoDB does.
PREPARATION = (ROOT / "config" / "mongo.js").read_text()


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


def test_every_file_that_is_mounted_exists_and_is_read_only(compose):
    mounts = [
        volume.split(":")
        for service in compose["services"].values()
        for volume in service.get("volumes", [])
        if volume.startswith("./")
    ]
    for source, _, *mode in mounts:
        assert (ROOT / source).exists()
        assert mode == ["ro"]


def test_configuration_is_mounted_so_that_a_change_needs_no_new_image(compose, dockerfile):
    calendar = compose["services"]["calendar"]
    place = dict(dockerfile)["WORKDIR"]
    assert f"./config:{place}/config:ro" in calendar["volumes"]
    assert calendar["environment"]["CALENDAR_CONFIG"].startswith("config/")


def test_service_uses_the_replica_set_of_the_other_container(compose):
    mongo = compose["services"]["mongo"]
    uri = compose["services"]["calendar"]["environment"]["CALENDAR_MONGODB_URI"]
    (name,) = re.findall(r"--replSet (\S+)", mongo["entrypoint"][-1])
    assert uri.split("@")[1] == f"mongo:27017/calendar?replicaSet={name}"
    assert f'_id: "{name}"' in PREPARATION
    assert 'host: "mongo:27017"' in PREPARATION


def test_service_is_another_user_than_the_administrator_of_the_database(compose):
    mongo = compose["services"]["mongo"]["environment"]
    calendar = compose["services"]["calendar"]["environment"]
    user, password = re.match(r"mongodb://(\w+):(.+)@", calendar["CALENDAR_MONGODB_URI"]).groups()
    assert user != mongo["MONGO_INITDB_ROOT_USERNAME"]
    assert password == mongo["SERVICE_PASSWORD"] != mongo["MONGO_INITDB_ROOT_PASSWORD"]
    assert mongo["MONGO_INITDB_ROOT_PASSWORD"] not in str(calendar)
    assert f'user: "{user}"' in PREPARATION
    assert re.findall(r"role: .*", PREPARATION) == ['role: "readWrite", db: "calendar" }],']


def test_passwords_are_in_no_file_and_on_no_command_line(compose):
    mongo = compose["services"]["mongo"]
    for name in ("MONGO_INITDB_ROOT_PASSWORD", "SERVICE_PASSWORD"):
        # Compose refuses to start without one.
        assert re.fullmatch(r"\$\{[A-Z_]+:\?\}", mongo["environment"][name])
    assert "--keyFile" in mongo["entrypoint"][-1]
    page = (ROOT / "docs" / "how-to" / "deploy-with-compose.md").read_text()
    lines = [*map(str, mongo["healthcheck"]["test"]), *page.splitlines()]
    assert not [line for line in lines if re.search(r"\s(-p|--password)\b", line)]


def test_backups_are_of_the_data_of_the_service_and_made_by_its_image(compose):
    backup, calendar = compose["services"]["backup"], compose["services"]["calendar"]
    for name in ("CALENDAR_CONFIG", "CALENDAR_MONGODB_URI"):
        assert backup["environment"][name] == calendar["environment"][name]
    assert backup["image"] == calendar["image"]
    # Else a restore would start the service, and be refused.
    assert set(backup["depends_on"]) == {"mongo"}


def test_backups_go_into_a_volume_that_belongs_to_their_user(compose, dockerfile):
    backup = compose["services"]["backup"]
    command, _ = backup_commands(backup)
    *_, directory = shlex.split(command)
    assert f"backups:{directory}" in backup["volumes"]
    (directories,) = [rest for _, rest in dockerfile if "install --directory" in rest]
    assert shlex.split(directories)[-1] == directory
    assert f"--owner={dict(dockerfile)['USER']}" in directories


def test_command_of_the_nightly_backup_is_one_of_ours(compose):
    command, _ = backup_commands(compose["services"]["backup"])
    program, name, *arguments = shlex.split(command)
    assert (program, name) == ("calendar-app", "backup")
    parameters = main.get_command(click.Context(main), name).make_context(name, arguments).params
    assert parameters["keep"] >= 7


@pytest.mark.parametrize(
    ("now", "seconds"),
    [("02:29:59", 1), ("02:30:00", 86400), ("02:30:01", 86399), ("14:30", 43200)],
)
def test_backup_waits_for_the_next_night(compose, now, seconds):
    _, waiting = backup_commands(compose["services"]["backup"])
    moment = int(datetime.fromisoformat(f"2030-03-10T{now}+00:00").timestamp())
    script = f"date() {{ echo {moment}; }}; sleep() {{ echo $1; }}; {waiting}"
    ran = subprocess.run(["sh", "-c", script], capture_output=True, text=True, check=True)
    assert int(ran.stdout) == seconds


def backup_commands(backup):
    """Return the command of a backup, and the wait before the next; Compose halves each $$."""
    loop = re.fullmatch(r"while (.+); do (.+); done; exit 1", backup["command"][-1])
    return [part.replace("$$", "$") for part in loop.groups()]


def test_no_container_fills_the_disk_or_the_memory_of_the_machine(compose):
    for service in compose["services"].values():
        assert {"max-size", "max-file"} <= service["logging"]["options"].keys()
        assert {"memory", "pids"} <= service["deploy"]["resources"]["limits"].keys()


def test_container_that_stops_waits_for_the_requests_that_are_under_way(compose):
    assert int(compose["services"]["calendar"]["stop_grace_period"].removesuffix("s")) > GRACE


def test_only_the_proxy_can_be_reached_from_outside(compose):
    published = [name for name, service in compose["services"].items() if "ports" in service]
    assert published == ["proxy"]


def test_both_ways_to_deploy_trust_the_proxy_and_serve_with_the_same_server():
    for name in ("deploy-on-a-server", "move-from-tec"):
        page = (ROOT / "docs" / "how-to" / f"{name}.md").read_text()
        assert 'trusted_proxies = ["127.0.0.1"]' in page
        assert "\n.venv/bin/calendar-app serve\n" in page
        assert "`readWrite`" in page


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


def test_the_image_of_mongodb_has_time_to_start_its_shell(compose):
    check = compose["services"]["mongo"]["healthcheck"]
    assert int(check["timeout"].removesuffix("s")) >= 30
    assert int(check["start_period"].removesuffix("s")) >= 120
