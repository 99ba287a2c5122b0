"""Each page of the desk, and each state of one: for everybody, in all looks, and without scripts.

The pages are those of the application's map of addresses, so that a new one is looked at too.
"""

import os
import re
from itertools import product
from pathlib import Path

import pytest
from calendars import calendar, vevent

from calendar_app.accounts.secrets import Invitations

SHOTS = os.environ.get("SCREENSHOTS", "")
LOOKS = tuple(product(("light", "dark"), (320, 1280)))
NO_PAGES = ("static_file", "withheld_picture", "missing_page", "memory_file")
# Pages that the map does not name: other parts of a page, and those who are not logged in.
OTHER_VIEWS = (
    *("/desk/nowhere", "/desk/events/?status=any", "/desk/queue/?asked=1"),
    *(f"/desk/translations/?language=rm&state={state}" for state in ("missing", "outdated")),
    "/desk/translations/?language=rm&kind=venues&state=unreviewed",
)
REFUSING = {"/desk/welcome": 410} | dict.fromkeys(
    ("/desk/nowhere", "/desk/oidc/start", "/desk/oidc/callback"), 404
)
_ALTERNATIVES = re.compile(r"<any\(([^)]*)\):\w+>")
_UNSENDABLE = """
() => {
  document.querySelectorAll('details').forEach((each) => { each.open = true; });
  document.querySelectorAll('[popover]').forEach((each) => {
    each.popover = 'manual'; // Others close each other.
    each.showPopover();
  });
  // Some forms show what can be done once something is chosen.
  document.querySelectorAll('form:not(:has([type=radio]:checked))').forEach((each) => {
    const first = each.querySelector('[type=radio]');
    if (first) first.checked = true;
  });
  const shown = (each) => each.checkVisibility({ visibilityProperty: true }) && !each.disabled;
  const submits = (each) => each.type === 'submit' || each.type === 'image';
  const sent = new Set([...document.forms]
    .filter((form) => [...form.elements].some((each) => submits(each) && shown(each)))
    .map((form) => form.action));
  // Forms that close a dialog send nothing.
  const sending = [...document.forms].filter((form) => form.method !== 'dialog');
  return sending.map((form) => form.action).filter((each) => !sent.has(each));
}
"""


def addresses(app, records):
    """Return the addresses of all pages of the desk that a browser opens, by their rules."""
    rules = [
        rule.rule
        for rule in app.url_map.iter_rules()
        if rule.endpoint.startswith("desk.")
        and "GET" in rule.methods
        and rule.endpoint.removeprefix("desk.") not in NO_PAGES
    ]
    return [path for rule in rules for path in _filled(rule, records)]


def _filled(rule, records):
    """Return the addresses of a rule, one for each kind of records that it names."""
    if alternatives := _ALTERNATIVES.search(rule):
        for each in alternatives[1].split(","):
            yield from _filled(rule.replace(alternatives[0], each.strip()), records)
        return
    path = rule.replace("<language>", "rm").replace("<digits:revision>", "1")
    for name in ("reading", "delivery"):
        path = path.replace(f"<{name}>", str(records[name]))
    of_record = re.match(r"/desk/(.+)/<digits:\w+>", path)
    if of_record:
        path = re.sub(r"<digits:\w+>", str(records[of_record[1]]), path)
    assert "<" not in path, path
    yield path


class _Faults:
    """Collects the faults of pages in all looks."""

    def __init__(self, findings):
        self.all = []
        self._findings = findings
        self._number = 0

    def note(self, page, name):
        page.wait_for_load_state()
        self._number += 1
        for scheme, width in LOOKS:
            page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
            page.set_viewport_size({"width": width, "height": 900})
            wide = page.evaluate("document.documentElement.scrollWidth") > width
            faults = [*self._findings(page), *(["too wide"] if wide else [])]
            self.all += [(name, scheme, width, each) for each in faults]
            if SHOTS:
                title = re.sub(r"\W+", "-", name).strip("-")
                shot = Path(SHOTS) / f"{self._number:02}-{title}-{scheme}-{width}.png"
                page.screenshot(path=shot, full_page=True)


@pytest.fixture
def faults(findings):
    collected = _Faults(findings)
    yield collected
    assert collected.all == []


@pytest.mark.timeout(600)
def test_every_page_is_accessible_in_all_looks(desk, open_app, records, faults):
    page = desk.open()
    opened = 0
    for path in (*addresses(open_app, records), *OTHER_VIEWS):
        answer = page.goto(path)
        if "html" not in answer.headers["content-type"]:
            continue
        opened += 1
        assert answer.status == REFUSING.get(path, 200), path
        if "main" in page.content():
            faults.note(page, path)
    assert opened >= 60


def test_pages_of_strangers_are_accessible_in_all_looks(desk, faults):
    page = desk.open(logs_in=False)
    token = Invitations(desk.store, desk.services.accounts.now).invite(4)
    for path in ("/desk/login", "/desk/forgot", f"/desk/welcome?token={token}", "/desk/welcome"):
        page.goto(path)
        faults.note(page, path)
    page.goto("/desk/login")
    page.click("main button")
    page.wait_for_selector("[role=alert]")
    faults.note(page, "refused login")


def test_states_that_presses_lead_to_are_accessible_in_all_looks(desk, records, as_editor, faults):
    for name, press in STATES.items():
        page = desk.open()
        press(page, records, as_editor)
        faults.note(page, name)
        page.context.close()


def _refused(page, *_):
    page.goto("/desk/events/new")
    page.click("[name='button'][value='publish']")
    page.wait_for_selector("#problems")


def _conflict(page, records, editor):
    page.goto(f"/desk/events/{records['events']}")
    editor.post(f"/events/{records['events']}", title="Liederabend")
    page.fill("[name='title']", "Konzert des Chors")
    page.click(".form-foot [value='save']")
    page.wait_for_selector(".conflict")


def _conflict_of_a_place(page, records, editor):
    page.goto(f"/desk/venues/{records['venues']}")
    editor.post(f"/venues/{records['venues']}", phone="081 000 00 00")
    page.fill("#phone", "081 111 11 11")
    page.click("main .form-foot button")
    page.wait_for_selector("[role=alert]")


def _ended(page, *_):
    page.goto("/desk/organizers/new")
    page.fill("#organizer-de", "Verein")
    page.context.clear_cookies()
    page.click("main .form-foot button")
    page.wait_for_selector("#password")


def _repeated(page, *_):
    page.goto("/desk/events/new")
    page.fill("[name='start_date']", "6.1.2031")
    page.select_option("[name='repeat']", "WEEKLY")
    page.fill("[name='repeat_count']", "5")
    page.click("[data-date^='2031-01-13'] .date-press")
    page.wait_for_selector("[data-date^='2031-01-13'] .date-back:visible")
    page.evaluate("document.querySelectorAll('main details').forEach((each) => each.open = true)")


def _pictures(page, *_):
    page.goto("/desk/events/new")
    page.click("#picture .picker-open")
    page.wait_for_selector(".library-picture img:visible")


def _views(page, *_):
    page.goto("/desk/events/?lacks=rm&author=me&period=all")
    page.click("[popovertarget='filter-views']")
    page.wait_for_selector("#view-name")


def _narrowed(page, *_):
    page.goto("/desk/events/")
    page.click("[popovertarget='filter-lacks']")
    page.wait_for_selector("#filter-lacks:popover-open")


def _chosen(page, *_):
    page.goto("/desk/events/")
    page.locator("[name='id']").first.check()
    page.locator(".several [name='action']").select_option("add_category")


def _undone(page, *_):
    page.goto("/desk/events/")
    page.locator("[name='id']").first.check()
    page.locator(".several [name='action']").select_option("draft")
    page.click(".several .button")
    page.wait_for_selector(".notice-done button")


def _proposed(page, records, _):
    page.goto(f"/desk/venues/{records['venues']}/translate/fr")
    page.click("[name='press'][value='propose']")
    page.wait_for_selector("text=Vorschlag")


def _drafted(page, *_):
    page.goto("/desk/venues/new")
    page.fill("#venue-de", "Alte Mühle")
    page.reload()
    page.wait_for_selector(".notice-warning")


def _previewed(page, records, _):
    page.goto(f"/desk/sources/{records['sources']}")
    content = calendar(vevent("1@club", title="Chorprobe", start="20300301T190000"))
    file = {"name": "club.ics", "mimeType": "text/calendar", "buffer": content.encode()}
    page.locator("[name='file']").last.set_input_files(file)
    page.locator("[value='preview']").last.click()
    page.wait_for_selector("text=Noch ist nichts davon gespeichert")


def _edited_beside_its_source(page, records, editor):
    matches = editor.get("/events", search="Chorprobe 1", start_date="2030-03-01").json["events"]
    event = matches[0]
    editor.post(f"/events/{event['id']}", title="Unsere Probe")
    _previewed(page, records, editor)
    page.go_back()
    content = calendar(vevent("1@club", title="Probe in der Halle", start="20300301T190000"))
    file = {"name": "club.ics", "mimeType": "text/calendar", "buffer": content.encode()}
    page.locator("[name='file']").first.set_input_files(file)
    page.locator("form:has([name='accept']) .button").click()
    page.wait_for_selector("main:not(:has([data-progress])) .readings tbody tr:nth-child(3)")
    page.goto(f"/desk/events/{event['id']}")
    page.wait_for_selector(".said-by-source")


STATES = {
    "preview of a source": _previewed,
    "event beside its source": _edited_beside_its_source,
    "event refused": _refused,
    "event in conflict": _conflict,
    "place in conflict": _conflict_of_a_place,
    "session resumed": _ended,
    "repetition with its dates": _repeated,
    "pictures to choose": _pictures,
    "views of the events": _views,
    "choices of a filter": _narrowed,
    "events chosen": _chosen,
    "change to take back": _undone,
    "machine's proposal": _proposed,
    "draft come back": _drafted,
}


def test_every_form_has_a_press_without_scripts(desk, open_app, records):
    page = desk.open(java_script_enabled=False)
    unsendable = []
    for path in (*addresses(open_app, records), *OTHER_VIEWS):
        if "html" in page.goto(path).headers["content-type"]:
            unsendable += [(path, form) for form in page.evaluate(_UNSENDABLE)]
    assert unsendable == []
