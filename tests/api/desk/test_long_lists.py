"""Forms with cut lists keep the chosen entries that they do not list."""

from itertools import count

import pytest
from desking import form_of, values_of

# The many terms are written once for all.
pytestmark = pytest.mark.lasting
NUMBERS = count(1)


@pytest.fixture
def last(database, as_admin):
    """Return a category that stands behind 1,100 others, as a tag does behind as many tags."""
    category = as_admin.post("/categories", name=f"Zumba {next(NUMBERS)}").json
    if database["categories"].find_one({"_id": 10_000}):
        return category
    for kind in ("categories", "tags"):
        terms = [
            {
                **_like(database, kind, category),
                "_id": 10_000 + number,
                "variants": {"de": {"name": f"A {number:04}", "slug": f"a-{kind}-{number}"}},
                "slugs": [f"de:a-{kind}-{number}"],
                "names": [f"de:a {number:04}"],
            }
            for number in range(1_100)
        ]
        database[kind].insert_many(terms)
    return category


def _like(database, kind, category):
    term = database["categories"].find_one({"_id": category["id"]})
    return term if kind == "categories" else {**term, "parent": 0}


@pytest.fixture
def last_tag(as_admin):
    return as_admin.post("/tags", name=f"Zwetschgen {next(NUMBERS)}").json


def test_event_keeps_its_terms_when_its_price_changes(desk, as_admin, make_event, last, last_tag):
    event = make_event(title="Dance", categories=[last["id"]], tags=[last_tag["id"]])
    desk("editor").send(f"/events/{event['id']}", cost="20")
    saved = as_admin.get(f"/events/{event['id']}").json
    assert saved["cost_details"]["values"] == ["20"]
    assert [each["id"] for each in saved["categories"]] == [last["id"]]
    assert [each["id"] for each in saved["tags"]] == [last_tag["id"]]


def test_source_keeps_its_defaults_and_words_when_it_is_renamed(desk, as_admin, last, last_tag):
    defaults = {"categories": [last["id"]], "tags": [last_tag["id"]]}
    terms = {"categories": {"Tanz": last["id"]}, "tags": {"Obst": last_tag["id"]}}
    source = as_admin.post(
        "/sources", name="Club", kind="push", defaults=defaults, terms=terms
    ).json
    desk("admin").send(f"/sources/{source['id']}/settings", name="The club")
    saved = as_admin.get(f"/sources/{source['id']}").json
    assert (saved["name"], saved["defaults"]["categories"]) == ("The club", [last["id"]])
    assert (saved["defaults"]["tags"], saved["terms"]) == ([last_tag["id"]], terms)


def test_category_keeps_its_parent_when_it_is_renamed(desk, as_admin, last):
    parent = as_admin.post("/categories", name="Zirkus").json
    as_admin.post(f"/categories/{last['id']}", parent=parent["id"])
    desk("editor").send(f"/categories/{last['id']}", **{"variants[de][name]": "Zumba!"})
    saved = as_admin.get(f"/categories/{last['id']}").json
    assert (saved["name"], saved["parent"]) == ("Zumba!", parent["id"])


def test_webhook_keeps_its_categories_when_its_address_changes(desk, as_admin, last):
    hook = as_admin.post(
        "/webhooks",
        name="Mirror",
        address="https://example.org/a",
        filters={"categories": last["id"]},
    ).json
    page = desk("admin").get(f"/webhooks/{hook['id']}/settings")
    assert values_of(form_of(page))["categories"] == str(last["id"])
