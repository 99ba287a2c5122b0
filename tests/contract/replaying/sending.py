"""Recorded requests, sent to the service in its own ids and with its own users."""

import base64
import io
import json
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from PIL import Image
from replaying.recording import PICTURE, Exchange
from replaying.renumbering import Numbering
from werkzeug.datastructures import Headers
from werkzeug.test import Client

_LINKS = ("venue", "organizer", "image", "post_parent")
_RECORDS = (*_LINKS, "include", "exclude", "post", "event", "parent", "id")
_TERMS = ("categories", "tags")
_TERMS_OF_TERMS = ("include", "exclude", "parent")


@dataclass(frozen=True, slots=True)
class Answer:
    """The response of the service; ``body`` is decoded JSON, ``None`` for other content."""

    status: int
    headers: Headers
    body: Any


@dataclass(frozen=True, slots=True, kw_only=True)
class _Request:
    method: str
    path: str
    role: str
    headers: dict[str, str]
    query: str = ""
    data: bytes | None = None


class Sender:
    """Sends to the service below ``prefix``; ``credentials`` are users by role."""

    def __init__(self, client: Client, prefix: str, credentials: dict[str, dict[str, Any]]) -> None:
        self._client = client
        self._prefix = prefix
        self._credentials = credentials

    def send(self, exchange: Exchange, numbering: Numbering) -> Answer:
        """Send a recorded request, renumbered."""
        if exchange.name == PICTURE:
            return self._send(_upload(exchange))
        return self._send(
            _Request(
                method=exchange.method,
                path=_path(exchange, numbering),
                role=exchange.role,
                query=_query(exchange, numbering),
                headers={
                    name: text
                    for name, text in exchange.sending.items()
                    if name not in ("Authorization", "Content-Length")
                },
                data=_body(exchange, numbering),
            )
        )

    def patch_event(self, number: int, fields: dict[str, Any]) -> Answer:
        """Change an event as the administrator."""
        return self._send(
            _Request(
                method="PATCH",
                path=f"/events/{number}",
                role="admin",
                headers={"Content-Type": "application/json"},
                data=json.dumps(fields).encode(),
            )
        )

    def _send(self, request: _Request) -> Answer:
        response = self._client.open(
            self._prefix + quote(request.path, safe="/%:@!$&'()*+,;=~-._"),
            method=request.method,
            query_string=request.query,
            headers=request.headers | self._authorization(request.role),
            data=request.data,
        )
        return Answer(response.status_code, response.headers, _decoded(response.get_data()))

    def _authorization(self, role: str) -> dict[str, str]:
        if role == "anonymous":
            return {}
        user = self._credentials.get(role)
        pair = f"{user['user']}:{user['app_password']}" if user else role
        return {"Authorization": f"Basic {base64.b64encode(pair.encode()).decode()}"}


def _upload(exchange: Exchange) -> _Request:
    return _Request(
        method="POST",
        path="/media",
        role=exchange.role,
        headers={
            "Content-Type": "image/png",
            "Content-Disposition": 'attachment; filename="poster.png"',
        },
        data=_poster(),
    )


def _decoded(data: bytes) -> Any:
    try:
        return json.loads(data)
    except ValueError:
        return None


def _path(exchange: Exchange, numbering: Numbering) -> str:
    head, by_slug, slug = exchange.path.partition("/by-slug/")
    if by_slug:
        bare = slug.rstrip("/")
        return head + by_slug + numbering.slugs.get(bare, bare) + slug[len(bare) :]
    return re.sub(
        r"(?<=/)\d+(?=/|$)",
        lambda match: numbering.digits(match[0], terms=exchange.on_terms),
        exchange.path,
    )


def _query(exchange: Exchange, numbering: Numbering) -> str:
    def renumbered(item: str) -> str:
        name, equals, value = item.partition("=")
        bare = name.replace("%5B%5D", "").replace("[]", "")
        if bare in _TERMS:
            value = numbering.lone_numbers(value)
        elif bare in _RECORDS:
            terms = exchange.on_terms and bare in _TERMS_OF_TERMS
            value = numbering.value(value, terms=terms)
        return name + equals + value

    return "&".join(renumbered(item) for item in exchange.query.split("&"))


def _body(exchange: Exchange, numbering: Numbering) -> bytes | None:
    sent = exchange.sent
    if sent is None:
        return None
    if isinstance(sent, str):
        return sent.encode()
    pairs = list(sent.items() if isinstance(sent, dict) else sent)
    fields = [(name, _field(exchange, numbering, name, value)) for name, value in pairs]
    if exchange.is_form:
        return _form(fields)
    return json.dumps(dict(fields), ensure_ascii=False).encode()


def _field(exchange: Exchange, numbering: Numbering, name: str, value: Any) -> Any:
    bare = name.removesuffix("[]")
    if bare in _TERMS or bare == "parent":
        return numbering.value(value, terms=True)
    # Elsewhere venue and organizer are names.
    if bare == "image" or (bare in _LINKS and exchange.path.startswith("/events")):
        return numbering.value(value)
    return value


def _form(fields: Iterable[tuple[str, Any]]) -> bytes:
    return "&".join(
        f"{quote(name, safe='[]')}={quote(str(value))}" for name, value in fields
    ).encode()


def _poster() -> bytes:
    """Return the fixture's picture: 1200 by 800 pixels of one red."""
    file = io.BytesIO()
    Image.new("RGB", (1200, 800), (200, 30, 30)).save(file, "png")
    return file.getvalue()
