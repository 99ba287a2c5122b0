"""Uploads that stop half-way, over a real socket: refused, and nothing of them is kept."""

import os
import signal
import socket
import subprocess
import sys
from base64 import b64encode
from contextlib import closing, suppress
from io import BytesIO
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest
from PIL import Image

from calendar_app.accounts.users import Accounts
from calendar_app.assembly.indexes import INDEXES
from calendar_app.storage.mongo.connection import open_database
from calendar_app.storage.mongo.indexes import ensure_indexes
from calendar_app.storage.mongo.store import Store

pytestmark = [
    pytest.mark.timeout(180),
]

ROOT = Path(__file__).parents[2]
SECRET = "abcd EFGH ijkl MNOP"
PATIENCE = 20  # seconds
PART = b'--x\r\nContent-Disposition: form-data; name="file"; filename="a.png"\r\n\r\n'
FORM = "multipart/form-data; boundary=x"


@pytest.fixture(scope="module")
def database(mongod_uri):
    """Return a database of its own in which one user may upload."""
    database = open_database(mongod_uri.replace("/calendar?", "/uploads?"))
    with closing(database.client):
        store = Store(database)
        ensure_indexes(store, INDEXES)
        Accounts(store, lambda: None, 30).add("admin", "administrator", secret=SECRET)
        yield database
        database.client.drop_database("uploads")


@pytest.fixture(scope="module")
def base(database, mongod_uri, tmp_path_factory):
    """Return the address of a service over that database."""
    del database
    command = [sys.executable, "-m", "calendar_app", "--config", ROOT / "config" / "de-rm.toml"]
    uri = mongod_uri.replace("/calendar?", "/uploads?")
    with subprocess.Popen(
        [*command, "serve", "--bind", "127.0.0.1:0", "--workers", "1"],
        env=os.environ | {"CALENDAR_MONGODB_URI": uri, "CALENDAR_MAX_UPLOAD": "200000"},
        cwd=tmp_path_factory.mktemp("uploads"),
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        lines = iter(process.stdout.readline, "")
        events = next(line.split()[-1] for line in lines if line.startswith("  Events:"))
        yield events.removesuffix("/events")
        # At once, whoever is still connected.
        process.send_signal(signal.SIGQUIT)


@pytest.fixture(scope="module")
def noise():
    """Return a picture of some ninety kilobytes."""
    file = BytesIO()
    Image.effect_noise((300, 300), 90).save(file, "PNG")
    return file.getvalue()


@pytest.fixture
def begin(base):
    """Return a function that sends half an upload, pauses, and returns the response."""
    parts = urlsplit(base)
    token = b64encode(f"admin:{SECRET}".encode()).decode()
    lines = [
        f"POST {parts.path}/media HTTP/1.1",
        "Host: x",
        "Connection: close",
        f"Authorization: Basic {token}",
    ]

    def send(body, **headers):
        header_lines = [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
        head = "\r\n".join([*lines, *header_lines, "", ""]).encode()
        with socket.create_connection((parts.hostname, parts.port), PATIENCE) as wire:
            wire.sendall(head + body)
            # A server may take this for the end of all interest in its answer to a whole request.
            if len(body) < int(headers.get("Content_Length", sys.maxsize)):
                with suppress(OSError):  # the server may have answered and closed already
                    wire.shutdown(socket.SHUT_WR)
            return b"".join(iter(lambda: wire.recv(65_536), b""))

    return send


def chunk(data, size=None):
    return b"%x\r\n" % (size or len(data)) + data


def stored_files(database):
    return [database[name].count_documents({}) for name in ("files.files", "files.chunks", "media")]


def stopped(noise):
    """Return uploads that stop half-way, or are not framed as they say."""
    half = noise[: len(noise) // 2]
    length, chunked = {"Content_Length": 90_000}, {"Transfer_Encoding": "chunked"}
    picture, form = {"Content_Type": "image/png"}, {"Content_Type": FORM}
    return {
        "nothing of it": (b"", picture | length),
        "half of it": (half, picture | length),
        "half of a chunk": (chunk(half, 90_000), picture | chunked),
        "one of two chunks": (chunk(half) + b"\r\n", picture | chunked),
        "no chunk": (b"zz\r\n" + half, picture | chunked),
        "half of a form": (PART + half, form | length),
        "half of a form in chunks": (chunk(PART + half) + b"\r\n", form | chunked),
        "a form without its end": (PART + noise, form | {"Content_Length": len(PART + noise)}),
        "too much, in chunks": (b"".join(chunk(noise) + b"\r\n" for _ in range(3)), form | chunked),
    }


@pytest.mark.parametrize("name", stopped(b""))
def test_an_upload_that_stops_is_refused_and_nothing_is_kept(begin, database, noise, name):
    body, headers = stopped(noise)[name]
    answer = begin(body, **headers)
    status, _, rest = answer.partition(b"\r\n")
    assert status.split()[1] in (b"400", b"413"), answer
    assert b'"code":"' in rest
    assert stored_files(database) == [0, 0, 0]


def test_aborted_upload_leaves_nothing_and_blocks_no_other(base, database, noise):
    parts = urlsplit(base)
    head = f"POST {parts.path}/media HTTP/1.1\r\nHost: x\r\nContent-Type: image/png\r\n"
    with socket.create_connection((parts.hostname, parts.port), PATIENCE) as wire:
        wire.sendall(head.encode() + b"Content-Length: 90000\r\n\r\n" + noise[:9000])
    sent = {"content": noise, "headers": {"Content-Type": "image/png"}}
    answer = httpx.post(f"{base}/media", auth=("admin", SECRET), timeout=PATIENCE, **sent)
    assert answer.status_code == 201
    assert httpx.get(answer.json()["url"], timeout=PATIENCE).content == noise
    number = answer.json()["id"]
    deletion = httpx.delete(f"{base}/media/{number}", auth=("admin", SECRET), timeout=PATIENCE)
    assert deletion.status_code == 200
    assert stored_files(database) == [0, 0, 0]
