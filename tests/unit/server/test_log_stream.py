"""The log of a service is dropped where nobody takes it, and never waited for."""

import os
from contextlib import suppress
from pathlib import Path

import pytest

from calendar_app.server.log_stream import LogStream

LINE = b"x" * 99 + b"\n"
MANY = 5000  # lines: more than a pipe and those who wait for it have room for


@pytest.fixture
def streams():
    """Return a list for the streams of a test."""
    return []


@pytest.fixture
def pipe(streams):
    """Return both ends of a pipe, of which the first may be closed."""
    read_end, write_end = os.pipe()
    yield read_end, write_end
    with suppress(OSError):
        os.close(read_end)
    for stream in streams:  # its thread would write to the next file of that number
        stream.drain()
    os.close(write_end)


@pytest.fixture
def write(streams):
    """Return a function that writes lines as a service does, and counts the dropped ones."""

    def write(descriptor, number):
        drops = []
        stream = LogStream(descriptor, drops.append)
        streams.append(stream)
        for _ in range(number):
            assert stream.write(LINE) == len(LINE)
        stream.drain()
        return sum(drops)

    return write


def test_lines_are_handed_on_in_their_order(tmp_path):
    path = tmp_path / "log"
    with path.open("wb", buffering=0) as file:
        stream = LogStream(file.fileno(), pytest.fail)
        for number in range(500):
            stream.write(b"%d\n" % number)
            stream.write(b"")
        stream.drain()
    assert path.read_text().splitlines() == [str(number) for number in range(500)]


def test_pipe_that_nobody_reads_costs_only_the_lines_it_has_no_room_for(write, pipe):
    read_end, write_end = pipe
    dropped = write(write_end, MANY)
    assert 0 < dropped < MANY
    assert os.read(read_end, 10 * len(LINE)) == 10 * LINE


def test_closed_pipe_costs_every_line(write, pipe):
    read_end, write_end = pipe
    os.close(read_end)
    assert write(write_end, 10) == 10


def test_full_disk_costs_every_line(write):
    with Path("/dev/full").open("wb", buffering=0) as full:
        assert write(full.fileno(), 10) == 10


def test_closed_descriptor_costs_every_line(write):
    assert write(-1, 10) == 10


def test_non_blocking_pipe_is_waited_for_by_nobody_but_the_log(write, pipe):
    read_end, write_end = pipe
    os.set_blocking(write_end, False)
    assert 0 < write(write_end, MANY) < MANY
    assert os.read(read_end, 100) == LINE


def test_fork_writes_its_own_lines(pipe):
    read_end, write_end = pipe
    stream = LogStream(write_end, pytest.fail)
    child = os.fork()
    if child == 0:
        stream.write(b"from the fork\n")
        stream.drain()
        os._exit(0)
    os.waitpid(child, 0)
    assert os.read(read_end, 100) == b"from the fork\n"
