"""axe-core finds nothing, on any view, in any language, light and dark, wide and narrow."""

from itertools import product

import httpx
import pytest

VIEWS = ["list/", "month/", "week/", "today/", "photo/", "map/", "list/?page=0", "1999-01-01/"]
EMPTY = "/events/list/?search=konzert&free=true&start_date=1999-01-01&end_date=1999-01-02"
EXTRA_PAGES = {
    "nowhere": "/nowhere",
    "embedded month": "/embed/month/",
    "empty": EMPTY,
    "programme": "/events/print/",
}
RECORDS = ["event", "venue", "organizer", "poster"]
PAGES = tuple(product(["", "/rm"], [*VIEWS, *RECORDS, *EXTRA_PAGES]))


def _first_address(collection, name):
    return httpx.get(collection, params={"per_page": 1}).json()[name][0]["url"]


@pytest.fixture(scope="session")
def addresses(site):
    """Return the address of one record of each kind, and those of all views."""
    base = f"{site}/calendar/events/v1"
    kinds = {"event": "events", "venue": "venues", "organizer": "organizers"}
    records = {
        kind: _first_address(f"{base}/{name}", name).removeprefix(site)
        for kind, name in kinds.items()
    }
    records["poster"] = f"{records['event']}poster/"
    views = {view: f"/events/{view}" for view in VIEWS}
    return {**records, **views, **EXTRA_PAGES}


LOOKS = [
    {"color_scheme": scheme, "viewport": {"width": width, "height": 900}}
    for scheme in ("light", "dark")
    for width in (320, 1280)
]


@pytest.mark.parametrize("look", LOOKS, ids=["light-320", "light-1280", "dark-320", "dark-1280"])
@pytest.mark.parametrize("view", PAGES, ids="".join)
def test_axe_finds_nothing(visit, findings, addresses, view, look):
    language, name = view
    page = visit(f"{language}{addresses[name]}", **look)
    assert findings(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= look["viewport"]["width"]
