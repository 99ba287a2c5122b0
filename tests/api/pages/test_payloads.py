"""No text of a record becomes a script, a frame or a handler in a page."""

import pytest
from payloads import PAYLOADS, hostile_event

# Many pages for each payload; that they are escaped has nothing to do with the database.
FORBIDDEN = (
    "//script[not(@src)][not(@type='application/ld+json')]",
    "//*[self::iframe or self::object or self::embed or self::base or self::math]",
    "//*[@*[starts-with(name(), 'on')] or @style or @srcdoc]",
    "//*[starts-with(normalize-space(@href), 'javascript:') or starts-with(@href, 'data:')]",
    "//meta[@http-equiv]",
    "//main//*[self::style or self::link or self::noscript or self::template]",
)


@pytest.mark.parametrize("payload", PAYLOADS)
def test_no_text_of_a_record_is_markup_of_a_page(
    browse, make_event, make_category, make_tag, payload
):
    category = make_category(name=f"Music {payload}", description=payload)
    tag = make_tag(name=f"Tag {payload}", description=payload)
    event = make_event(**hostile_event(payload), categories=[category["id"]], tags=[tag["id"]])
    views = ["list/", "month/2030-03/", "week/2030-03-10/", "2030-03-10/", "photo/", "map/"]
    organizer = event["organizer"][0]
    paths = [
        *(f"/events/{view}" for view in views),
        f"/events/category/{category['slug']}/",
        f"/events/tag/{tag['slug']}/",
        *(record["url"] for record in (event, event["venue"], organizer)),
    ]
    for path in paths:
        page = browse(path)
        assert page.status in (200, 301), path
        if page.status == 200:
            assert "Concert" in page.text, path
        assert [page.tree.xpath(each) for each in FORBIDDEN] == [[]] * len(FORBIDDEN), path


@pytest.mark.parametrize("name", ["search", "start_date", "categories", "page", "orderby"])
@pytest.mark.parametrize("payload", PAYLOADS[::4])
def test_no_text_of_an_address_is_markup_of_a_page(browse, payload, name):
    for path in ("/events/list/", "/events/month/", "/embed/", "/nowhere"):
        page = browse(path, query_string={name: payload})
        assert [page.tree.xpath(each) for each in FORBIDDEN] == [[]] * len(FORBIDDEN)
