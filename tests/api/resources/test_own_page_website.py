"""A website that is the page of its own event."""

import pytest
from calling import BASE

pytestmark = pytest.mark.without_mongodb


@pytest.mark.parametrize("language", ["de", "rm"])
@pytest.mark.parametrize("status", ["publish", "draft"])
def test_a_copy_of_an_event_has_its_own_page_for_its_website(
    as_admin, make_event, language, status
):
    event = make_event(title="Template", status=status)
    response = as_admin.send(
        "GET", f"/events/{event['id']}", query_string={"translation_language": language}
    ).json
    copy = as_admin.post("/events", **response | {"slug": "copy"}).json

    assert copy["id"] != event["id"]
    assert copy["website"].replace("&amp;", "&") == copy["url"]


@pytest.mark.parametrize("path", ["", "/event/", "/venue/hall/", "/event/a/b/", ".eu/event/a/"])
def test_website_that_is_no_event_page_is_kept(make_event, path):
    website = f"https://calendar.example{path}"

    assert make_event(website=website)["website"] == website


@pytest.mark.parametrize("status", ["publish", "draft"])
@pytest.mark.parametrize("read", [{}, {"translation_language": "all"}, {"fallback": "none"}])
def test_the_page_of_another_language_is_no_website(as_admin, make_event, status, read):
    event = make_event(title="V1", status=status, variants={"rm": {"title": "V1 rm"}})
    path = f"/events/{event['id']}"
    record = as_admin.get(path, **read).json

    as_admin.send("PUT", f"{path}?translation_language=rm", json=record)

    texts = as_admin.get(path, translation_language="all").json["variants"]
    assert "website" not in texts["rm"]


@pytest.mark.parametrize("segment", ["/de", "/rm"])
def test_the_page_below_another_language_is_no_website(app, as_admin, make_event, segment):
    event = make_event(title="V1", variants={"rm": {"title": "V1 rm"}})
    path = f"/events/{event['id']}"
    record = app.test_client().get(f"{segment}{BASE}{path}").json
    pages = [
        record["website"],
        *(translation["url"] for translation in record["translations"].values()),
    ]

    for page in pages:
        as_admin.patch(path, website=page)

    texts = as_admin.get(path, translation_language="all").json["variants"]
    assert [texts[language].keys() & {"website"} for language in ("de", "rm")] == [set(), set()]


def test_website_can_be_set_to_the_page_of_the_event(as_admin, make_event):
    event = make_event(website="https://a.example/")

    changed = as_admin.patch(f"/events/{event['id']}", website=event["url"])

    texts = as_admin.get(f"/events/{event['id']}", translation_language="all").json["variants"]
    assert changed.json["website"] == texts["de"]["website"] == event["url"]
