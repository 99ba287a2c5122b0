"""Calls of the interface as one user or as nobody, written as short as tests like them."""

from base64 import b64encode
from collections.abc import Mapping

from flask import Response
from flask.testing import FlaskClient

SITE = "https://calendar.example"
BASE = "/calendar/events/v1"
SECRET = "abcd EFGH ijkl MNOP qrst UVWX"


class Answer(Response):
    """A response with shortcuts for error codes and parameters."""

    @property
    def code(self):
        return self.json["code"]

    @property
    def invalid_params(self):
        """Return the names of the refused parameters."""
        return list(self.json["data"]["params"])


class Client:
    """Calls the interface as one user, or as nobody; keywords are parameters."""

    def __init__(self, app, name=None, user_id=0):
        self.id = user_id
        self._client = FlaskClient(app, Answer)
        self._headers = {}
        if name:
            token = b64encode(f"{name}:{SECRET}".encode()).decode()
            self._headers = {"Authorization": f"Basic {token}"}

    def send(self, method, path, /, headers=(), base=BASE, **options):
        """Send a request with the options of Werkzeug's client; ``path`` is below the ``base``."""
        headers = {**self._headers, **dict(headers)}
        return self._client.open(f"{base}{path}", method=method, headers=headers, **options)

    def get(self, path, /, **query):
        return self.send("GET", path, query_string=_texts(query))

    def delete(self, path, /, **query):
        return self.send("DELETE", path, query_string=_texts(query))

    def post(self, path, /, **body):
        return self.send("POST", path, json=body)

    def put(self, path, /, **body):
        return self.send("PUT", path, json=body)

    def patch(self, path, /, **body):
        return self.send("PATCH", path, json=body)

    def follow(self, link):
        """Get an address that the service has shown."""
        assert link.startswith(f"{SITE}{BASE}")
        return self.send("GET", link.removeprefix(f"{SITE}{BASE}"))


def _texts(query: Mapping):
    """Return query parameters as clients write them."""
    words = {True: "true", False: "false"}
    return {k: words.get(v, v) if isinstance(v, bool) else v for k, v in query.items()}
