"""What one writes in an afternoon with Flask, pymongo and the same documents, for comparison.

It knows one list and one event, no filters, no rights, no other formats. Linked records are asked
for in one query a kind; nothing is remembered.
"""

from datetime import UTC, datetime
from typing import Any

import orjson
from flask import Flask, Response, abort, request
from pymongo.database import Database

Document = dict[str, Any]

_LANGUAGE = "de"
_LINKED = ("venues", "organizers", "categories", "tags")


def naive(database: Database[Document]) -> Flask:
    """Return the program over the database of the service."""
    app = Flask(__name__)

    @app.get("/events")
    def events() -> Response:
        size, page = int(request.args.get("per_page", 12)), int(request.args.get("page", 1))
        upcoming = {
            "status": "publish",
            "hidden": False,
            "start_local": {"$gte": _today()},
        }
        cursor = database.events.find(upcoming).sort([("start_local", 1), ("_id", 1)])
        found = list(cursor.skip((page - 1) * size).limit(size))
        total = database.events.count_documents(upcoming)
        linked = _linked(database, found)
        shown = [_shown(event, linked) for event in found]
        return _json({"events": shown, "total": total, "total_pages": -(-total // size)})

    @app.get("/events/<int:number>")
    def event(number: int) -> Response:
        found = database.events.find_one({"_id": number})
        if found is None:
            abort(404)
        return _json(_shown(found, _linked(database, [found])))

    return app


def _today() -> datetime:
    return datetime.now(UTC).replace(hour=0, minute=0, second=0, microsecond=0, tzinfo=None)


def _linked(database: Database[Document], events: list[Document]) -> dict[str, dict[int, Document]]:
    wanted = {name: list({n for event in events for n in event[name]}) for name in _LINKED}
    return {
        name: {found["_id"]: found for found in database[name].find({"_id": {"$in": ids}})}
        for name, ids in wanted.items()
    }


def _shown(event: Document, linked: dict[str, dict[int, Document]]) -> Document:
    return {
        "id": event["_id"],
        **event["variants"].get(_LANGUAGE, {}),
        "start_date": str(event["start_local"]),
        "end_date": str(event["end_local"]),
        "timezone": event["timezone"],
        **{
            name: [{"id": n, **linked[name][n]["variants"].get(_LANGUAGE, {})} for n in event[name]]
            for name in _LINKED
        },
    }


def _json(body: Document) -> Response:
    return Response(orjson.dumps(body), content_type="application/json")
