from hashlib import sha256

import pytest

from calendar_app.errors import DuplicateKey
from calendar_app.storage.mongo.files import FileBucket

# More than GridFS keeps in one piece.
LARGE = bytes(range(256)) * 4096


@pytest.fixture
def files(database):
    return FileBucket(database)


def test_stored_file_reads_back_unchanged(files):
    files.put("1/poster.png", LARGE, "image/png")
    file = files.open("1/poster.png")
    assert (file.name, file.mime, file.size) == ("1/poster.png", "image/png", len(LARGE))
    assert file.digest == sha256(LARGE).hexdigest()
    assert file.stream.read() == LARGE


def test_any_part_of_a_file_can_be_read(files):
    files.put("1/poster.png", LARGE, "image/png")
    stream = files.open("1/poster.png").stream
    stream.seek(300_000)
    assert stream.read(10) == LARGE[300_000:300_010]


def test_an_empty_file_is_a_file(files):
    files.put("1/empty", b"", "text/plain")
    assert files.open("1/empty").stream.read() == b""


def test_a_file_that_was_never_put_is_not_there(files):
    assert files.open("1/poster.png") is None


def test_a_name_is_given_once_and_the_first_file_stays(files):
    files.put("1/poster.png", LARGE, "image/png")
    with pytest.raises(DuplicateKey):
        files.put("1/poster.png", b"another", "image/png")
    assert files.open("1/poster.png").stream.read() == LARGE


def test_a_deleted_file_leaves_nothing_behind(files, database):
    files.put("1/poster.png", LARGE, "image/png")
    files.delete("1/poster.png")
    assert files.open("1/poster.png") is None
    assert database["files.chunks"].count_documents({}) == 0
    files.put("1/poster.png", b"another", "image/png")
    assert files.open("1/poster.png").stream.read() == b"another"


def test_deleting_an_absent_file_does_nothing(files):
    files.delete("1/poster.png")
