"""Photograph the pages for the documentation: ``python scripts/page_pictures.py ADDRESS``.

The address is that of a service with the demo calendar, as ``make run`` prints it.
"""

import io
import shutil
import sys
from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser, sync_playwright

FOLDER = Path(__file__).parent.parent / "docs" / "images"
_OPTIONS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
_WIDE, _TABLET, _PHONE = (1280, 900), (768, 900), (390, 844)
_SHEET = (860, 1340)
_QUALITY = 72


@dataclass(frozen=True)
class Shot:
    """A picture of a page: its name, where it is, the window, the colours."""

    name: str
    path: str
    window: tuple[int, int] = _WIDE
    is_dark: bool = False


def shots(market: str, concert: str) -> list[Shot]:
    """Return all pictures; the addresses of a weekly market and of a concert are given."""
    month = f"{date.today() + timedelta(days=20):%Y-%m}"  # noqa: DTZ011  # any coming month does
    return [
        Shot("pages-list", "/events/list/"),
        Shot("pages-phone", "/rm/events/list/", _PHONE),
        Shot("pages-month-dark", f"/events/month/{month}/", is_dark=True),
        Shot("pages-month-phone", f"/rm/events/month/{month}/", _PHONE, is_dark=True),
        Shot("pages-week", f"/events/week/{month}-07/"),
        Shot("pages-cards", "/events/photo/"),
        Shot("pages-places", "/rm/events/map/", _TABLET, is_dark=True),
        Shot("pages-event", concert),
        Shot("pages-series", market, _PHONE),
        Shot("pages-programme", "/events/print/"),
        Shot("pages-poster", f"{concert}poster/", _SHEET),
        Shot("pages-nothing", "/events/list/?free=true&search=konzert&categories=kultur", _PHONE),
        Shot("pages-empty-day", "/events/1999-01-01/", _TABLET),
        Shot("pages-refused", "/events/list/?search=musik&start_date=soon", _TABLET),
        Shot("pages-missing", "/rm/nowhere/", _TABLET, is_dark=True),
    ]


def photograph(browser: Browser, site: str, shot: Shot) -> None:
    """Save a picture of the part of a page that its window shows."""
    width, height = shot.window
    context = browser.new_context(
        base_url=site,
        viewport={"width": width, "height": height},
        color_scheme="dark" if shot.is_dark else "light",
        timezone_id="Europe/Zurich",
    )
    page = context.new_page()
    page.goto(shot.path, wait_until="networkidle")
    screenshot = Image.open(io.BytesIO(page.screenshot()))
    screenshot.save(FOLDER / f"{shot.name}.webp", quality=_QUALITY, method=6)
    context.close()


def run(site: str) -> None:
    with sync_playwright() as playwright:
        program = shutil.which("chromium")
        browser = playwright.chromium.launch(executable_path=program, args=_OPTIONS)
        page = browser.new_page()
        addresses = []
        for words in ("markt", "konzert"):
            page.goto(f"{site}/events/photo/?search={words}")
            addresses.append(page.get_attribute(".event-title a", "href") or "")
        for shot in shots(*addresses):
            photograph(browser, site, shot)
        browser.close()


if __name__ == "__main__":
    run(sys.argv[1].rstrip("/"))
