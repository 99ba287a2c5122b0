"""The five collections: what a record of each needs, how lists are filtered, and what they hold."""

EVENING = {"start_date": "2030-03-10 19:00:00", "end_date": "2030-03-10 22:00:00"}
COLLECTIONS = ["events", "venues", "organizers", "categories", "tags"]
NAMES = {
    "events": "title",
    "venues": "venue",
    "organizers": "organizer",
    "categories": "name",
    "tags": "name",
}
REQUIRED = {name: {field: "Name"} for name, field in NAMES.items()}
REQUIRED["events"] |= EVENING
PLURALS = {
    "event": ("events", "title"),
    "venue": ("venues", "venue"),
    "organizer": ("organizers", "organizer"),
    "category": ("categories", "name"),
    "tag": ("tags", "name"),
}
LIST_FILTERS = {
    "events": ["search", "categories", "tags", "venue", "organizer", "include", "post_parent"],
    "venues": ["search", "event", "status"],
    "organizers": ["search", "event", "status"],
    "categories": ["search", "include", "exclude", "parent", "post", "event", "slug"],
    "tags": ["search", "include", "exclude", "post", "event", "slug"],
}


def everything_stored(database):
    """Return all records, to see that a refused request has changed none."""
    return {name: list(database[name].find()) for name in COLLECTIONS}
