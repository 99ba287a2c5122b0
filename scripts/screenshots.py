"""``make screenshots``: photographs the pages and the desk of a new demo calendar.

The pictures are those of ``docs/images``; the site of the documentation shows them.
"""

import io
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser, BrowserContext, sync_playwright

ROOT = Path(__file__).parent.parent
FOLDER = ROOT / "docs" / "images"
_OPTIONS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
_BROWSERS = ("chromium", "google-chrome")
_WIDE, _TABLET, _PHONE = (1280, 900), (768, 900), (390, 844)
_SHEET = (860, 1340)
_QUALITY = 72
_ADDRESS = "127.0.0.1:{port}"
_PORT = "18791"
_PASSWORD = re.compile(r"shown only once: (.+)")


@dataclass(frozen=True)
class Shot:
    """A picture of a page: its name, where it is, the window, the colors."""

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


DESK = [
    Shot("desk-home", "/desk/"),
    Shot("desk-events", "/desk/events/"),
    Shot("desk-event", "/desk/events/new"),
    Shot("desk-translations", "/desk/translations/", is_dark=True),
    Shot("desk-phone", "/desk/events/new", _PHONE),
]


@contextmanager
def demo() -> Iterator[tuple[str, str]]:
    """Serve a new demo calendar; lend its address and the password of its administrator."""
    address = _ADDRESS.format(port=_PORT)
    with tempfile.TemporaryDirectory() as data:
        service = subprocess.Popen(  # noqa: S603 - the command is ours
            [
                *(
                    sys.executable,
                    "-m",
                    "calendar_app",
                    "--config",
                    str(ROOT / "config/de-rm.toml"),
                ),
                *("serve", "--demo", "--bind", address),
            ],
            env=os.environ | {"CALENDAR_DATA": data},
            stdout=subprocess.PIPE,
            text=True,
        )
        try:
            yield f"http://{address}", _password(service)
        finally:
            service.terminate()
            service.wait()


def _password(service: subprocess.Popen[str]) -> str:
    for line in service.stdout or ():
        if match := _PASSWORD.search(line):
            return match[1]
    raise SystemExit("The demo calendar does not start.")


def opened(browser: Browser, site: str, shot: Shot) -> BrowserContext:
    """Return a window for a picture."""
    width, height = shot.window
    return browser.new_context(
        base_url=site,
        viewport={"width": width, "height": height},
        color_scheme="dark" if shot.is_dark else "light",
        timezone_id="Europe/Zurich",
        locale="en",
    )


def photograph(context: BrowserContext, shot: Shot) -> None:
    """Save a picture of the part of a page that its window shows."""
    page = context.new_page()
    page.goto(shot.path, wait_until="networkidle")
    screenshot = Image.open(io.BytesIO(page.screenshot()))
    screenshot.save(FOLDER / f"{shot.name}.webp", quality=_QUALITY, method=6)
    page.close()


def log_in(context: BrowserContext, password: str) -> None:
    page = context.new_page()
    page.goto("/desk/")
    page.fill("#name", "admin")
    page.fill("#password", password)
    page.press("#password", "Enter")
    page.wait_for_load_state("networkidle")
    page.close()


def addresses_of(browser: Browser, site: str) -> list[str]:
    """Return the paths of a weekly market and of a concert."""
    page, paths = browser.new_page(), []
    for words in ("markt", "konzert"):
        page.goto(f"{site}/events/photo/?search={words}")
        paths.append(page.get_attribute(".event-title a", "href") or "")
    page.close()
    return paths


def main() -> None:
    with sync_playwright() as playwright, demo() as (site, password):
        program = next(filter(None, map(shutil.which, _BROWSERS)), None)
        browser = playwright.chromium.launch(executable_path=program, args=_OPTIONS)
        for shot in shots(*addresses_of(browser, site)):
            with opened(browser, site, shot) as context:
                photograph(context, shot)
        for shot in DESK:
            with opened(browser, site, shot) as context:
                log_in(context, password)
                photograph(context, shot)
        browser.close()


if __name__ == "__main__":
    main()
