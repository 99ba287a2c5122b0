"""A body that ends before its announced length is refused, whatever the server says of its end."""

from io import BytesIO

import pytest

EVENT = b'{"title": "Fair", "start_date": "2030-03-10", "end_date": "2030-03-10"}'
# As gunicorn gives a request: its input ends with the body, or where the client is gone.
ENDED = {"wsgi.input_terminated": True, "CONTENT_LENGTH": "1000"}


@pytest.mark.parametrize(
    ("path", "mime", "body"),
    [
        ("/events", "application/json", EVENT),
        ("/tags", "application/x-www-form-urlencoded", b"name=outdoors"),
        ("/media?filename=a.png", "image/png", b"\x89PNG"),
    ],
)
def test_body_that_is_cut_off_stores_nothing(as_admin, path, mime, body):
    options = {"input_stream": BytesIO(body), "content_type": mime}
    answer = as_admin.send("POST", path, environ_overrides=ENDED, **options)
    assert answer.status_code == 400
    assert as_admin.get(path.partition("?")[0]).json["total"] == 0
