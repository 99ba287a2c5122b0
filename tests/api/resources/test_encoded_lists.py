"""A text with commas may be percent-encoded twice; members of a list may not."""

import pytest
from api.resources.five_collections import REQUIRED

pytestmark = pytest.mark.without_mongodb


@pytest.fixture
def write(as_admin):
    """Return a function that makes an event with some links."""
    return lambda **links: as_admin.post("/events", **REQUIRED["events"], **links)


def test_a_text_with_commas_may_be_encoded_once_more(as_admin, make_event, make_category):
    terms = [make_category(name=name) for name in ("Concert", "Sport & Play", "100%")]
    events = [make_event(categories=[term["id"]])["id"] for term in terms]
    for query, expected_ids in (
        ({"categories": "concert%2Csport-play"}, events[:2]),
        ({"categories": "Sport%20%26%20Play%2c100%25"}, events[1:]),
        ({"categories": "100%"}, events[2:]),
        ({"include": f"{events[0]}%2C%20{events[2]}"}, [events[0], events[2]]),
        ({"include": f"{events[0]}%2C", "status": "publish%2Cdraft"}, events[:1]),
    ):
        answer = as_admin.get("/events", **query)
        assert [event["id"] for event in answer.json["events"]] == expected_ids, query
        again = as_admin.follow(answer.json["rest_url"]).json
        assert again["events"] == answer.json["events"]
    ids = f"{terms[0]['id']}%2C{terms[2]['id']}"
    assert as_admin.get("/categories", include=ids).json["total"] == 2


def test_bracketed_list_items_are_not_decoded_twice(anyone, make_event, make_tag):
    encoded, plain = (make_event(tags=[make_tag(name=n)["id"]])["id"] for n in ("a%2Cb", "c"))
    answer = anyone.send("GET", "/events?tags[]=a%252Cb&tags[]=c")
    assert [event["id"] for event in answer.json["events"]] == [encoded, plain]
    again = anyone.follow(answer.json["rest_url"]).json
    assert again["events"] == answer.json["events"]
    assert anyone.send("GET", "/events?include[]=1%252C2").invalid_params == ["include"]


@pytest.mark.parametrize("field", ["categories", "tags"])
def test_terms_in_one_text_may_be_encoded_once_more(write, field):
    for sent, names in (
        ("Concert%2CSport", ["Concert", "Sport"]),
        ("C++,Rock%20%2B%20Roll", ["C++", "Rock + Roll"]),
        ("100%,caf%E9", ["100%", "caf%E9"]),
        (["Concert%2CSport"], ["Concert%2CSport"]),
    ):
        assert [term["name"] for term in write(**{field: sent}).json[field]] == names, sent


@pytest.mark.parametrize("field", ["venue", "organizer"])
def test_ids_in_one_text_may_be_encoded_once_more(write, make_venue, make_organizer, field):
    make = make_venue if field == "venue" else make_organizer
    first, two = make()["id"], make()["id"]

    linked_records = write(**{field: f"{first}%2C%20{two}"}).json[field]
    assert [record["id"] for record in linked_records] == [first, two]
    assert write(**{field: [f"{first}%2C{two}"]}).invalid_params == [field]
