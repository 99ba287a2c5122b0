"""A small calendar, as the pages of its site."""

SITE = "site.example"
BASE = f"https://{SITE}/wp-json/tribe/events/v1"
PER_PAGE = 2


def term(number, name, taxonomy="categories", **fields):
    return {
        "id": number,
        "name": name,
        "slug": name.lower(),
        "description": "",
        "urls": {"self": f"{BASE}/{taxonomy}/{number}"},
        **fields,
    }


def post(number, **fields):
    return {
        "id": number,
        "global_id": f"{SITE}?id={number}",
        "global_id_lineage": [f"{SITE}?id={number}"],
        "author": "7",
        "status": "publish",
        "date_utc": "2026-06-01 10:00:00",
        "modified_utc": "2026-06-01 10:00:00",
        **fields,
    }


def event(number, title, **fields):
    slug = title.lower().replace(" ", "-")
    return post(
        number,
        **{
            "title": title,
            "slug": slug,
            "url": f"https://{SITE}/event/{slug}/",
            "website": f"https://{SITE}/event/{slug}/",
            "description": "<p>All are welcome.</p>",
            "excerpt": "",
            "image": False,
            "all_day": False,
            "start_date": "2027-05-01 19:00:00",
            "end_date": "2027-05-01 21:00:00",
            "timezone": "Europe/Zurich",
            "cost": "",
            "cost_details": {"values": []},
            "categories": [],
            "tags": [],
            "venue": [],
            "organizer": [],
            **fields,
        },
    )


CHOIR, CLASSIC, MUSIC = (
    term(22, "Choir", parent=21),
    term(21, "Classic", parent=20),
    term(20, "Music"),
)
FAMILY = term(30, "Family", "tags")
HALL = post(40, venue="Hall &amp; Garden", slug="hall", city="Dorta", geo_lat=46.5, geo_lng=9.25)
BAND = post(50, organizer="Band", slug="band", email="band@example.org")


def calendar(**changed):
    """Return the records of a small site; its categories are listed children first."""
    site = {
        "categories": [CHOIR, CLASSIC, MUSIC],
        "tags": [FAMILY],
        "venues": [HALL],
        "organizers": [BAND],
        "events": [
            event(60, "Concert", venue=HALL, organizer=[BAND], categories=[CHOIR], tags=[FAMILY]),
            event(61, "Market", categories=[MUSIC]),
            event(62, "Talk"),
        ],
    }
    return {**site, **changed}


def pages(site):
    """Yield path and body of each page, as a site sends them."""
    for name, records in site.items():
        count = max(1, -(-len(records) // PER_PAGE))
        for page in range(1, count + 1):
            part = records[(page - 1) * PER_PAGE : page * PER_PAGE]
            body = {name: part, "total": len(records), "total_pages": count}
            yield f"/{name}?per_page={PER_PAGE}&page={page}", body


def stored(database, collection, number):
    return database[collection].find_one({"_id": number})
