"""Two calendars that differ only in hidden records, and random requests."""

from random import Random

from calendar_app.domain.slugs import slugify

BASE = "/calendar/events/v1"
# WordPress' own routes, and the kinds of records there.
WORDPRESS = "/wp/v2"
TYPES = (
    ("tribe_events", "events"),
    ("tribe_venue", "venues"),
    ("tribe_organizer", "organizers"),
    ("tribe_events_cat", "categories"),
    ("tags", "tags"),
)
CALLERS = (None, None, "subscriber", "contributor", "author2")
PASSWORD = "open sesame"
COLLECTIONS = ("events", "venues", "organizers", "categories", "tags", "media", "series")
SUFFIXES = (".ics", ".atom", ".geojson", ".csv")
WORDS = (
    "market",
    "concert",
    "secret",
    "zeta",
    "locked",
    "hall",
    "cret",
    "market -secret",
    "a",
    "2030",
)
# The id of a user of one calendar.
HERE_ALONE = 77
SECRETS = ("Secret zeta", "Secret other", "Secret zeta a draft", "Zeta", "Eta")
_LABELS = {"events": "title", "venues": "venue", "organizers": "organizer"}
_WHEN = {"start_date": "2030-03-10 19:00:00", "end_date": "2030-03-10 22:00:00"}
PLACES = ((46.85, 9.53), (46.95, 7.44), (47.37, 8.54), (46.0, 8.95))
_LINKED = ("venues", "organizers", "categories", "tags")


def requests(random: Random, ids, slugs, number):
    """Yield the path, the parameters and the caller of so many requests."""
    for _ in range(number):
        caller = random.choice(CALLERS)
        base, request = random.choice(
            ((BASE, _record_request),) * 5 + ((WORDPRESS, _of_wordpress),)
        )
        path, query = request(random, ids, slugs)
        language = random.choice(("", "", "/rm"))
        yield f"{language}{base}{path}", query | _in_general(random), caller


def writes(random: Random, calendar, number):
    """Yield the path, the body and the caller of so many writes that name hidden records."""
    for count in range(number):
        caller = random.choice((None, "contributor", "author2"))
        own = f"Own {count}"
        name = random.choice((own, *SECRETS)) if caller != "author2" else own
        if caller is None:
            venue, organizer = random.choice(SECRETS), random.choice(SECRETS)
            links = random.choice(
                ({"venue": venue}, {"organizer": organizer}, _link(random, calendar))
            )
            yield "/submissions", {"title": name, "consent": True} | _WHEN | links, caller
            continue
        kind = random.choice(("events", "venues", "organizers"))
        body = {_LABELS[kind]: name, "status": random.choice(("draft", "pending"))}
        if caller == "contributor":
            body |= random.choice(({}, {"slug": slugify(name)}))
        body |= _link(random, calendar) if kind == "events" else {}
        if random.random() < 0.3:
            body["author"] = random.choice((2, HERE_ALONE, 9999))
        if caller == "contributor" and random.random() < 0.5:
            body |= _image(random, calendar)
        yield f"/{kind}", body | (_WHEN if kind == "events" else {}), caller


def _link(random, calendar):
    """Return a link to a hidden record, to one that only one calendar has, or to none."""
    field, kind = random.choice((("venue", "venues"), ("organizer", "organizers")))
    if random.random() < 0.3:
        field, kind = "post_parent", "events"
    return {field: random.choice((*calendar.ids[kind], *calendar.here_alone[kind], 9999))}


def _image(random, calendar):
    picture = random.choice(calendar.pictures)
    names = [picture["id"], f"/media/{picture['id']}/{picture['filename']}", picture["id"] + 1]
    image = random.choice(names)
    return {"image": f"https://calendar.example{image}" if isinstance(image, str) else image}


def _record_request(random, ids, slugs):
    kind = random.choice((*COLLECTIONS, "events", "events", "events"))
    way = random.random()
    if kind == "series" and way < 0.4:
        return f"/series/{random.choice(ids[kind])}/events", _filters(random, "events", ids)
    if way < 0.12 and kind != "media":
        suffix = ".ics" if kind == "events" and random.random() < 0.3 else ""
        return f"/{kind}/{random.choice(ids[kind])}{suffix}", {}
    if way < 0.2 and kind in ("events", "venues", "organizers"):
        suffix = ".ics" if kind == "events" and random.random() < 0.3 else ""
        return f"/{kind}/by-slug/{random.choice(slugs[kind])}{suffix}", {}
    suffix = random.choice(SUFFIXES) if kind == "events" and way < 0.45 else ""
    return f"/{kind}{suffix}", _filters(random, kind, ids)


def _of_wordpress(random, ids, slugs):
    name, kind = random.choice(TYPES)
    if random.random() < 0.3:
        return f"/{name}/{random.choice(ids[kind])}", {}
    filters = [
        {"search": random.choice(WORDS)},
        {"include": ",".join(str(random.choice(ids[kind])) for _ in range(3))},
        {"exclude": random.choice(ids[kind])},
        {"slug": random.choice(slugs[kind])},
        {"orderby": random.choice(("id", "include")), "order": random.choice(("asc", "desc"))},
        {"offset": random.choice((0, 1, 3))},
        {"context": random.choice(("view", "embed", "edit"))},
        {"_embed": ""},
    ]
    terms = [{"post": random.choice(ids["events"])}, {"hide_empty": "true"}]
    posts = [
        {"status": random.choice(("publish", "draft", "any", "trash"))},
        {"author": random.choice((1, 2, HERE_ALONE))},
        {"modified_after": "2030-01-01"},
    ]
    events = [
        {random.choice(("tags", "tags_exclude")): random.choice(ids["tags"])},
        {"tribe_events_cat": random.choice(ids["categories"])},
    ]
    filters += terms if kind in ("categories", "tags") else posts
    filters += events if kind == "events" else []
    chosen = random.sample(filters, k=random.choice((0, 1, 1, 2)))
    return f"/{name}", {name: value for each in chosen for name, value in each.items()}


def _filters(random, kind, ids):
    point = random.choice(PLACES)
    near = {
        "geoloc_lat": point[0] + random.choice((0, 0.001)),
        "geoloc_lng": point[1],
        "geoloc_radius": random.choice((0.01, 5, 300)),
    }
    box = f"{point[1] - 0.1},{point[0] - 0.1},{point[1] + 0.1},{point[0] + 0.1}"
    place = [near, near | {"orderby": "distance"}, {"geoloc_bbox": box}]
    place += [{"geoloc": flag} for flag in ("true", "false")]
    query = {"search": random.choice(WORDS)}
    event = {random.choice(("event", "post")): random.choice(ids["events"])}
    of = {
        "events": [
            *place,
            query,
            *({name: random.choice(ids[several])} for name, several in _LINKS),
            {"include": ",".join(str(random.choice(ids["events"])) for _ in range(3))},
            {"post_parent": random.choice(ids["events"])},
            *({name: random.choice(("true", "false"))} for name in ("featured", "ticketed")),
            {"attendance_mode": random.choice(("online", "offline", "mixed"))},
            {"event_status": random.choice(("canceled", "scheduled"))},
            {"accessibility": random.choice(("wheelchair", "wheelchair,quiet"))},
            {"in_language": random.choice(("de", "de,fr"))},
            {"age": random.choice((4, 40))},
            {"series": random.choice(ids["series"])},
            *(
                {name: random.choice(("true", "false"))}
                for name in ("recurring", "first_in_series")
            ),
            {"status": random.choice(("publish", "draft,private", "any", "trash"))},
            {"orderby": random.choice(("title", "modified", "id", "end_date")), "order": "desc"},
            {"start_date": "2030-03-01", "end_date": "2030-04-01"},
            {"overlaps_from": "2030-01-01", "overlaps_to": "2031-01-01"},
        ],
        "venues": [*place, *_linked(random, query, event)],
        "organizers": _linked(random, query, event),
        "series": [query, {"status": random.choice(("publish", "draft", "any", "trash"))}],
        "media": [query, {"used": random.choice(("true", "false"))}, {}],
    }
    terms = [query, event, {"hide_empty": random.choice(("0", "1"))}, {"orderby": "count"}]
    chosen = random.sample(of.get(kind, terms), k=random.choice((0, 1, 1, 2)))
    return {name: value for filters in chosen for name, value in filters.items()}


_LINKS = (
    ("venue", "venues"),
    ("organizer", "organizers"),
    ("categories", "categories"),
    ("tags", "tags"),
)


def _linked(random, matches, event):
    flags = ("true", "false")
    return [
        matches,
        event,
        {"has_events": random.choice(flags)},
        {"only_with_upcoming": random.choice(flags)},
        {"status": random.choice(("publish", "draft", "any", "trash"))},
    ]


def _in_general(random):
    query = {}
    if random.random() < 0.3:
        query |= {"per_page": random.choice((1, 2, 5)), "page": random.choice((1, 1, 2, 3))}
    if random.random() < 0.2:
        query["password"] = random.choice(("wrong", PASSWORD))
    if random.random() < 0.2:
        query["fallback"] = "none"
    if random.random() < 0.15:
        query["translation_language"] = "*"
    return query
