"""No page fails on odd input in its address or forms.

``ODD_INPUT=all`` tries all at every page and in every field, as ``make test-openapi`` does;
else each page has one in its address, each form one in all its fields, and most fields one.
"""

import os
import re
from itertools import product
from pathlib import Path
from urllib.parse import quote_plus, urlsplit

import pytest
from api.submissions.conftest import CONTRIBUTION
from browsing import BROWSER
from keeping import kept
from lxml import html
from sites import swiss_site

import calendar_app
from calendar_app.api.resources.events.filters import EventListSchema

pytestmark = pytest.mark.timeout(600)

ALL = os.environ.get("ODD_INPUT") == "all"
# Of the oddities of all fields; it goes through them, since it divides no number of oddities.
EVERY = 1 if ALL else 11
FAILURES = (500, 503)  # 501 is what oEmbed wants for other formats
ODD_VALUES = {
    "thousands of digits": "9" * 5000,
    "negative": "-1",
    "null": "1\0",
    "array": "[[" * 50,
}
ODD_NUMBERS = ("thousands of digits", "negative")
# Names that pages read, as their code writes them.
READ = re.compile(r"""\.(?:get|getlist)\(\s*"(\w+)"|^_?[A-Z_]+ = "(\w+)"$""", re.MULTILINE)
# Fields that several records share, and that a form sends only sometimes.
SENT_ELSEWHERE = ("id", "action", "query", "category", "tag", "image_pick", "picture_page", "page")
# One value of one field each, as it stands in a body; ``None`` leaves the field out.
ODD_FIELDS = {
    "thirty digits": ["9" * 30],
    "thousands of digits": ["9" * 5000],
    "several values": ["1", "2", "x"],
    "missing": None,
    "null": ["1%00"],
    "lone surrogate": ["%ED%A0%80"],
    "members": ["[]", "[a]=1", "[0][a]=1"],
}
# A form of each sort, by the page that shows it. Events and series have one form, read by the same
# code at three addresses; so each address takes a part of the oddities.
EVENT_FORMS = {
    "/desk/events/new": ("thirty digits", "several values", "lone surrogate"),
    "/desk/events/{events}": ("missing", "null"),
    "/desk/series/{series}": ("thousands of digits", "members"),
}
FORMS = (
    *EVENT_FORMS,
    *("/desk/venues/new", "/desk/venues/{venues}", "/desk/organizers/{organizers}"),
    *("/desk/categories/{categories}", "/desk/tags/{tags}", "/desk/media/{media}"),
    *("/desk/events/{events}/translate/rm", "/desk/venues/{venues}/translate/rm"),
    "/events/submit/",
)
LAST = re.compile(r"/(trash|delete|remove|block|end|revoke|refuse|publish)$")


@pytest.fixture(scope="session")
def settings(settings):
    return swiss_site(settings, submissions=True)


@kept
def numbers(make_event, upload, anyone):
    """Return the ids of a record of each kind, by the names in addresses."""
    linked = {"venue": {"venue": "Hall"}, "organizer": {"organizer": "Choir"}}
    event = make_event(**linked, categories=["Music"], tags=["new"])
    weekly = {"rrule": "FREQ=WEEKLY;COUNT=3"}
    return {
        "events": event["id"],
        "venues": event["venue"]["id"],
        "organizers": event["organizer"][0]["id"],
        "categories": event["categories"][0]["id"],
        "tags": event["tags"][0]["id"],
        "media": upload()["id"],
        "series": make_event(recurrence=weekly)["series"]["id"],
        "queue": anyone.post("/submissions", **CONTRIBUTION).json["id"],
        "users": 5,
    }


@pytest.fixture
def paths(app, numbers):
    """Return an address of each page, for each kind of record that it shows."""
    rules = [rule for rule in app.url_map.iter_rules() if "GET" in rule.methods]
    pages = [rule.rule for rule in rules if rule.endpoint.startswith(("desk.", "pages."))]
    return sorted({path for rule in pages for path in _paths_of(rule, numbers)})


def _paths_of(rule, numbers):
    choices = re.search(r"<any\(([\w,]+)\):\w+>", rule)
    for choice in choices[1].split(",") if choices else [""]:
        path = re.sub(r"<any\([\w,]+\):\w+>", choice, rule)
        kind = path.removeprefix("/desk/").partition("/")[0]
        path = re.sub(r"<digits:(?:record_id|user_id|id)>", str(numbers.get(kind, 1)), path)
        path = re.sub(r"<digits:\w+>", "1", path).replace("<language>", "rm")
        yield re.sub(r"<[^>]+>", "event-1", path)


def _names():
    """Return the names of all parameters that pages and desk read."""
    names = set(EventListSchema().fields)
    for room in ("desk", "pages"):
        for file in (Path(calendar_app.__file__).parent / "site" / room).rglob("*.py"):
            names |= {first or second for first, second in READ.findall(file.read_text())}
    assert {"repeat_count", "overlaps_from"} <= names
    return sorted(names)


def _encoded(fields):
    return "&".join(f"{quote_plus(name)}={quote_plus(value)}" for name, value in fields.items())


@pytest.fixture
def admin(desk):
    return desk("admin").client


@pytest.fixture
def status_of(admin):
    """Return a function that sends a request as an administrator, and returns its status."""

    def send(path, fields, method="GET"):
        place = "query_string" if method == "GET" else "data"
        kind = None if method == "GET" else "application/x-www-form-urlencoded"
        sent = {"headers": BROWSER, "content_type": kind, place: _encoded(fields)}
        answer = admin.open(path, method=method, **sent)
        answer.request.environ["wsgi.input"].close()
        return answer.status_code

    return send


@pytest.fixture
def forms(paths, admin):
    """Return the address of each form of the desk, and its fields as a browser sends them.

    Those that take records away come last.
    """
    forms = {}
    for path in paths:
        answer = admin.get(path, headers=BROWSER)
        if answer.mimetype == "text/html" and path.startswith("/desk"):
            for form in html.fromstring(answer.data).xpath("//form[@method='post']"):
                action = urlsplit(form.action or path).path
                forms[action] = forms.get(action, {}) | dict(form.form_values())
    for ending in ("logout", "me/password"):
        forms.pop(f"/desk/{ending}", None)
    return sorted(forms.items(), key=lambda form: (LAST.search(form[0]) is not None, form[0]))


@pytest.mark.parametrize("oddity", ODD_VALUES)
def test_no_page_fails_for_its_address(paths, status_of, oddity):
    names, value = _names(), ODD_VALUES[oddity]
    if not ALL:
        paths = paths[list(ODD_VALUES).index(oddity) :: len(ODD_VALUES)]
    # The first refusal hides all others, so one goes alone; a page is a number.
    alone = [{"page": value}] if oddity in ODD_NUMBERS else []
    queries = [dict.fromkeys(names, value), *alone]
    failing = {path for path in paths for query in queries if status_of(path, query) in FAILURES}
    odd_paths = {re.sub(r"\d+|event-1", quote_plus(value[:5000]), path) for path in paths}
    failing |= {path[:200] for path in odd_paths if status_of(path, {}) in FAILURES}

    assert not failing


def test_no_form_fails_for_all_its_fields(forms, status_of):
    assert len(forms) > 40
    for number, (action, fields) in enumerate(forms):
        oddities = list(ODD_VALUES.items())
        for oddity, value in oddities if ALL else [oddities[number % len(oddities)]]:
            odd = dict.fromkeys((*fields, *SENT_ELSEWHERE), value)
            sent = odd | {"csrf_token": fields["csrf_token"]}
            assert status_of(action, sent, "POST") not in FAILURES, (action, oddity)


@pytest.mark.usefixtures("numbers")
def test_line_break_in_a_query_ends_no_header(admin):
    page = html.fromstring(admin.get("/desk/events/", headers=BROWSER).data)
    (form,) = page.xpath("//form[@action='/desk/events/several']")
    fields = dict(form.form_values())
    sent = fields | {"action": "draft", "id": "1", "query": "a=1\r\nX-Odd: 1"}
    answer = admin.post("/desk/events/several", data=sent, headers=BROWSER)

    assert answer.status_code == 303
    assert "X-Odd" not in answer.headers


@pytest.mark.parametrize("form", FORMS)
def test_no_form_fails_for_one_odd_field(form, numbers, admin):
    path = form.format_map(numbers)
    page = html.fromstring(admin.get(path, headers=BROWSER).data)
    typed = page.xpath("//main//form[@method='post']")[0].form_values()
    # What holds for a text holds for it in the other language.
    names = {name: None for name, _ in typed if name != "csrf_token" and "[rm]" not in name}
    fields = (*names, "button", "press", "take", "confirm_past", "page_language")
    failing = []
    for name, oddity in [*product(fields, EVENT_FORMS.get(form, ODD_FIELDS))][::EVERY]:
        pairs = [_pair(*pair) for pair in typed if pair[0] != name]
        pairs += [_odd_pair(name, value) for value in ODD_FIELDS[oddity] or ()]
        answer = admin.post(
            path,
            data="&".join(pairs),
            headers=BROWSER,
            content_type="application/x-www-form-urlencoded",
        )
        answer.request.environ["wsgi.input"].close()
        if answer.status_code in FAILURES:
            failing.append((name, oddity))
    assert not failing


def _pair(name, value):
    return f"{quote_plus(name)}={quote_plus(value)}"


def _odd_pair(name, value):
    """Return a name and a value, or the name of a member behind the name."""
    return quote_plus(name) + (value if value.startswith("[") else f"={value}")
