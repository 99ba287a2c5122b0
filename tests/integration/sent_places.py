"""Events whose places and organizers are sent by name, in files of several kinds."""

import json
from itertools import count

SAMEDAN = {"venue": "Kirchgemeindehaus", "address": "Surtuor 2", "zip": "7503", "city": "Samedan"}
CELERINA = {"venue": "Kirchgemeindehaus", "address": "Strada 9", "zip": "7505", "city": "Celerina"}
BARE = {"venue": "Kirchgemeindehaus"}
CLUB, CHOIR = (
    {"organizer": "Frauenverein", "email": f"{town}@example.org"}
    for town in ("samedan", "celerina")
)
_UIDS = count(1)


def event(venue, organizer=CLUB):
    number = next(_UIDS)
    return {
        "uid": f"{number}@example.org",
        "title": f"Event {number}",
        "start_date": f"2030-03-{number % 28 + 1:02} 19:00:00",
        "end_date": f"2030-03-{number % 28 + 1:02} 20:00:00",
        "venue": venue,
        "organizer": organizer,
    }


def csv(events):
    names = ("uid", "title", "start_date", "end_date")
    places, people = ("venue", "address", "zip", "city"), ("organizer", "email")
    rows = [
        [
            *(each[name] for name in names),
            *(each["venue"].get(name, "") for name in places),
            *(each["organizer"].get(name, "") for name in people),
        ]
        for each in events
    ]
    return "\n".join(map(";".join, [["uid", "title", "start", "end", *places, *people], *rows]))


def jsonld(events):
    parts = {"address": "streetAddress", "zip": "postalCode", "city": "addressLocality"}
    nodes = [
        {
            "@type": "Event",
            "@id": each["uid"],
            "name": each["title"],
            "startDate": each["start_date"].replace(" ", "T"),
            "location": {
                **({"@id": each["venue"]["place_id"]} if "place_id" in each["venue"] else {}),
                "name": each["venue"]["venue"],
                "address": {
                    theirs: each["venue"][ours]
                    for ours, theirs in parts.items()
                    if ours in each["venue"]
                },
            },
            "organizer": {
                **({"@id": own} if (own := each["organizer"].get("organizer_id")) else {}),
                "name": each["organizer"]["organizer"],
                **{n: v for n, v in each["organizer"].items() if n == "email"},
            },
        }
        for each in events
    ]
    return f'<script type="application/ld+json">{json.dumps(nodes)}</script>'


FILES = {"csv": csv, "jsonld": jsonld}


def fields_of(event, sent):
    return {name: event["venue"].get(name, "") for name in sent}
