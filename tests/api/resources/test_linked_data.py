"""Single records as linked data, for clients that ask for it."""

import pytest
from api.resources.five_collections import NAMES

pytestmark = pytest.mark.without_mongodb

JSON, JSON_LD = "application/json", "application/ld+json"
TYPES = {
    "events": "Event",
    "venues": "Place",
    "organizers": "Organization",
    "categories": "DefinedTerm",
    "tags": "DefinedTerm",
}
BY_SLUG = ["events", "venues", "organizers"]
PREFERRING_LINKED_DATA = [
    JSON_LD,
    f"{JSON_LD}, {JSON}",
    f"{JSON_LD}, {JSON};q=0.9, */*;q=0.1",
    f"{JSON};q=0.5, {JSON_LD}",
    f"{JSON};q=0.5, {JSON_LD};q=0.51",
    f"{JSON_LD}, */*",
    f"{JSON};q=0, */*",
    "APPLICATION/LD+JSON",
    f'{JSON_LD};profile="http://www.w3.org/ns/json-ld#compacted"',
    f'{JSON_LD};profile="a, b";q=0.4, text/turtle;q=0.9',
    f"text/html, {JSON_LD};q=0.1",
    f"application/*;q=0.2, {JSON_LD};q=0.3",
]
PREFERRING_NOTHING_ELSE = [
    "",
    "*/*",
    "application/*",
    JSON,
    f"{JSON}, text/plain, */*",
    f"{JSON}, {JSON_LD}",
    f"{JSON}, {JSON_LD};q=0.9",
    f"{JSON_LD};q=0.5, {JSON}",
    f"{JSON_LD};q=0.5, */*",
    f"{JSON_LD};q=0",
    f"{JSON_LD};q=0, */*;q=0.1",
    "application/*;q=0.5, */*;q=0.9",
    "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8",
    "text/turtle",
    f"{JSON_LD};q=x",
    f"{JSON_LD}x",
    "ld+json",
    ";;;,,,q=1",
]


@pytest.fixture
def records(make_event, make_venue, make_organizer, make_category, make_tag):
    """Return a record of every kind, by its collection."""
    category, tag = make_category(name="Musik & Tanz"), make_tag(name="Gratis")
    venue, organizer = make_venue(venue="Saal"), make_organizer(organizer="Verein")
    event = make_event(
        title="Konzert",
        venue=venue["id"],
        organizer=organizer["id"],
        categories=[category["id"]],
        tags=[tag["id"]],
    )
    created_records = (event, venue, organizer, category, tag)
    return dict(zip(NAMES, created_records, strict=True))


@pytest.fixture
def path(records):
    return f"/events/{records['events']['id']}"


def linked(client, path, accept=JSON_LD, **query):
    return client.send("GET", path, headers={"Accept": accept}, query_string=query)


@pytest.mark.parametrize("collection", NAMES)
def test_every_record_is_available_as_json_ld(anyone, records, collection):
    record = records[collection]
    answer = linked(anyone, f"/{collection}/{record['id']}")

    assert answer.status_code == 200
    assert answer.headers["Content-Type"] == JSON_LD
    assert answer.json["@context"] == "https://schema.org"
    assert answer.json["@type"] == TYPES[collection]
    assert answer.json["url"] == record["url"]


@pytest.mark.parametrize("collection", BY_SLUG)
def test_a_record_is_linked_data_by_its_slug_too(anyone, records, collection):
    by_id = linked(anyone, f"/{collection}/{records[collection]['id']}")
    by_slug = linked(anyone, f"/{collection}/by-slug/{records[collection]['slug']}")

    assert by_slug.headers["Content-Type"] == JSON_LD
    assert by_slug.json == by_id.json


@pytest.mark.parametrize("collection", BY_SLUG)
def test_linked_data_equals_the_json_ld_field(anyone, records, collection):
    path = f"/{collection}/{records[collection]['id']}"

    assert linked(anyone, path).json == anyone.get(path).json["json_ld"]


def test_a_term_is_one_of_a_set(anyone, records):
    term = records["categories"]

    assert linked(anyone, f"/categories/{term['id']}").json == {
        "@context": "https://schema.org",
        "@type": "DefinedTerm",
        "name": "Musik & Tanz",
        "termCode": "musik-tanz",
        "url": term["url"],
        "inDefinedTermSet": term["urls"]["collection"],
    }


def test_accept_header_selects_linked_data(anyone, path):
    for accept in PREFERRING_LINKED_DATA:
        assert linked(anyone, path, accept).headers["Content-Type"] == JSON_LD, accept


def test_other_accept_headers_get_json(anyone, path):
    for accept in PREFERRING_NOTHING_ELSE:
        answer = linked(anyone, path, accept)

        assert answer.status_code == 200, accept
        assert answer.headers["Content-Type"].lower() == "application/json; charset=utf-8", accept
        assert answer.json["json_ld"]


@pytest.mark.parametrize("collection", NAMES)
@pytest.mark.parametrize("accept", [JSON, JSON_LD])
def test_caches_learn_that_accept_counts(anyone, records, collection, accept):
    answer = linked(anyone, f"/{collection}/{records[collection]['id']}", accept)

    assert "accept" in [name.strip().lower() for name in answer.headers["Vary"].split(",")]


def test_each_form_has_a_tag_of_its_own(anyone, path):
    described, plain_json = linked(anyone, path), linked(anyone, path, JSON)
    assert described.headers["ETag"] != plain_json.headers["ETag"]

    for accept, etag, status in (
        (JSON_LD, described, 304),
        (JSON, plain_json, 304),
        (JSON_LD, plain_json, 200),
        (JSON, described, 200),
    ):
        headers = {"Accept": accept, "If-None-Match": etag.headers["ETag"]}
        again = anyone.send("GET", path, headers=headers)
        assert again.status_code == status
        assert "Accept" in again.headers["Vary"]


def test_a_write_is_guarded_by_the_tag_of_the_json(anyone, as_admin, path):
    described, plain_json = linked(anyone, path), linked(as_admin, path, JSON)

    for etag, status in ((described, 412), (plain_json, 200)):
        headers = {"If-Match": etag.headers["ETag"]}
        assert as_admin.send("PATCH", path, headers=headers, json={}).status_code == status


def test_head_tells_of_the_form_that_get_gives(anyone, path):
    answer = anyone.send("HEAD", path, headers={"Accept": JSON_LD})

    assert answer.headers["Content-Type"] == JSON_LD
    assert answer.headers["ETag"] == linked(anyone, path).headers["ETag"]
    assert answer.data == b""


def test_linked_data_is_in_the_requested_language(anyone, as_admin, path):
    as_admin.patch(path, translation_language="rm", title="Concert")
    answer = linked(anyone, path, translation_language="rm")

    assert answer.json["name"] == "Concert"
    assert answer.json["inLanguage"] == "rm"
    assert answer.headers["Content-Language"] == "rm"


def test_the_only_properties_that_are_wanted_can_be_named(anyone, path):
    answer = linked(anyone, path, _fields="name,location.name")

    assert answer.json == {"name": "Konzert", "location": {"name": "Saal"}}


@pytest.mark.parametrize(
    ("accept", "path"),
    [(JSON_LD, "/events"), (JSON_LD, "/tags"), (JSON_LD, "/events/999"), (JSON_LD, "/venues/x")],
)
def test_lists_and_refusals_stay_json(anyone, accept, path):
    assert linked(anyone, path, accept).headers["Content-Type"].startswith(JSON)


@pytest.mark.usefixtures("records")
def test_writes_are_answered_as_json(as_admin, path):
    answer = as_admin.send("PATCH", path, headers={"Accept": JSON_LD}, json={"featured": True})

    assert answer.headers["Content-Type"].startswith(JSON)


# Who may read it


@pytest.fixture
def protected(as_author, make_event):
    """Return the path of an event of the author that has a password."""
    event = make_event(by=as_author, title="Treffen", description="Vertraulich")
    as_author.patch(f"/events/{event['id']}", password="Open sesame")
    return f"/events/{event['id']}"


def test_linked_data_of_a_protected_event_requires_its_password(anyone, as_author, protected):
    assert linked(anyone, protected).status_code == 403
    assert linked(anyone, protected, password="wrong").status_code == 403

    for answer in (linked(anyone, protected, password="Open sesame"), linked(as_author, protected)):
        assert answer.headers["Content-Type"] == JSON_LD
        assert answer.json["description"] == "Vertraulich"


@pytest.mark.parametrize("collection", BY_SLUG)
def test_linked_data_of_private_records_is_hidden_from_strangers(
    anyone, as_admin, records, collection
):
    path = f"/{collection}/{records[collection]['id']}"
    as_admin.patch(path, status="private")

    assert linked(anyone, path).status_code == 403
    assert linked(as_admin, path).status_code == 200


def test_linked_data_leaves_out_hidden_venues_and_organizers(anyone, as_admin, records, path):
    for collection in ("venues", "organizers"):
        as_admin.patch(f"/{collection}/{records[collection]['id']}", status="draft")

    assert not {"location", "organizer"} & linked(anyone, path).json.keys()
    assert {"location", "organizer"} <= linked(as_admin, path).json.keys()


@pytest.mark.parametrize("accept", [JSON, JSON_LD])
@pytest.mark.parametrize("path", ["events", "venues", "organizers"])
def test_no_text_of_linked_data_closes_a_script_element(anyone, as_admin, records, accept, path):
    text = "&lt;/script&gt;&lt;script&gt;alert(1)"
    address = f"/{path}/{records[path]['id']}"
    assert as_admin.patch(address, description=text).status_code == 200
    answer = anyone.send("GET", address, headers={"Accept": accept})
    described = answer.json if accept == JSON_LD else answer.json["json_ld"]
    assert "</script><script>alert(1)" in described["description"]
    assert b"<" not in answer.data
    assert rb"\u003c/script>" in answer.data


def test_chosen_linked_data_is_escaped_too(anyone, as_admin, records):
    event, venue = records["events"]["id"], records["venues"]["id"]
    as_admin.patch(f"/venues/{venue}", description="&lt;/script&gt;")
    for fields in ("venue", "json_ld"):
        assert b"</script>" not in anyone.get(f"/events/{event}", _fields=fields).data
