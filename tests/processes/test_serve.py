"""The start and the end of the service, with a mongod of its own."""

import os
import re
import shlex
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import httpx
import pytest
from calendars import calendar, vevent
from serving import PATIENCE, lasting_children_of, mongod_on, reload, runs, serving

pytestmark = pytest.mark.timeout(180)


@pytest.fixture(scope="module")
def first_start(tmp_path_factory):
    """Return the data, first output and responses of a service with the demo calendar."""
    data = tmp_path_factory.mktemp("serve") / "data"
    with serving(data, "--demo") as service:
        output = service.output
        commands = [line.strip() for line in output if line.startswith("  curl")]
        answers = [
            subprocess.run(
                ["sh", "-c", f"{command} --silent --write-out '\n%{{http_code}}'"],
                capture_output=True,
                text=True,
                check=True,
            ).stdout
            for command in commands
        ]
        total = service.get().json()["total"]
    return data, output, answers, total


def test_first_start_prints_commands_that_work(first_start):
    _data, output, (read, created), _total = first_start
    assert read.endswith("\n200")
    assert created.endswith("\n201")
    addresses = [line.split()[-1] for line in output if re.match(r"  (Events|Interface):", line)]
    assert [re.sub(r":\d+/", "/", address) for address in addresses] == [
        "http://127.0.0.1/calendar/events/v1/events",
        "http://127.0.0.1/doc",
    ]


def test_second_start_keeps_the_data_and_prints_no_password(first_start):
    data, output, _answers, total = first_start
    (password,) = [line.split(": ")[1] for line in output if "shown only once" in line]
    with serving(data, "--demo") as service:
        assert service.get().json()["total"] == total
        assert password not in "\n".join(service.output)
        assert "shown only once" not in "\n".join(service.output)
        answer = httpx.get(service.events, auth=("admin", password), timeout=PATIENCE)
        assert answer.status_code == 200


def test_printed_password_opens_the_desk(first_start):
    data, output, *_ = first_start
    (password,) = [line.split(": ")[1] for line in output if "shown only once" in line]
    with serving(data) as service:
        desk = service.events.partition("/calendar/")[0] + "/desk"
        with httpx.Client(timeout=PATIENCE) as browser:
            form = browser.get(f"{desk}/login").text
            token = re.search(r'name="csrf_token" value="([^"]+)"', form)[1]
            sent = {"csrf_token": token, "name": "admin", "password": password}
            answer = browser.post(f"{desk}/login", data=sent)
    assert answer.status_code == 303
    assert answer.headers["Location"] == "/desk/"


def test_greeting_shows_how_to_create_an_event(first_start):
    data, *_ = first_start
    with serving(data) as service:
        command = shlex.split(service.output[-1])
    assert command[command.index("-u") + 1] == "admin:PASSWORD"


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_it_ends_with_everything_it_started(tmp_path, number):
    data = tmp_path / "data"
    with serving(data) as service:
        mongod = mongod_on(data)
        assert runs(mongod)
        assert service.end(number) == 0
        assert not runs(mongod)
        with pytest.raises(httpx.ConnectError):
            service.get()
        assert mongod_on(data) == 0
        assert service.stderr.read() == ""


def test_a_service_that_was_killed_does_not_hinder_the_next_start(first_start):
    data, *_ = first_start
    with serving(data) as service:
        total = service.get().json()["total"]
        address = httpx.URL(service.events).netloc.decode()
        service.end(signal.SIGKILL)
    with serving(data, "--bind", address) as service:
        assert service.get().json()["total"] == total


def test_requests_are_answered_again_after_the_mongod_died(first_start):
    data, *_ = first_start
    with serving(data) as service:
        total = service.get().json()["total"]
        os.kill(mongod_on(data), signal.SIGKILL)
        answer = service.get()
        while answer.status_code == 503:
            assert int(answer.headers["Retry-After"]) > 0
            answer = service.get()
        assert answer.json()["total"] == total


def test_health_is_told_while_requests_wait_for_a_database_that_does_not_answer(first_start):
    data, *_ = first_start
    with (
        serving(data, CALENDAR_METRICS="true") as service,
        httpx.Client(timeout=PATIENCE) as client,
        ThreadPoolExecutor(40) as threads,  # more than a worker has
    ):
        os.kill(mongod_on(data), signal.SIGSTOP)
        try:
            waiting = [threads.submit(service.get, client) for _ in range(40)]
            paths = ("/livez", "/readyz", "/metrics")
            answers = [client.get(httpx.URL(service.events).join(path)) for path in paths]
            assert [answer.status_code for answer in answers] == [200, 503, 200]
            assert not all(each.done() for each in waiting)
        finally:
            os.kill(mongod_on(data), signal.SIGCONT)


def test_a_reload_leaves_the_mongod_alone(first_start):
    data, *_ = first_start
    with serving(data) as service:
        total = service.get().json()["total"]
        mongod = mongod_on(data)
        reload(service)
        assert service.get().json()["total"] == total
        assert mongod_on(data) == mongod
        assert service.end() == 0
        assert not runs(mongod)


def test_every_worker_shows_at_once_what_a_worker_or_a_command_has_written(tmp_path):
    # Its socket lies in a temporary directory, and that of the command is another one.
    data, file = tmp_path / "Data", tmp_path / "club.ics"
    event = vevent("1@club", title="Choir", start="20300301T190000")
    file.write_text(calendar(event), newline="")
    with serving(data, "--demo", "--workers", "2") as service:
        (password,) = [line.split(": ")[1] for line in service.output if "shown only once" in line]

        def totals():
            # Each on a connection of its own, so that both workers get some.
            window = {"start_date": "2020-01-01", "end_date": "2040-01-01"}
            return {service.get(**window).json()["total"] for _ in range(12)}

        (total,) = totals()
        body = {"title": "New", "start_date": "2030-05-01", "end_date": "2030-05-01"}
        made = httpx.post(service.events, json=body, auth=("admin", password), timeout=PATIENCE)
        assert made.status_code == 201
        assert totals() == {total + 1}
        before = (data / "last-write").read_bytes()
        command = [sys.executable, "-m", "calendar_app", "import", "ics", str(file)]
        subprocess.run(
            command,
            env=os.environ | {"CALENDAR_DATA": str(data), "TMPDIR": str(tmp_path)},
            check=True,
        )
        assert totals() == {total + 2}
        assert (data / "last-write").read_bytes() != before


def test_the_figures_of_all_workers_are_added_up(tmp_path):
    temporary = tmp_path / "tmp"
    temporary.mkdir()
    shared = {"CALENDAR_METRICS": "true", "TMPDIR": str(temporary)}
    with serving(tmp_path / "data", "--workers", "2", **shared) as service:
        for _ in range(20):
            service.get()  # each on a connection of its own, so that both workers get some
        metrics = httpx.URL(service.events).join("/metrics")
        first, second = (httpx.get(metrics, timeout=PATIENCE).text for _ in range(2))
        assert requests_in(first) == 20
        assert requests_in(second) == 21
        measured = re.findall(
            r'^process_resident_memory_bytes{pid="(\d+)"} \d', second, re.MULTILINE
        )
        workers = lasting_children_of(service) - {mongod_on(tmp_path / "data")}
        assert {int(process) for process in measured} == {service.process.pid, *workers}
        assert any(temporary.iterdir())
        service.end()
        assert not any(temporary.iterdir())


def requests_in(metrics):
    """Return how many requests the text of ``/metrics`` has counted."""
    counts = re.findall(r"^\w+_requests_total\{.*\} (\S+)$", metrics, re.MULTILINE)
    return sum(map(float, counts))
