"""A file has no number while a write is on its way, and another one after each write."""

import os
import subprocess
import sys

import pytest

from calendar_app.errors import ConfigurationError
from calendar_app.storage.mongo.last_write import LastWrite

WITHOUT_ROOM = """
import resource, sys
from pathlib import Path
from calendar_app.storage.mongo.last_write import LastWrite

resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
last_write = LastWrite(Path(sys.argv[1]))
last_write.begin()
last_write.end()
"""


@pytest.fixture
def file(tmp_path):
    return tmp_path / "last-write"


def test_there_is_no_number_before_the_first_write(file):
    assert LastWrite(file).number == b""


def test_each_write_has_a_number_of_its_own_that_all_processes_read(file):
    writer, reader = LastWrite(file), LastWrite(file)
    numbers = set()
    for _ in range(20):
        writer.begin()
        assert reader.number == b""
        writer.end()
        assert reader.number == writer.number
        numbers.add(reader.number)
    assert len(numbers) == 20


def test_a_number_lasts(file):
    first = LastWrite(file)
    first.begin()
    first.end()
    assert LastWrite(file).number == first.number


def test_where_nothing_can_be_written_there_is_no_number_any_more(file):
    writer = LastWrite(file)
    writer.end()
    subprocess.run([sys.executable, "-c", WITHOUT_ROOM, file], check=True)
    assert writer.number == b""


def test_others_can_neither_read_nor_write_it(file):
    LastWrite(file)
    assert file.stat().st_mode & 0o777 == 0o600


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a directory away")
def test_what_root_has_made_belongs_to_the_user_of_the_directory(tmp_path, file):
    os.chown(tmp_path, 65534, 65534)
    LastWrite(file)
    assert (file.stat().st_uid, file.stat().st_gid) == (65534, 65534)


def test_a_file_that_cannot_be_made_is_named(tmp_path):
    with pytest.raises(ConfigurationError, match="last-write cannot be written"):
        LastWrite(tmp_path / "missing" / "last-write")
