"""The messages of webhooks, as the OpenAPI document describes them."""

from typing import Any

from calendar_app.api.resources.webhooks import KINDS
from calendar_app.changes.webhooks.deliveries import TEST, type_of
from calendar_app.changes.webhooks.webhook import GAP, WEBHOOKS

_CHANGE = {"$ref": "#/components/schemas/Change", "description": "The change."}
_TEXT = {"type": "string"}
_OTHER_DATA = {
    "type": "object",
    "additionalProperties": True,
    "description": "Further details, which programs do not need.",
}
_MOMENT = {
    "type": "string",
    "format": "date-time",
    "description": "When the change was made, in UTC.",
}
_WORDS = {
    KINDS[0]: "An event is new or has changed. Webhooks with `content: full` send all of it.",
    KINDS[1]: "An event has left the filters, or can no longer be read.",
    GAP: "Changes were missed and are gone. Start over with `GET /changes?since=start`.",
    type_of(WEBHOOKS, TEST): "A test message, sent by a person.",
}
_HEADERS = {
    "webhook-id": "The id of the message, the same at each attempt.",
    "webhook-timestamp": "When it was sent, in seconds of Unix.",
    "webhook-signature": "`v1,` and an HMAC-SHA256 by each secret, as Standard Webhooks have it.",
}
_ANSWERS = {
    "2XX": "The message was accepted.",
    "410": "The receiver no longer exists: the webhook ends.",
    "4XX": "The message was refused. Ten refusals in a row end the webhook.",
    "5XX": "The message is sent again later.",
}


def add_messages(document: dict[str, Any]) -> dict[str, Any]:
    """Add the messages of webhooks to a document, and return it."""
    document["webhooks"] = {name: {"post": _operation(name)} for name in _WORDS}
    return document


def _operation(name: str) -> dict[str, Any]:
    data = _CHANGE if name in KINDS else _OTHER_DATA
    message = {"const": name, "description": "The kind of message."}
    body = {
        "type": "object",
        "properties": {"type": message, "timestamp": _MOMENT, "data": data},
        "required": ["type", "timestamp", "data"],
    }
    return {
        "operationId": "receive" + "".join(map(str.capitalize, name.split("."))),
        "tags": [WEBHOOKS],
        "summary": f"Message {name}",
        "description": _WORDS[name],
        "parameters": [
            {
                "name": each,
                "in": "header",
                "required": True,
                "description": meaning,
                "schema": _TEXT,
            }
            for each, meaning in _HEADERS.items()
        ],
        "requestBody": {"required": True, "content": {"application/json": {"schema": body}}},
        "responses": {status: {"description": meaning} for status, meaning in _ANSWERS.items()},
        "security": [],
    }
