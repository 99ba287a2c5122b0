"""axe-core finds nothing, on any view, in any language, light and dark, wide and narrow."""

from pathlib import Path

import httpx
import pytest

MODULES = Path(__file__).parent / "node_modules"

VIEWS = ["list/", "month/", "week/", "today/", "photo/", "map/", "list/?page=0", "1999-01-01/"]
EXTRA_PAGES = {"nowhere": "/nowhere", "embedded month": "/embed/month/"}
RECORDS = ["event", "venue", "organizer"]
AXE = (MODULES / "axe-core" / "axe.min.js").read_text(encoding="utf-8")


def findings(page):
    """Return the violations that axe-core reports."""
    # The page forbids scripts that it does not have itself, but not the browser's own.
    page.evaluate(AXE)
    result = page.evaluate("axe.run(document, {resultTypes: ['violations']})")
    return [
        (each["id"], [node["target"] for node in each["nodes"]][:3])
        for each in result["violations"]
    ]


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
    views = {view: f"/events/{view}" for view in VIEWS}
    return {**records, **views, **EXTRA_PAGES}


LOOKS = [
    {"color_scheme": scheme, "viewport": {"width": width, "height": 900}}
    for scheme in ("light", "dark")
    for width in (320, 1280)
]


@pytest.mark.parametrize("look", LOOKS, ids=["light-320", "light-1280", "dark-320", "dark-1280"])
@pytest.mark.parametrize("language", ["", "/rm"], ids=["de", "rm"])
@pytest.mark.parametrize("name", [*VIEWS, *RECORDS, *EXTRA_PAGES])
def test_axe_finds_nothing(visit, addresses, name, language, look):
    page = visit(f"{language}{addresses[name]}", **look)
    assert findings(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= look["viewport"]["width"]
