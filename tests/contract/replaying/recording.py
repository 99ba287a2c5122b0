"""The recorded requests and responses of the reference system."""

import json
import lzma
import re
from dataclasses import dataclass
from http import HTTPStatus
from pathlib import Path
from typing import Any, Self

REFERENCE_SITE = "http://127.0.0.1:8090"
REFERENCE_PREFIX = "/wp-json/tribe/events/v1"
PICTURE = "fixture/image"
_READING = ("GET", "HEAD", "OPTIONS")
_UPDATING = ("POST", "PUT", "PATCH")
_AN_EVENT = re.compile(r"/events/(\d+|by-slug/[^/]+)/?")


@dataclass(frozen=True, slots=True, kw_only=True)
class Exchange:
    """One request and its answer; ``path`` stands below the namespace.

    ``role`` is a key of the credentials, ``anonymous``, or ``user:secret``. ``sent`` is the decoded
    body (a list of pairs for some forms), or its text where it is neither JSON nor a form.
    """

    name: str
    method: str
    path: str
    query: str
    role: str
    sending: dict[str, str]
    sent: Any
    status: int
    receiving: dict[str, str]
    answer: Any

    @classmethod
    def of(cls, case: dict[str, Any]) -> Self:
        """Make an exchange of one object of the recording."""
        return cls(
            name=case["name"],
            method=case["method"],
            path=case["path"].removeprefix(REFERENCE_PREFIX),
            query=case["query"],
            role=case["role"],
            sending=case["request_headers"],
            sent=case["request_body"],
            status=case["status"],
            receiving={name.lower(): text for name, text in case["response_headers"].items()},
            answer=case["response_json"],
        )

    @property
    def is_fixture(self) -> bool:
        return self.name.startswith("fixture/")

    @property
    def writes(self) -> bool:
        return self.method not in _READING

    @property
    def on_terms(self) -> bool:
        return re.match(r"/(categories|tags)\b", self.path) is not None

    @property
    def is_form(self) -> bool:
        return "urlencoded" in self.sending.get("Content-Type", "")

    @property
    def fields_of_update(self) -> set[str] | None:
        """Return the fields that a successful update of an event sent; ``None`` for all else."""
        updates = self.method in _UPDATING and self.status == HTTPStatus.OK
        if not (updates and _AN_EVENT.fullmatch(self.path)):
            return None
        names = {*(self.sent or ()), *(item.partition("=")[0] for item in self.query.split("&"))}
        return {name.partition("[")[0] for name in names} - {""}


def recorded_conversation(file: Path) -> list[Exchange]:
    """Return all exchanges below the namespace and the upload of the picture, in their order."""
    cases = map(json.loads, lzma.decompress(file.read_bytes()).decode().splitlines())
    return [
        Exchange.of(case)
        for case in cases
        if case["path"].startswith(REFERENCE_PREFIX) or case["name"] == PICTURE
    ]
