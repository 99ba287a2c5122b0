"""A start that fails prints one line with advice and leaves nothing behind."""

import os
import socket
import subprocess
import sys
import time
from contextlib import closing, contextmanager
from pathlib import Path
from urllib.parse import quote

import httpx
import pytest
from pymongo import MongoClient

from calendar_app.storage.embedded.mongod import find_mongod
from calendar_app.storage.embedded.supervisor import open_own_mongod

ROOT = Path(__file__).parents[2]
GUNICORN = ["-m", "gunicorn", "-c", "config/gunicorn.conf.py", "wsgi:app"]
SERVE = ["-m", "calendar_app", "serve"]


def refused(directory, command=SERVE, *, bind="127.0.0.1:0", **environment):
    """Run a command that is to be refused; return the line it says."""
    process = subprocess.run(
        [sys.executable, *command, "--bind", bind],
        env=os.environ | {"CALENDAR_DATA": str(directory / "data")} | environment,
        capture_output=True,
        text=True,
        cwd=ROOT,
        timeout=60,
        check=False,
    )
    assert process.returncode == 1
    assert process.stdout == ""
    (line,) = process.stderr.splitlines()
    assert line.startswith("Error: ")
    return line


def program(path, text):
    path.write_text(text)
    path.chmod(0o755)
    return str(path)


@pytest.mark.parametrize("command", [SERVE, GUNICORN])
def test_a_second_service_on_the_same_data(tmp_path, command):
    with open_own_mongod(tmp_path / "data"):
        line = refused(tmp_path, command)
    assert f"{tmp_path}/data is in use by process {os.getpid()}" in line


def test_a_busy_port(tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
        line = refused(tmp_path, bind=f"127.0.0.1:{port}")
    assert f"Port {port} of 127.0.0.1 is in use" in line
    assert not (tmp_path / "data" / "mongod.lock").exists()


@pytest.mark.parametrize("port", ["99999", "-1"])
def test_invalid_port_is_refused(tmp_path, port):
    assert f"{port} is no port" in refused(tmp_path, bind=f"127.0.0.1:{port}")


def test_an_address_without_a_port(tmp_path):
    assert "write HOST:PORT" in refused(tmp_path, bind="127.0.0.1")


def test_unknown_host_is_refused(tmp_path):
    assert "cannot listen on nowhere.invalid:8000" in refused(tmp_path, bind="nowhere.invalid:8000")


def test_an_address_of_another_machine(tmp_path):
    assert "192.0.2.1:8000" in refused(tmp_path, bind="192.0.2.1:8000")


def test_a_directory_that_cannot_be_written(tmp_path):
    line = refused(tmp_path, CALENDAR_DATA="/proc/calendar")
    assert "/proc/calendar cannot be written" in line
    assert "CALENDAR_DATA" in line


@pytest.mark.parametrize("command", [SERVE, GUNICORN])
def test_a_missing_library_of_the_system(tmp_path, command):
    mongod = program(
        tmp_path / "mongod",
        "#!/bin/sh\necho 'mongod: error while loading shared libraries: libcurl.so.4: "
        "cannot open shared object file: No such file or directory' >&2\nexit 127\n",
    )
    line = refused(tmp_path, command, CALENDAR_MONGOD=mongod)
    assert "libcurl.so.4" in line
    assert "sudo apt-get install libcurl4" in line


def test_a_program_that_is_no_mongod(tmp_path):
    assert "/bin/ls is no mongod" in refused(tmp_path, CALENDAR_MONGOD="/bin/ls")


def test_a_program_that_does_not_exist(tmp_path):
    assert "/nowhere/mongod" in refused(tmp_path, CALENDAR_MONGOD="/nowhere/mongod")


def test_a_mongod_that_ends_at_once(tmp_path):
    mongod = program(
        tmp_path / "mongod",
        '#!/bin/sh\n[ "$1" = --version ] && echo "db version v7.0.0" && exit\nexit 62\n',
    )
    line = refused(tmp_path, CALENDAR_MONGOD=mongod)
    assert "another version of mongod" in line
    assert f"{tmp_path}/data/mongod.log" in line


@pytest.mark.parametrize("command", [SERVE, GUNICORN])
def test_a_configuration_that_does_not_exist(tmp_path, command):
    assert "/nowhere.toml" in refused(tmp_path, command, CALENDAR_CONFIG="/nowhere.toml")


def test_an_unknown_setting(tmp_path):
    assert "no setting color" in refused(tmp_path, CALENDAR_COLOR="blue")


@pytest.mark.parametrize("command", [SERVE, GUNICORN])
@pytest.mark.parametrize(
    ("setting", "value"),
    [("cache_control", "nonsense"), ("trusted_proxies", "10.0.0.5/8"), ("api_prefix", "wp-json")],
)
def test_a_setting_that_makes_no_sense_while_mongodb_is_away(tmp_path, command, setting, value):
    variables = {f"CALENDAR_{setting.upper()}": value}
    away = "mongodb://127.0.0.1:1/calendar"
    assert setting in refused(tmp_path, command, CALENDAR_MONGODB_URI=away, **variables)


def test_language_parameter_named_like_another_is_refused(tmp_path):
    line = refused(tmp_path, CALENDAR_TRANSLATION_PARAMETER="page")
    assert "translation_parameter" in line


def test_invalid_mongodb_uri_is_refused(tmp_path):
    assert "mongodb_uri" in refused(tmp_path, CALENDAR_MONGODB_URI="http://localhost")


@contextmanager
def standalone_mongod(directory):
    """Run a mongod that is no replica set, and yield its address."""
    path = directory / "mongod.sock"
    command = [find_mongod(), "--dbpath", directory, "--bind_ip", path, "--nounixsocket"]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL) as process:
        while not path.exists():
            time.sleep(0.05)
        try:
            yield f"mongodb://{quote(str(path), safe='')}/calendar"
        finally:
            process.terminate()


@pytest.mark.parametrize("command", [SERVE, GUNICORN])
def test_a_mongodb_without_transactions(tmp_path, command):
    alone = tmp_path / "alone"
    alone.mkdir()
    with standalone_mongod(alone) as uri:
        line = refused(tmp_path, command, CALENDAR_MONGODB_URI=uri)
    assert "--replSet" in line
    assert "rs.initiate()" in line


@pytest.mark.parametrize("command", [SERVE, GUNICORN])
def test_one_node_of_several_is_refused_as_it_may_be_behind(tmp_path, command):
    with open_own_mongod(tmp_path / "one") as mongod:
        direct = mongod.uri.partition("?")[0] + "?directConnection=true"
        with closing(MongoClient(direct)) as client:
            config = client.admin.command("replSetGetConfig")["config"]
            config["members"] += [{"_id": 1, "host": "127.0.0.1:1", "priority": 0, "votes": 0}]
            config["version"] += 1
            client.admin.command("replSetReconfig", config, force=True)
        line = refused(tmp_path, command, CALENDAR_MONGODB_URI=direct)
    assert "directConnection" in line
    assert "replicaSet=NAME" in line


@pytest.mark.parametrize("options", [[], ["--demo"]])
def test_a_mongodb_that_is_away_is_waited_for(tmp_path, options):
    with subprocess.Popen(
        [sys.executable, *SERVE, "--bind", "127.0.0.1:0", "--workers", "1", *options],
        env=os.environ | {"CALENDAR_MONGODB_URI": "mongodb://127.0.0.1:1/calendar"},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=tmp_path,
    ) as process:
        try:
            line = next(line for line in process.stdout if "Events:" in line)
            answer = httpx.get(line.split()[-1], timeout=20)
        finally:
            process.terminate()
        errors = process.stderr.read()
    (line,) = errors.splitlines()
    assert "answered with 503" in line
    assert ("calendar-app demo" in line) == bool(options)
    assert answer.status_code == 503
    assert "Retry-After" in answer.headers
