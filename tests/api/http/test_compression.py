"""Every response is compressed once, as its client accepts it."""

import gzip
from contextlib import suppress
from hashlib import sha256

import brotli
import pytest
from calling import SITE
from flask.testing import FlaskClient

DECODE = {"gzip": gzip.decompress, "br": brotli.decompress, "": bytes}
# Parts of addresses by the names that routes have for them.
PARTS = {"taxonomy": "category", "language": "de", "kind": "events", "period": "2030-03"}
# What is compressed once is long enough to be compressed again.
INCOMPRESSIBLE = "".join(sha256(bytes([number])).hexdigest() for number in range(100))


@pytest.fixture
def addresses(app, make_event):
    """Return an address of each route that answers GET, filled with a record of its kind."""
    event = make_event(
        title="Concert",
        description=f"<p>{INCOMPRESSIBLE}</p>",
        venue={"venue": "Aula"},
        organizer={"organizer": "The choir"},
        categories=["Music"],
        tags=["free"],
    )
    parts = {**PARTS, "id": event["id"], "record_id": event["id"], "slug": event["slug"]}
    paths = {path.removeprefix(SITE) for path in (event["url"], event["venue"]["url"])}
    with app.test_request_context():
        adapter = app.url_map.bind("localhost")
        for rule in app.url_map.iter_rules():
            if "GET" in (rule.methods or ()) and rule.arguments <= parts.keys():
                values = {name: parts[name] for name in rule.arguments}
                with suppress(ValueError):  # of a kind that this route does not have
                    paths.add(adapter.build(rule.endpoint, values, method="GET"))
    return sorted(paths)


def test_every_route_is_compressed_at_most_once(app, addresses):
    client = FlaskClient(app)
    assert len(addresses) > 50
    compressed = set()
    for address in addresses:
        plain = client.get(address)
        for encoding in DECODE:
            response = client.get(address, headers={"Accept-Encoding": encoding})
            used = response.headers.get("Content-Encoding", "")
            assert used in (encoding, ""), address
            body = DECODE[used](response.data) if used else response.data
            assert body[:10] == plain.data[:10], (address, encoding)
            if used:
                compressed.add(address.partition("?")[0].rpartition(".")[2])
    assert "jsonld" in compressed
