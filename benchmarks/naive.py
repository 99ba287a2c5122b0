"""A minimal program with Flask and pymongo over the same documents, for comparison.

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
        page_events = list(cursor.skip((page - 1) * size).limit(size))
        total = database.events.count_documents(upcoming)
        linked = _linked(database, page_events)
        items = [_event_json(event, linked) for event in page_events]
        return _json({"events": items, "total": total, "total_pages": -(-total // size)})

    @app.get("/events/<int:number>")
    def event(number: int) -> Response:
        document = database.events.find_one({"_id": number})
        if document is None:
            abort(404)
        return _json(_event_json(document, _linked(database, [document])))

    return app


def _today() -> datetime:
    return datetime.now(UTC).replace(hour=0, minute=0, second=0, microsecond=0, tzinfo=None)


def _linked(database: Database[Document], events: list[Document]) -> dict[str, dict[int, Document]]:
    linked_ids = {name: list({n for event in events for n in event[name]}) for name in _LINKED}
    return {
        name: {record["_id"]: record for record in database[name].find({"_id": {"$in": ids}})}
        for name, ids in linked_ids.items()
    }


def _event_json(event: Document, linked_records: dict[str, dict[int, Document]]) -> Document:
    return {
        "id": event["_id"],
        **event["variants"].get(_LANGUAGE, {}),
        "start_date": str(event["start_local"]),
        "end_date": str(event["end_local"]),
        "timezone": event["timezone"],
        **{
            name: [
                {"id": n, **linked_records[name][n]["variants"].get(_LANGUAGE, {})}
                for n in event[name]
            ]
            for name in _LINKED
        },
    }


def _linked_json(record: Document) -> Document:
    return {"id": record["_id"], **record["variants"].get(_LANGUAGE, {})}


def _json(body: Document) -> Response:
    return Response(orjson.dumps(body), content_type="application/json")
