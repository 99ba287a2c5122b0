"""Chromium runs no script in texts of records or contributions at the desk."""

import dataclasses
from datetime import timedelta
from io import BytesIO

import pytest
from payloads import HANDLERS, PAYLOADS, WATCH, hostile_event
from PIL import Image

from calendar_app.api.http.request.state import get_services
from calendar_app.app import create_app

CHOSEN = PAYLOADS[::6]
LISTS = (
    *("/desk/", "/desk/events/?status=any", "/desk/events/week", "/desk/translations/"),
    *("/desk/venues/", "/desk/organizers/", "/desk/categories/", "/desk/tags/", "/desk/media/"),
    *("/desk/trash/", "/desk/queue/", "/desk/users/", "/desk/me/"),
)


@pytest.fixture
def open_app(settings, database, clock):
    """Return a service that takes contributions, over the records of the tests."""
    return create_app(dataclasses.replace(settings, site_url="", submissions=True), database, clock)


@pytest.fixture
def contribute(open_app):
    """Return a function that sends a contribution of hostile texts with a picture."""
    client = open_app.test_client()
    file = BytesIO()
    Image.new("RGB", (9, 9)).save(file, "PNG")

    def send(payload):
        texts = dict.fromkeys(("venue", "organizer", "cost", "alt_text"), payload)
        fields = {
            "variants[de][title]": f"Fest {payload}",
            "variants[de][description]": payload,
            "variants[rm][title]": f"Festa {payload}",
            "start_date": "2030-03-10 19:00",
            "consent": "true",
            "image": (BytesIO(file.getvalue()), f"{payload}.png"),
        }
        answer = client.post("/calendar/events/v1/submissions", data=texts | fields)
        assert answer.status_code == 201, answer.json
        return answer.json

    return send


@pytest.fixture
def addresses(as_admin, make_category, contribute):
    """Return the paths of pages on which every text has one of some payloads."""
    return [
        path
        for number, payload in enumerate(CHOSEN)
        for path in _pages(
            payload, as_admin, make_category(name=f"Music {number} {payload}"), contribute(payload)
        )
    ]


def _pages(payload, admin, category, sent):
    texts = hostile_event(payload)
    times = {"start_date": "2030-01-16 19:00", "end_date": "2030-01-16 21:00"}
    event = admin.post(
        "/events",
        **texts,
        **times,
        tags=[f"Open {category['id']} {payload}"],
        categories=[category["id"]],
    )
    assert event.status_code == 201, event.json
    event = event.json
    own = f"/events/{event['id']}"
    admin.post(own, translation_language="rm", title=f"R {payload}", description=payload)
    admin.post(own, title=f"New {payload}", description=f"<p>Other {payload}</p>")
    admin.post(f"/submissions/{sent['id']}/ask", question=payload)
    admin.post("/users", name=payload, role="author")
    yield f"/desk{own}"
    yield f"/desk{own}/history"
    yield f"/desk{own}/history/1"
    yield f"/desk{own}/translate/rm"
    yield f"/desk/venues/{event['venue']['id']}"
    yield f"/desk/organizers/{event['organizer'][0]['id']}"
    yield f"/desk/categories/{category['id']}"
    yield f"/desk/tags/{event['tags'][0]['id']}"
    yield f"/desk/queue/{sent['id']}"
    yield f"/desk/events/{sent['id']}"
    yield f"/desk/media/{sent['event']['image']['id']}"
    yield f"/events/submit/sent/?token={sent['token']}"


@pytest.fixture
def desk_page(chromium, serve, open_app, as_admin):
    """Return a page of an administrator with a hostile browser name in the session."""
    session = get_services(open_app).accounts.sessions.begin(
        as_admin.id, timedelta(hours=1), PAYLOADS[1], "192.0.2.1"
    )
    context = chromium.new_context(base_url=serve(open_app), bypass_csp=True)
    context.add_init_script(WATCH)
    page = context.new_page()
    page.goto("/events/")
    cookie = {
        "name": "desk_session",
        "value": session,
        "url": f"{page.url.split('/events')[0]}/desk/",
    }
    context.add_cookies([cookie])
    yield page
    context.close()


def test_nothing_runs_at_the_desk(desk_page, addresses):
    failures = []
    searches = [
        f"{path}?search=%22%3E%3Csvg/onload=ran()%3E" for path in ("/desk/events/", *LISTS[4:9])
    ]
    for path in (*addresses, *LISTS, *searches):
        answer = desk_page.goto(path, wait_until="domcontentloaded")
        run, handlers = desk_page.evaluate("window.hasRun"), desk_page.evaluate(HANDLERS)
        if answer.status != 200 or run or handlers:
            failures.append((path, answer.status, run, handlers))
    assert failures == []
    assert len(addresses) == 12 * len(CHOSEN)
