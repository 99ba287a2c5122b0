"""Weigh each page as a browser loads it: ``python scripts/page_weights.py http://127.0.0.1:8000``.

Prints a row for each view: kilobytes sent for HTML, styles, scripts and fonts; pictures apart.
"""

import shutil
import sys
from collections import Counter

from playwright.sync_api import Browser, Request, sync_playwright

VIEWS = {
    "list": "list",
    "month": "month",
    "week": "week",
    "day": "today",
    "cards": "photo",
    "places": "map",
}
_OPTIONS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
_TYPES = ("document", "stylesheet", "script", "font")
_PICTURE = "image"


def weigh(browser: Browser, address: str) -> Counter[str]:
    """Return the bytes that a page loads, by the type of what is loaded."""
    context = browser.new_context()
    page, weights = context.new_page(), Counter[str]()
    page.on("requestfinished", lambda request: weights.update(_size(request)))
    page.goto(address, wait_until="networkidle")
    context.close()
    return weights


def _size(request: Request) -> dict[str, int]:
    return {request.resource_type: request.sizes()["responseBodySize"]}


def rows(site: str) -> list[str]:
    """Return the rows of the table: all views, then one event."""
    with sync_playwright() as playwright:
        program = shutil.which("chromium")
        browser = playwright.chromium.launch(executable_path=program, args=_OPTIONS)
        page = browser.new_page()
        page.goto(f"{site}/events/list/")
        event = page.get_attribute(".event-title a", "href") or ""
        page.close()
        paths = {**{name: f"/events/{view}/" for name, view in VIEWS.items()}, "event": event}
        weights = {name: weigh(browser, f"{site}{path}") for name, path in paths.items()}
        browser.close()
    return [_row(name, each) for name, each in weights.items()]


def _row(name: str, weights: Counter[str]) -> str:
    parts = [weights[each] / 1000 for each in _TYPES]
    figures = [*parts, sum(parts), weights[_PICTURE] / 1000]
    return f"| {name} | {' | '.join(f'{figure:.1f}' for figure in figures)} |"


if __name__ == "__main__":
    sys.stdout.write("\n".join((*rows(sys.argv[1].rstrip("/")), "")))
