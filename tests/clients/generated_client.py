"""Use the client that openapi-python-client generates: ``generated_client.py BASE PASSWORD``."""

import sys
from base64 import b64encode
from datetime import UTC, datetime

from calendar_client import AuthenticatedClient
from calendar_client.api.editing_events import (
    patch_events_by_id,
    post_events,
    put_events_by_id,
)
from calendar_client.api.events import get_events, get_events_by_id
from calendar_client.models import (
    Event,
    EventChange,
    EventChangeStatus,
    EventChangeVariants,
    EventPage,
    EventPageSelection,
    EventUpdate,
    LinkedVenue,
)


def main(base: str, password: str) -> None:
    token = b64encode(f"admin:{password}".encode()).decode()
    client = AuthenticatedClient(base_url=base, token=token, prefix="Basic")

    since = datetime(2000, 1, 1, tzinfo=UTC)
    page = get_events.sync(client=client, per_page=2, start_date=since)
    assert isinstance(page, EventPage)
    assert len(page.events) == 2
    totals = get_events.sync(client=client, field_fields=["total"])
    assert isinstance(totals, EventPageSelection)
    assert totals.to_dict().keys() == {"total"}

    body = EventChange(
        title="Konzert",
        start_date="2030-03-10 19:00:00",
        end_date="2030-03-10 21:30:00",
        status=EventChangeStatus.PUBLISH,
        venue=LinkedVenue(venue="Alte Mühle", city="Chur"),
        categories=["Musik"],
        variants=EventChangeVariants.from_dict({"rm": {"title": "Concert"}}),
    )
    created = post_events.sync(client=client, body=body)
    assert isinstance(created, Event)

    read = get_events_by_id.sync(created.id, client=client)
    assert isinstance(read, Event)
    assert read.title == "Konzert"
    assert read.venue.city == "Chur"
    assert read.translations["rm"].status == "current"

    change = EventUpdate(title="Abendkonzert")
    changed = patch_events_by_id.sync(created.id, client=client, body=change)
    assert isinstance(changed, Event)
    assert changed.title == "Abendkonzert"

    returned = EventUpdate.from_dict(changed.to_dict() | {"featured": True})
    sent_back = put_events_by_id.sync(created.id, client=client, body=returned)
    assert isinstance(sent_back, Event)
    assert sent_back.featured
    assert sent_back.venue == changed.venue


main(*sys.argv[1:])
