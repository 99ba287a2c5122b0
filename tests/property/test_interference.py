"""Unreadable records change no response to a caller."""

import os
from datetime import timedelta
from io import BytesIO
from random import Random

import pytest
from calling import SITE, Client
from clock import NOON
from desking import Desk
from interference import CALLERS, HERE_ALONE, PASSWORD, PLACES, requests, writes
from mirrors import Mirror
from PIL import Image

from calendar_app.api.http.request.state import get_services
from calendar_app.app import create_app
from calendar_app.assembly.indexes import declared_indexes
from calendar_app.settings import Settings
from calendar_app.site.desk.sessions import COOKIE
from calendar_app.storage.mongo.connection import open_database
from calendar_app.storage.mongo.indexes import ensure_indexes
from calendar_app.storage.mongo.marks import mark_everything
from calendar_app.storage.mongo.store import Store

REQUESTS = int(os.environ.get("INTERFERENCE_REQUESTS", "60"))
STREAMED = int(os.environ.get("STREAMED_WRITES", "8"))
SEED = int(os.environ.get("INTERFERENCE_SEED", "1"))
# What depends on the moment of a request alone.
VOLATILE = {"Date", "X-Request-Id", "X-Request-ID"}
COLLECTIONS = ("events", "series", "venues", "organizers", "categories", "tags")
SITE_SETTINGS = {
    "site_url": SITE,
    "languages": ["de", "rm"],
    "default_language": "de",
    "timezone": "Europe/Zurich",
    "submissions": True,
    "submission_rate": "9999/hour",
}
EVENING = {"start_date": "2030-03-10 19:00:00", "end_date": "2030-03-10 22:00:00"}
PUBLIC, LOCKED, HIDDEN = "Market hall concert", "Locked market", "Secret zeta"
SEEN_NEXT = 303
BOX = {"geoloc_bbox": "9,46.5,10,47"}


class Calendar:
    """One of two calendars: ``variant`` decides what strangers may not read."""

    def __init__(self, app, users, variant):
        self.app = app
        self.variant = variant
        self.ids = {}
        self.slugs = {}
        # Records that the other calendar has not, by kind, and pictures that nobody sees.
        self.here_alone = {}
        self.pictures = []
        self.clients = {name: Client(app, name, users.get(name, 0)) for name in CALLERS}
        self.admin = Client(app, "admin", users["admin"])
        self.desk = Desk(app)
        sessions = get_services(app).accounts.sessions
        token = sessions.begin(users["contributor"], timedelta(days=1))
        self.desk.client.set_cookie(COOKIE, token, path="/desk")

    def post(self, kind, **body):
        answer = self.admin.post(f"/{kind}", **body)
        assert answer.status_code == 201, answer.json
        self.ids.setdefault(kind, []).append(answer.json["id"])
        self.slugs.setdefault(kind, []).append(answer.json["slug"])
        return answer.json["id"]

    def post_here_alone(self, kind, **body):
        """Create a hidden record; the other calendar only counts its id."""
        number = self.admin.post(f"/{kind}", status="private", **body).json["id"]
        self.here_alone[kind] = [number]
        if self.variant:
            self.admin.delete(f"/{kind}/{number}", force=True)

    def upload(self, **texts):
        file = BytesIO()
        Image.new("RGB", (20, 20)).save(file, "PNG")
        body = {"file": (BytesIO(file.getvalue()), "poster.png"), **texts}
        answer = self.admin.send("POST", "/media", data=body)
        assert answer.status_code == 201, answer.json
        self.pictures.append(answer.json)
        return answer.json["id"]

    def recur(self, title, **body):
        """Create a series of events in the evening, and return the ids of its events."""
        recurrence = {name: body.pop(name) for name in ("rrule", "rdate") if name in body}
        first = self.post("events", title=title, recurrence=recurrence, **body, **EVENING)
        answer = self.admin.get(f"/series/{first}/events", status="any", per_page=50)
        events = answer.json["events"]
        ids = sorted(event["id"] for event in events)
        self.ids.setdefault("series", []).append(first)
        self.ids["events"] += ids[1:]
        self.slugs["events"] += [event["slug"] for event in events]
        return ids

    def change(self, kind, number, **body):
        answer = self.admin.patch(f"/{kind}/{number}", **body)
        assert answer.status_code == 200, answer.json

    def trash(self, kind, number):
        assert self.admin.delete(f"/{kind}/{number}").status_code == 200

    def pick(self, *choices):
        """Return the choice that this calendar has."""
        return choices[self.variant % len(choices)]


def fill(calendar):
    """Store the same public records in each calendar, and different ones that are hidden."""
    pick, post = calendar.pick, calendar.post
    terms = [post("categories", name=f"Category {n}") for n in range(3)]
    tags = [post("tags", name=f"Tag {n}") for n in range(3)]
    venues = [
        post("venues", venue=f"Hall {n}", geo_lat=lat, geo_lng=lng)
        for n, (lat, lng) in enumerate(PLACES[:2])
    ]
    lat, lng = pick(PLACES[2], PLACES[3])
    where = {"geo_lat": lat, "geo_lng": lng, "venue": pick("Secret zeta", "Secret other")}
    unseen = [post("venues", status=status, **where) for status in ("private", "draft", "publish")]
    calendar.trash("venues", unseen[2])
    organizers = [post("organizers", organizer=f"Market {n}") for n in range(2)]
    unknown = post("organizers", organizer=pick("Zeta", "Eta"), status="private")
    for number, place in enumerate([venues, unseen[:1], [unseen[1], venues[0]], unseen[2:], []]):
        post(
            "events",
            title=f"{PUBLIC} {number}",
            venue=place,
            organizer=[organizers[number % 2], unknown][: 1 + number % 2],
            categories=[terms[number % 2]],
            tags=[tags[number % 2]],
            featured=bool(number % 2),
            **EVENING,
        )
    links = {
        "venue": [pick(venues[0], venues[1])],
        "organizer": [pick(*organizers)],
        "categories": [pick(terms[0], terms[2])],
        "tags": [pick(tags[2], tags[1])],
        "featured": pick(True, False),
        "description": pick("secret zeta", "market market"),
        "variants": pick({"rm": {"description": "zeta"}}, {}),
        **({"attendance_mode": "online"} if calendar.variant else {}),
    }
    event = post("events", title=f"{LOCKED} 0", **links, **EVENING)
    calendar.change("events", event, password=pick("zeta", "theta"))
    event = post("events", title=f"{LOCKED} 1", venue=venues[0], tags=tags[:1], **EVENING)
    calendar.change("events", event, password=PASSWORD)
    day = pick("2030-03-11", "2030-05-20")
    times = {"start_date": f"{day} 19:00:00", "end_date": f"{day} 21:00:00"}
    for status in ("draft", "private", "pending", "publish"):
        title = f"{HIDDEN} {pick('a', 'b')} {status}"
        event = post("events", title=title, status=status, **{**links, **times})
        if status == "publish":
            calendar.change("events", event, status="draft")
    fill_series(calendar, venues, unseen)
    fill_secrets(calendar, unseen)
    post("events", title="Market for all", post_parent=calendar.ids["events"][-4], **EVENING)


def fill_secrets(calendar, unseen):
    """Store secrets that only writes and forms could leak: pictures, records of one calendar."""
    picture = calendar.upload(alt_text="Secret zeta")
    calendar.change("venues", unseen[calendar.pick(0, 1)], image=picture)
    calendar.post_here_alone("venues", venue="Here")
    calendar.post_here_alone("organizers", organizer="Here")
    calendar.post_here_alone("events", title="Here", **EVENING)


def fill_series(calendar, venues, unseen):
    """Store series with hidden occurrences, hidden series, and series at hidden venues."""
    pick, weekly = calendar.pick, "FREQ=WEEKLY;COUNT=4"
    extra = pick("2030-05-01 19:00:00", "2030-06-12 08:00:00")
    ids = calendar.recur(f"{PUBLIC} weekly", rrule=weekly, rdate=[extra])
    secret = {"status": pick("draft", "private"), "title": pick("Secret zeta", "Market secret")}
    calendar.change("events", ids[1], **secret, venue=pick(venues[0], unseen[0]))
    calendar.change("events", ids[4], status=pick("private", "draft"))
    rule = pick("FREQ=WEEKLY;COUNT=4", "FREQ=DAILY;COUNT=4")
    texts = {"description": pick("zeta", "market"), "venue": pick(venues[0], unseen[1])}
    ids = calendar.recur(f"{HIDDEN} {pick('a', 'b')}", rrule=rule, status="draft", **texts)
    public = {"title": "Market of a secret", "description": "All", "venue": venues[1]}
    calendar.change("events", ids[0], status="publish", **public)
    ids = calendar.recur(f"{PUBLIC} away", rrule=weekly, venue=unseen[0])
    calendar.change("events", ids[2], venue=pick(unseen[1], unseen[0]))
    ids = calendar.recur(f"{LOCKED} weekly", rrule=weekly, venue=pick(*venues))
    calendar.change("series", ids[0], password=pick("zeta", "theta"), featured=pick(True, False))
    calendar.change("events", ids[3], password="", venue=venues[0], featured=False)


def level_metadata(database):
    """Give the records of both calendars the same revisions, and these the same UUID."""
    for name in COLLECTIONS:
        database[name].update_many({}, {"$set": {"revision": 3}})
    # As if visitors had contributed half of what is hidden.
    of_visitors = {"status": {"$ne": "publish"}, "_id": {"$mod": [2, 0]}}
    for name in ("events", "venues", "organizers"):
        database[name].update_many(of_visitors, {"$set": {"author": 0}})
    database["events"].update_many(
        {"restricted_place": {"$type": "object"}, "_id": {"$mod": [2, 0]}},
        {"$set": {"restricted_place.author": 0}},
    )
    database["media"].update_many({}, {"$set": {"token": "chosen-at-random"}})
    # What was public and is no more may be told for a while; that is no subject here.
    database["events"].update_many({}, {"$unset": {"withdrawn": ""}})
    database["calendars"].update_one(
        {"_id": "calendar"}, {"$set": {"uuid": "7b2f0d3e-55a4-4c0e-9a7c-0d1f6a2b9c11"}}, upsert=True
    )
    mark_everything(database)


@pytest.fixture(scope="module")
def databases(mongod_uri, _user_documents):
    """Return two databases with all indexes and users, and nothing else."""
    names = ("interference0", "interference1")
    pair = [open_database(mongod_uri.replace("/calendar?", f"/{name}?")) for name in names]
    settings = Settings.load(environment={}, **SITE_SETTINGS)
    for database in pair:
        ensure_indexes(Store(database), declared_indexes(settings))
        for name, documents in _user_documents.items():
            database[name].insert_many(documents)
    yield pair
    for database in pair:
        database.client.drop_database(database.name)
        database.client.close()


@pytest.fixture(scope="module")
def calendars(databases, _clock):
    """Return two calendars that differ only in records hidden from strangers."""
    settings = Settings.load(environment={}, **SITE_SETTINGS)
    _clock.now = NOON
    pair = []
    for variant, database in enumerate(databases):
        users = {user["name"]: user["_id"] for user in database["users"].find()}
        calendar = Calendar(create_app(settings, database, _clock), users, variant)
        fill(calendar)
        if not variant:
            database["users"].insert_one({"_id": HERE_ALONE, "name": "here", "role": "editor"})
        level_metadata(database)
        pair.append(calendar)
    return pair


def ask(calendar, path, query, caller):
    """Return the status, the headers and the body of an answer."""
    answer = calendar.clients[caller].send("GET", path, base="", query_string=query)
    headers = sorted((name, value) for name, value in answer.headers if name not in VOLATILE)
    return answer.status_code, headers, answer.get_data()


def differences(calendars, number, seed=SEED):
    """Yield the requests that the two calendars answer differently."""
    first, second = calendars
    assert first.ids == second.ids
    slugs = {kind: [*first.slugs[kind], *second.slugs[kind]] for kind in first.slugs}
    ids = {kind: [*numbers, 9999] for kind, numbers in first.ids.items()} | {"media": [9999]}
    for request in requests(Random(seed), ids, slugs, number):  # noqa: S311 - repeatable, not secret
        if ask(first, *request) != ask(second, *request):
            yield request


def test_hidden_records_change_no_response(calendars):
    assert list(differences(calendars, REQUESTS)) == []


def write_response(calendar, path, body, caller):
    """Return the status and body of the response to a write, without its random fields."""
    answer = calendar.clients[caller].post(path, **body)
    secrets = ("token", "url") if path == "/submissions" else ()
    return answer.status_code, {n: v for n, v in answer.json.items() if n not in secrets}


def differing_writes(calendars, number, seed=SEED):
    """Yield the writes that the two calendars answer differently."""
    first, second = calendars
    for path, body, caller in writes(Random(seed), first, number):  # noqa: S311 - repeatable
        if write_response(first, path, body, caller) != write_response(second, path, body, caller):
            yield path, body, caller


def test_hidden_records_change_no_answer_to_a_write(calendars, databases):
    # Authors see all pictures in lists, so their texts differ here alone.
    alternative = "variants.de.alt_text"
    databases[1]["media"].update_many({}, {"$set": {alternative: "Secret market"}})

    assert list(differing_writes(calendars, REQUESTS)) == []

    databases[1]["media"].update_many({}, {"$set": {alternative: "Secret zeta"}})


def shown_at_desk(calendar, path, fields):
    """Return the page that a contributor sees after sending a form of the desk."""
    sent = {"csrf_token": calendar.desk.token(), **fields}
    answer = calendar.desk.post(path, **sent)
    page = answer if answer.status != SEEN_NEXT else calendar.desk.get("/events/")
    return answer.status, page.text, page.tree.xpath("//main//img/@src")


def forms_with_ids(calendar):
    """Yield forms of the desk that name hidden records by their ids."""
    ids = {
        kind: [str(number) for number in (*calendar.ids[kind], *numbers)]
        for kind, numbers in calendar.here_alone.items()
    }
    for action in ("publish", "trash", "restore", "add_tag"):
        yield "/events/several", {"id": ids["events"], "action": action, "tag": "new"}
    linked = {"venue": ids["venues"], "organizer": ids["organizers"]}
    for picture in calendar.pictures:
        for path in ("/events/new", "/venues/new"):
            image = str(picture["id"])
            yield path, {"button": "pictures", "image": image, **linked}


def test_hidden_records_change_no_form_of_the_desk(calendars):
    first, second = calendars
    for path, fields in forms_with_ids(first):
        pages = [shown_at_desk(each, path, fields) for each in (first, second)]
        assert pages[0] == pages[1], (path, fields)


def hidden_writes(random, hidden):
    """Yield some writes to records that strangers do not see."""
    event, venue, organizer = (
        random.choice(hidden[kind]) for kind in ("events", "venues", "organizers")
    )
    yield from random.sample(
        [
            ("PATCH", f"/events/{event}", {"title": f"Secret {random.random()}"}),
            ("PATCH", f"/events/{event}", {"venue": venue, "organizer": organizer}),
            ("PATCH", f"/events/{event}", {"status": random.choice(("draft", "private"))}),
            ("DELETE", f"/events/{event}", None),
            ("PATCH", f"/venues/{venue}", {"venue": f"Secret {random.random()}"}),
            ("PATCH", f"/venues/{venue}", {"geo_lat": 46 + random.random()}),
            ("PATCH", f"/organizers/{organizer}", {"organizer": f"Zeta {random.random()}"}),
        ],
        k=3,
    )


def public_write(random, ids):
    """Return a write to records that strangers see, or that come to them and go from them."""
    event, venue = random.choice(ids["events"]), random.choice(ids["venues"])
    return random.choice(
        [
            ("PATCH", f"/events/{event}", {"title": f"Market {random.random()}"}),
            ("PATCH", f"/events/{event}", {"status": random.choice(("publish", "draft"))}),
            ("PATCH", f"/events/{event}", {"categories": [random.choice(ids["categories"])]}),
            ("PATCH", f"/events/{event}", {"venue": venue}),
            ("PATCH", f"/venues/{venue}", {"venue": f"Hall {random.random()}"}),
            ("PATCH", f"/venues/{venue}", {"geo_lat": 46 + random.random()}),
            ("PATCH", f"/tags/{random.choice(ids['tags'])}", {"name": f"Tag {random.random()}"}),
        ]
    )


def is_shown(answer):
    """Say whether lists show a record that is asked for; of a locked one they show the title."""
    return answer.status_code == 200 or answer.code == "event-password-protected"


def stream_pages(mirror):
    """Return each page of a stream: what has changed in which event, and whether there is more."""
    return [
        ([(each["change"], each["id"]) for each in page["changes"]], page["next"], page["more"])
        for page in mirror.stream
    ]


def test_hidden_writes_leave_no_trace_for_those_who_follow(calendars):
    random = Random(SEED)  # noqa: S311 - repeatable, not secret
    admins, anyone = [each.admin for each in calendars], calendars[0].clients[None]
    ids = calendars[0].ids
    visible = {
        kind: [each for each in numbers if anyone.get(f"/{kind}/{each}").status_code == 200]
        for kind, numbers in ids.items()
    }
    hidden = {
        kind: [each for each in ids[kind] if not is_shown(anyone.get(f"/{kind}/{each}"))]
        for kind in visible
    }
    category = {"categories": ids["categories"][0]}
    lists = [(None, {"per_page": 3}), (None, category), (None, BOX), ("author2", {})]
    followers = [
        [Mirror(calendar.clients[name], **filters) for calendar in calendars]
        for name, filters in lists
    ]
    for _ in range(STREAMED):
        for variant, client in enumerate(admins):
            for request in hidden_writes(random, hidden) if random.random() < 0.5 + variant else ():
                method, path, body = request
                client.send(method, path, json=body)
        method, path, body = public_write(random, visible)
        answers = {client.send(method, path, json=body).status_code for client in admins}
        assert len(answers) == 1
        for first, second in followers:
            assert first.follow() == second.follow()
            assert stream_pages(first) == stream_pages(second), (method, path, body)


# What an answer would be made of if a clause were missing, planted in one of the calendars.
LEAKS = {
    "the place of a private venue": (
        "events",
        {"restricted_place": {"$ne": None}, "status": "publish"},
        [{"$set": {"location": "$restricted_place.location"}}],
    ),
    "the filters of a locked event": (
        "events",
        {"hidden": "locked", "status": "publish"},
        {"$set": {"hidden": False}},
    ),
    "the count of a term": ("categories", {}, {"$inc": {"count": 1}}),
    "a draft": ("events", {"status": "draft"}, {"$set": {"status": "publish"}}),
    "a private organizer": ("organizers", {"status": "private"}, {"$set": {"status": "publish"}}),
    "a draft occurrence": ("events", {"series": {"$gt": 0}}, {"$set": {"status": "publish"}}),
    "a draft series": ("series", {"status": "draft"}, {"$set": {"status": "publish"}}),
    "the rule of a locked series": (
        "series",
        {"hidden": "locked"},
        {"$set": {"password": None, "recurrence.rules": ["FREQ=DAILY;COUNT=4"]}},
    ),
    "the links of a locked event": (
        "events",
        {"hidden": "locked", "status": "publish"},
        {"$set": {"hidden": False, "password": None}},
    ),
}


@pytest.mark.parametrize("leak", LEAKS)
def test_a_planted_leak_is_noticed(calendars, databases, leak):
    collection, query, update = LEAKS[leak]
    stored = list(databases[1][collection].find(query))
    databases[1][collection].update_many(query, update)

    assert any(differences(calendars, 300))

    for document in stored:
        databases[1][collection].replace_one({"_id": document["_id"]}, document)
