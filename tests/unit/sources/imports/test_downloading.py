"""A busy host is asked again after a pause, for as long as it asks for."""

from contextlib import closing, contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import pytest

from calendar_app.domain.addresses import networks_of
from calendar_app.sources.imports.downloading import Downloader, DownloadError

LOOPBACK = networks_of("import_networks", ["127.0.0.0/8"])
GOOD = (200, "")


class _Host(BaseHTTPRequestHandler):
    """Gives the answers of its server one by one: pairs of status and ``Retry-After``."""

    def do_GET(self):
        status, retry_after = self.server.answers.pop(0)
        self.send_response(status)
        if retry_after:
            self.send_header("Retry-After", retry_after)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_):
        pass


@contextmanager
def hosting(*answers):
    with ThreadingHTTPServer(("127.0.0.1", 0), _Host) as server:
        server.answers = [*answers]
        thread = Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}/a.png"
        finally:
            server.shutdown()
            thread.join()


@pytest.mark.parametrize(
    ("answers", "pauses"),
    [
        ([GOOD], []),
        ([(429, "7"), GOOD], [7.0]),
        ([(503, "0"), GOOD], [0.0]),
        ([(503, ""), (429, ""), (503, ""), GOOD], [1.0, 2.0, 4.0]),
        ([(429, "86400"), GOOD], [60.0]),
        ([(429, "Wed, 21 Oct 2026 07:28:00 GMT"), GOOD], [1.0]),
    ],
)
def test_busy_host_is_left_alone_for_as_long_as_it_asks_up_to_a_minute(answers, pauses):
    waits = []
    with (
        hosting(*answers) as address,
        closing(Downloader(1000, LOOPBACK)) as downloader,
    ):
        assert downloader.fetch(address, waits.append) == (b"", "a.png")
    assert waits == pauses


def test_host_that_stays_busy_is_given_up_after_four_answers():
    waits = []
    with (
        hosting(*[(429, "3")] * 4) as address,
        closing(Downloader(1000, LOOPBACK)) as downloader,
        pytest.raises(DownloadError, match="429"),
    ):
        downloader.fetch(address, waits.append)
    assert waits == [3.0] * 3
