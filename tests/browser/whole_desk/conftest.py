"""A desk with all that a site can switch on, and records in all states that it tells of."""

import dataclasses
from datetime import timedelta
from types import SimpleNamespace

import pytest
from api.submissions.conftest import CONTRIBUTION
from calendars import calendar, vevent
from machines import LibreTranslateStub, serving

from calendar_app.api.http.request.state import get_services
from calendar_app.app import create_app
from calendar_app.cli.demo.loading import ADMINISTRATOR
from calendar_app.storage.mongo.store import Store


@pytest.fixture(scope="module")
def machine():
    with serving(LibreTranslateStub) as stub:
        yield stub


@pytest.fixture
def settings(settings, machine):
    """Return the settings of a site that has switched on all that there is."""
    return dataclasses.replace(
        settings,
        languages=("de", "rm", "fr", "en"),
        submissions=True,
        desk_settings=("footer_text", "logo", "submissions"),
        translator="libretranslate",
        translator_url=machine.address,
        smtp_url="smtp://127.0.0.1:9",
        mail_from="calendar@example.org",
    )


@pytest.fixture
def open_app(settings, database, clock):
    """Return a service over the records of the tests that a browser reaches."""
    return create_app(dataclasses.replace(settings, site_url=""), database, clock)


@pytest.fixture
def sent(anyone):
    """Return the id of a contribution that waits."""
    return _require(anyone.post("/submissions", **CONTRIBUTION))["id"]


@pytest.fixture
def source(open_app):
    """Return the id of a source of which a reading waits, and that of a reading with a report.

    One of its events is perhaps the same as one of another source.
    """
    sources = get_services(open_app).sources
    own = {"kind": "ics", "status": "publish", "vanished": "trash"}
    club = sources.add({"name": "Chor Valdorta", **own}, ADMINISTRATOR).id
    town = sources.add({"name": "Gemeinde", **own}, ADMINISTRATOR).id

    def read(number, *days, more=""):
        events = [
            vevent(f"{day}@club", more, title=f"Chorprobe {day}", start=f"203003{day:02}T190000")
            for day in days
        ]
        return sources.readings.read(number, ADMINISTRATOR, content=calendar(*events).encode())

    first = read(club, *range(1, 11), more="CATEGORIES:Gesang\nLOCATION:Halle").id
    read(town, 1, more="LOCATION:Halle")
    read(club, 1)
    return club, first


@pytest.fixture
def webhook(as_admin):
    """Return the id of a webhook that nobody answers, and that of a delivery."""
    added = as_admin.post("/webhooks", name="Spiegel", address="http://127.0.0.1:9/changes")
    _require(added)
    sent = as_admin.post(f"/webhooks/{added.json['id']}/test")
    _require(sent)
    return added.json["id"], sent.json["id"]


@pytest.fixture
def records(as_admin, sent, source, webhook, request):
    """Return the ids of records of all kinds, in all states that pages tell of."""
    make = {
        name: request.getfixturevalue(f"make_{name}")
        for name in ("event", "venue", "organizer", "category", "tag")
    }
    by_contributor = request.getfixturevalue("as_contributor")
    picture = request.getfixturevalue("upload")(by=as_admin, title="Wimpel", alt_text="Rote Wimpel")
    venue, organizer = make["venue"](venue="Mehrzweckhalle", city="Valdorta"), make["organizer"]()
    terms = {"categories": [make["category"]()["id"]], "tags": [make["tag"]()["id"]]}
    texts = {"title": "Chorkonzert", "description": "<p>Ein <b>Abend</b> mit Liedern.</p>"}
    event = make["event"](
        **texts, **terms, venue=venue["id"], organizer=[organizer["id"]], image=picture["id"]
    )
    _translate(as_admin, event["id"])
    recurring = make["event"](title="Probe", recurrence={"rrule": "FREQ=WEEKLY;COUNT=5"})
    for kind in ("events", "venues"):
        thrown = make[kind.removesuffix("s")]()
        _require(as_admin.delete(f"/{kind}/{thrown['id']}"))
    waiting = {
        "venues": make["venue"](
            by=by_contributor, venue="Mehrzweckhalle Valdorta", status="pending"
        ),
        "organizers": make["organizer"](by=by_contributor, status="pending"),
        "series": make["event"](
            by=by_contributor, status="pending", recurrence={"rrule": "FREQ=DAILY;COUNT=2"}
        )["series"],
    }
    make["event"](title="Hausmusik am Abend")
    _require(as_admin.post(f"/submissions/{sent}/ask", question="Wann endet es?"))
    ids = {kind: terms[kind][0] for kind in terms} | {"events": event["id"], "venues": venue["id"]}
    ids |= {"organizers": organizer["id"], "series": recurring["series"]["id"]}
    ids |= {"media": picture["id"], "users": 3, "queue": sent}
    ids |= {"sources": source[0], "reading": source[1]}
    ids |= {"webhooks": webhook[0], "delivery": webhook[1]}
    return ids | {f"queue/{kind}": each["id"] for kind, each in waiting.items()}


def _translate(api, number):
    """Let a person and a machine translate, then change the texts that they translated."""
    texts = {
        "rm": {"title": "Concert", "description": "<p>Ina saira.</p>"},
        "fr": {"title": "Concert de chant", "description": "<p>Une soirée.</p>"},
    }
    machine = {"fr": {"title": {"origin": "machine", "by": "LibreTranslate"}}}
    longer = "<p>Ein <b>langer</b> Abend mit Liedern und Tanz.</p>"
    for changes in ({"variants": texts, "translation_origin": machine}, {"description": longer}):
        _require(api.post(f"/events/{number}", **changes))


def _require(answer):
    assert answer.status_code < 400, answer.json
    return answer.json


@pytest.fixture
def desk(chromium, serve, open_app, as_admin, database):
    """Return a function that opens a window of an administrator, or of a stranger."""
    services, address, contexts = get_services(open_app), serve(open_app), []

    def open_window(*, logs_in=True, **options):
        context = chromium.new_context(
            base_url=address, locale="de", reduced_motion="reduce", **options
        )
        contexts.append(context)
        if logs_in:
            token = services.accounts.sessions.begin(
                as_admin.id, timedelta(hours=1), "Firefox", "192.0.2.1"
            )
            cookie = {"name": "desk_session", "value": token, "url": f"{address}/desk/"}
            context.add_cookies([cookie])
        return context.new_page()

    yield SimpleNamespace(open=open_window, services=services, store=Store(database))
    for context in contexts:
        context.close()
