"""Managed resources obey ``If-Match`` in changes and in removals."""

import pytest

ENTRIES = {
    "sources": ({"name": "Club", "kind": "ics"}, {"name": "Choir"}),
    "webhooks": (
        {"name": "Mirror", "address": "https://mirror.example.org/changes"},
        {"name": "Copy"},
    ),
    "users": ({"name": "ursina", "role": "author"}, {"role": "editor"}),
}
OTHERS = {"sources": {"town": "Chur"}, "webhooks": {"off": True}, "users": {"blocked": True}}


@pytest.fixture(params=ENTRIES)
def managed(request, as_admin):
    """Return the address of an entry, a change of it, and another change."""
    new, change = ENTRIES[request.param]
    created = as_admin.post(f"/{request.param}", **new)
    assert created.status_code == 201, created.json
    return f"/{request.param}/{created.json['id']}", change, OTHERS[request.param]


def test_entry_that_has_changed_meanwhile_is_not_removed(as_admin, managed):
    address, change, _ = managed
    before = {"If-Match": as_admin.get(address).headers["ETag"]}
    assert as_admin.patch(address, **change).status_code == 200

    assert as_admin.send("DELETE", address, headers=before).status_code == 412
    present = {"If-Match": as_admin.get(address).headers["ETag"]}
    assert as_admin.send("DELETE", address, headers=present).status_code == 200
    assert as_admin.get(address).status_code == 404


def test_tag_of_a_compressed_answer_allows_a_change(as_admin, managed):
    address, change, other = managed
    tag = as_admin.send("GET", address, headers={"Accept-Encoding": "gzip"}).headers["ETag"]
    compressed = {"If-Match": f'"{tag.strip(chr(34)).removesuffix("gzip")}gzip"'}

    assert as_admin.send("PATCH", address, json=change, headers=compressed).status_code == 200
    assert as_admin.send("PATCH", address, json=other, headers=compressed).status_code == 412
