"""A mongod of our own: private, with transactions, on any directory."""

import os
import re
import shutil
import signal
import stat
import subprocess
import sys
from contextlib import closing, suppress
from pathlib import Path

import pytest
from serving import wait_for

from calendar_app.errors import ConfigurationError, Unavailable
from calendar_app.storage.embedded.directory import DataDirectory
from calendar_app.storage.embedded.mongod import find_mongod
from calendar_app.storage.embedded.supervisor import open_own_mongod
from calendar_app.storage.mongo.connection import open_database
from calendar_app.storage.mongo.store import Store


def write(uri, number):
    """Insert a record in a transaction and return how many there are."""
    database = open_database(uri)
    with closing(database.client):
        store = Store(database)
        store.transact(lambda: store["events"].insert({"_id": number}))
        return store["events"].count({})


def process_on(directory):
    return int((directory / "mongod.lock").read_text())


def inodes_of_sockets(process):
    directories = set()
    for descriptor in Path(f"/proc/{process}/fd").iterdir():
        with suppress(FileNotFoundError):  # closed meanwhile
            if match := re.fullmatch(r"socket:\[(\d+)\]", str(descriptor.readlink())):
                directories.add(match[1])
    return directories


def test_it_has_transactions_and_keeps_its_data(tmp_path):
    with open_own_mongod(tmp_path / "data") as mongod:
        assert write(mongod.uri, 1) == 1
    with open_own_mongod(tmp_path / "data") as mongod:
        assert write(mongod.uri, 2) == 2


def test_its_address_names_the_database_of_the_calendar(tmp_path):
    with open_own_mongod(tmp_path) as mongod, closing(open_database(mongod.uri).client) as client:
        assert client.get_default_database().name == "calendar"


def test_it_leaves_most_of_the_memory_to_others(tmp_path):
    with open_own_mongod(tmp_path) as mongod, closing(open_database(mongod.uri).client) as client:
        cache = client.admin.command("serverStatus")["wiredTiger"]["cache"]
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    assert 2**28 <= cache["maximum bytes configured"] <= max(2**28, min(memory / 8, 2**31))


def test_its_cluster_time_stays_while_nobody_writes(tmp_path):
    with open_own_mongod(tmp_path) as mongod, closing(open_database(mongod.uri).client) as client:
        assert client.admin.command("getParameter", writePeriodicNoops=1)["writePeriodicNoops"] is (
            False
        )


def test_empty_database_takes_little_space(tmp_path):
    with open_own_mongod(tmp_path):
        pass
    assert sum(path.stat().st_size for path in tmp_path.rglob("*")) < 50 << 20


def test_no_other_user_of_the_machine_reaches_it(tmp_path):
    data = tmp_path / "data"
    with open_own_mongod(data) as mongod:
        write(mongod.uri, 1)
        sockets = inodes_of_sockets(process_on(data))
        tcp = Path("/proc/net/tcp").read_text() + Path("/proc/net/tcp6").read_text()
        assert not sockets & {line.split()[9] for line in tcp.splitlines()}
        assert stat.S_IMODE(data.stat().st_mode) == 0o700
        for socket in (path for path in data.iterdir() if path.is_socket()):
            assert stat.S_IMODE(socket.stat().st_mode) == 0o600


@pytest.mark.parametrize("name", ["d" * 120, "With Capitals", "a:b", "täglich", "a, b & %2F c"])
def test_any_name_of_a_directory_will_do(tmp_path, name):
    with open_own_mongod(tmp_path / name) as mongod:
        assert write(mongod.uri, 1) == 1
    with open_own_mongod(tmp_path / name) as mongod:
        assert write(mongod.uri, 2) == 2


def test_nothing_is_left_outside_the_directory(tmp_path, monkeypatch):
    short = Path("/tmp") / f"test-{os.getpid()}"  # noqa: S108 - removed below
    short.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(short))
    try:
        with open_own_mongod(tmp_path / ("d" * 120)) as mongod:
            write(mongod.uri, 1)
            (private,) = short.iterdir()
            assert stat.S_IMODE(private.stat().st_mode) == 0o700
        assert list(short.iterdir()) == []
    finally:
        shutil.rmtree(short)


def test_a_directory_may_be_moved(tmp_path):
    with open_own_mongod(tmp_path / "old") as mongod:
        write(mongod.uri, 1)
    (tmp_path / "old").rename(tmp_path / "new")
    with open_own_mongod(tmp_path / "new") as mongod:
        assert write(mongod.uri, 2) == 2


def test_a_directory_has_one_service_at_a_time(tmp_path):
    with open_own_mongod(tmp_path) as mongod:
        with pytest.raises(ConfigurationError, match=rf"in use by process {os.getpid()}"):
            open_own_mongod(tmp_path).__enter__()
        assert write(mongod.uri, 1) == 1
    with open_own_mongod(tmp_path) as mongod:
        assert write(mongod.uri, 2) == 2


def test_a_directory_that_cannot_be_written_is_refused():
    with pytest.raises(ConfigurationError, match="CALENDAR_DATA") as refused:
        open_own_mongod("/proc/calendar").__enter__()
    assert "/proc/calendar" in str(refused.value)


def test_a_program_that_is_no_mongod_is_refused(tmp_path):
    with pytest.raises(ConfigurationError, match="/bin/ls is no mongod"):
        open_own_mongod(tmp_path, "/bin/ls").__enter__()


def test_a_program_that_does_not_exist_is_refused(tmp_path):
    with pytest.raises(ConfigurationError, match="/nowhere/mongod"):
        open_own_mongod(tmp_path, "/nowhere/mongod").__enter__()


def test_a_file_that_is_no_program_is_refused(tmp_path):
    (tmp_path / "mongod").write_bytes(b"\x7fELF nonsense")
    (tmp_path / "mongod").chmod(0o755)
    with pytest.raises(ConfigurationError, match="cannot be started"):
        open_own_mongod(tmp_path / "data", str(tmp_path / "mongod")).__enter__()


@pytest.mark.parametrize(
    ("library", "package"),
    [("libcurl.so.4", "libcurl4"), ("libssl.so.3", "libssl3"), ("libcrypto.so.3", "libssl3")],
)
def test_a_missing_library_is_named_with_its_package(tmp_path, library, package):
    program = tmp_path / "mongod"
    program.write_text(
        f"#!/bin/sh\necho '{program}: error while loading shared libraries: {library}: "
        "cannot open shared object file: No such file or directory' >&2\nexit 127\n"
    )
    program.chmod(0o755)
    with pytest.raises(ConfigurationError, match=f"apt-get install {package}") as refused:
        open_own_mongod(tmp_path / "data", str(program)).__enter__()
    assert library in str(refused.value)


def test_mongod_on_the_path_is_preferred_to_the_extra(tmp_path, monkeypatch):
    (tmp_path / "mongod").symlink_to("/bin/ls")
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(ConfigurationError, match=f"{tmp_path}/mongod is no mongod"):
        open_own_mongod(tmp_path / "data").__enter__()


def test_missing_mongod_is_reported_with_help(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr("importlib.metadata.distributions", list)
    with pytest.raises(ConfigurationError, match=r"pip install .*\[embedded\]") as refused:
        open_own_mongod(tmp_path / "data").__enter__()
    assert "CALENDAR_MONGODB_URI" in str(refused.value)


def test_error_of_mongod_about_broken_data_is_printed(tmp_path):
    with open_own_mongod(tmp_path):
        pass
    (tmp_path / "storage.bson").write_text("nonsense")
    with pytest.raises(ConfigurationError, match=r"metadata file; see .*mongod\.log") as refused:
        open_own_mongod(tmp_path).__enter__()
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(
    ("name", "remove"),
    [("data", Path.unlink), ("d" * 120, lambda socket: shutil.rmtree(socket.parent))],
)
def test_mongod_whose_socket_vanishes_is_started_again(tmp_path, name, remove, caplog):
    with open_own_mongod(tmp_path / name) as mongod:
        write(mongod.uri, 1)
        socket = Path(DataDirectory(tmp_path / name).socket)
        remove(socket)
        wait_for(socket.exists)
        mongod.wait_until_primary()
        assert write(mongod.uri, 2) == 2
        assert DataDirectory(tmp_path / name).restarts == 1
    assert f"The socket {socket} has vanished." in caplog.text


def test_a_service_killed_outright_leaves_nothing_that_hinders_the_next_start(tmp_path):
    program = (
        "import os, signal, sys, time\n"
        "from calendar_app.storage.embedded.supervisor import start_own_mongod\n"
        "start_own_mongod(sys.argv[1])\n"
        "worker = os.fork()\n"
        "if worker == 0:\n"
        "    os.close(1)\n"
        "    time.sleep(60)\n"
        "    os._exit(0)\n"
        "print(worker, flush=True)\n"
        "os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    process = subprocess.run(
        [sys.executable, "-c", program, tmp_path], stdout=subprocess.PIPE, check=False
    )
    try:
        with open_own_mongod(tmp_path) as mongod:
            assert write(mongod.uri, 1) == 1
    finally:
        os.kill(int(process.stdout), signal.SIGKILL)


def test_a_survivor_of_a_dead_service_is_ended(tmp_path):
    with open_own_mongod(tmp_path) as mongod:
        write(mongod.uri, 1)
        survivor = process_on(tmp_path)
    program = (
        "import os, signal, sys\n"
        "from calendar_app.storage.embedded.supervisor import start_own_mongod\n"
        "start_own_mongod(sys.argv[1])\n"
        "os.kill(int(open(sys.argv[1] + '/mongod.lock').read()), signal.SIGSTOP)\n"
        "os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    subprocess.run([sys.executable, "-c", program, tmp_path], check=False)
    survivor = process_on(tmp_path)
    assert Path(f"/proc/{survivor}/exe").exists()
    with open_own_mongod(tmp_path) as mongod:
        assert write(mongod.uri, 2) == 2
        assert process_on(tmp_path) != survivor
    assert not Path(f"/proc/{survivor}/exe").exists()


def test_dead_mongod_restarts_within_five_seconds(tmp_path):
    with open_own_mongod(tmp_path) as mongod:
        write(mongod.uri, 1)
        os.kill(process_on(tmp_path), signal.SIGKILL)
        # A client waits five seconds for a primary, and not longer.
        database = open_database(mongod.uri, patience=5000)
        with closing(database.client):
            database.client.admin.command("ping")
        assert write(mongod.uri, 2) == 2


def test_restarts_are_counted_on_a_full_disk_too(tmp_path):
    directory = DataDirectory(tmp_path)
    for _ in range(3):
        directory.count_restart()
    assert directory.restarts == 3
    assert (tmp_path / "restarts").stat().st_blocks == 0


def test_restart_of_mongod_is_retried_until_it_succeeds(tmp_path, caplog):
    broken = tmp_path / "broken"
    program = tmp_path / "mongod"
    program.write_text(f'#!/bin/sh\n[ -e "{broken}" ] && exit 62\nexec "{find_mongod()}" "$@"\n')
    program.chmod(0o755)
    data = tmp_path / "data"
    with open_own_mongod(data, str(program)) as mongod:
        write(mongod.uri, 1)
        broken.touch()
        os.kill(process_on(data), signal.SIGKILL)
        database = open_database(mongod.uri)
        with closing(database.client), pytest.raises(Unavailable):
            Store(database)["events"].count({})
        broken.unlink()
        database = open_database(mongod.uri, patience=5000)
        with closing(database.client):
            assert Store(database)["events"].count({}) == 1
    ended, failed = caplog.messages  # however often it was tried
    assert "ended (it was killed (SIGKILL" in ended
    assert "another version of mongod" in failed


def test_death_of_a_mongod_is_reported_where_its_directory_is_gone_too(tmp_path, caplog):
    data = tmp_path / "data"
    with open_own_mongod(data) as mongod:
        process = process_on(data)
        data.rename(tmp_path / "moved")
        os.kill(process, signal.SIGKILL)
        with pytest.raises(Unavailable):
            write(mongod.uri, 1)
    assert "ended (it was killed (SIGKILL" in caplog.messages[0]
