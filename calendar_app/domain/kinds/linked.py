"""The kinds that events link to: venues, organizers, categories, tags, and pictures."""

from collections.abc import Collection, Mapping

from calendar_app.domain.kind import Index, Kind, Markup, Record
from calendar_app.domain.points import point
from calendar_app.domain.provenance import NOTES, UID_OF_NOTES

_COORDINATES = (("location.latitude", 1), ("location.longitude", 1))
STATE_OR_PROVINCE_OF = frozenset({"state", "province", "country"})
_IN_THE_STATES = ("", "US", "United States")


def _settle_venue(_record: Record, changes: Record, _site_timezone: str) -> Record:
    """Update the GeoJSON point from the coordinates."""
    if "geo" not in changes:
        return {}
    geo = changes["geo"]
    if geo is None:
        return {"location": None}
    return {"location": point(*geo)}


def state_or_province(texts: Mapping[str, str]) -> str:
    """Derive ``stateprovince`` where it has no text.

    The state in the United States or without a country, elsewhere the province; if that one is
    empty, the other.
    """
    state, province = texts.get("state", ""), texts.get("province", "")
    in_the_states = texts.get("country", "") in _IN_THE_STATES
    return (state or province) if in_the_states else (province or state)


def _settle_texts(
    before: Mapping[str, str], texts: Mapping[str, str], sent: Collection[str]
) -> dict[str, str]:
    """Drop a ``stateprovince`` that is derived from the others, or outdated by them."""
    if "stateprovince" in sent:
        # Without a country, that of another language may count.
        first = "state" if texts.get("country") in _IN_THE_STATES else "province"
        follows = "country" in texts and texts.get("stateprovince") == texts.get(first)
    else:
        follows = any(before.get(name) != texts.get(name) for name in STATE_OR_PROVINCE_OF)
    return {name: text for name, text in texts.items() if name != "stateprovince" or not follows}


_CONTENT = f"{NOTES}.content"
_SLUGS = Index((("slugs", 1),), "by-slug, and that a slug is taken once", unique=True)
_NAMED = Index(((UID_OF_NOTES, 1),), "an import finds again what it made", unique=True)
_USED = Index((("count", 1),), "hide_empty", deferred=True)
# The indexes of venues and organizers, behind the one of the public list.
_OF_POSTS = (
    Index((("published", -1), ("status", 1), ("_id", 1)), "the list of editors"),
    Index((("author", 1), ("published", -1)), "the list of authors"),
    _SLUGS,
    _NAMED,
    Index((("names", 1),), "a record of the same name is used again"),
    Index((("image", 1), ("status", 1)), "which of them show a picture; deleting one"),
)


VENUE = Kind(
    name="venues",
    singular="venue",
    label="venue",
    texts={
        "venue": Markup.NAME,
        "description": Markup.HTML,
        "website": Markup.URL,
        "address": Markup.LINE,
        "city": Markup.LINE,
        "country": Markup.LINE,
        "province": Markup.LINE,
        "state": Markup.LINE,
        "stateprovince": Markup.LINE,
    },
    lines=("zip", "phone"),
    searched_texts=(
        "venue",
        "description",
        "address",
        "city",
        "country",
        "province",
        "state",
        "stateprovince",
        "website",
    ),
    searched_lines=("zip", "phone"),
    reused_by_name=True,
    is_place=True,
    defaults={
        "zip": "",
        "phone": "",
        "show_map": True,
        "show_map_link": True,
        "image": None,
        "location": None,
    },
    indexes=(
        Index(
            (("status", 1), ("published", -1), ("_id", -1), *_COORDINATES),
            "the list, newest first, and what of it lies in a box",
        ),
        *_OF_POSTS,
        Index((("location", "2dsphere"), ("status", 1)), "geoloc_lat with geoloc_lng"),
        Index(
            (("status", 1), *_COORDINATES, ("_id", 1)),
            "geoloc_bbox, orderby=distance, and how many are near, without a look at any venue",
        ),
    ),
    settle=_settle_venue,
    settle_texts=_settle_texts,
)


ORGANIZER = Kind(
    name="organizers",
    singular="organizer",
    label="organizer",
    texts={"organizer": Markup.NAME, "description": Markup.HTML, "website": Markup.URL},
    lines=("phone", "email"),
    searched_texts=("organizer", "description", "website"),
    searched_lines=("phone", "email"),
    reused_by_name=True,
    defaults={"phone": "", "email": "", "image": None},
    indexes=(
        Index((("status", 1), ("published", -1), ("_id", -1)), "the list, newest first"),
        *_OF_POSTS,
    ),
)


CATEGORY = Kind(
    name="categories",
    singular="category",
    label="name",
    texts={"name": Markup.TERM, "description": Markup.INLINE},
    searched_texts=("name", "slug", "description"),
    sequence="terms",
    has_status=False,
    defaults={"parent": 0, "ancestors": [], "count": 0},
    indexes=(
        _SLUGS,
        _NAMED,
        Index((("names", 1), ("parent", 1)), "a name is taken once below one parent"),
        Index((("parent", 1),), "the children of a category"),
        Index((("ancestors", 1),), "the descendants of a category"),
        _USED,
    ),
)


TAG = Kind(
    name="tags",
    singular="tag",
    label="name",
    texts={"name": Markup.TERM, "description": Markup.INLINE},
    searched_texts=("name", "slug", "description"),
    sequence="terms",
    has_status=False,
    defaults={"count": 0},
    indexes=(
        _SLUGS,
        _NAMED,
        Index((("names", 1),), "a name is taken once"),
        _USED,
    ),
)


MEDIA = Kind(
    name="media",
    singular="media",
    # No text of a picture names it: it may have none.
    label="filename",
    texts={"title": Markup.NAME, "alt_text": Markup.LINE},
    lines=("credit", "license", "focus"),
    usual={"credit": "", "license": "", "focus": ""},
    searched_texts=("title", "alt_text"),
    searched_lines=("filename",),
    has_status=False,
    is_picture=True,
    indexes=(
        Index((("author", 1), ("_id", -1)), "author, and the total of it"),
        Index((("filename", 1), ("_id", 1)), "programs for WordPress ask for the name of a file"),
        Index(
            (("contributed", 1), ("published", 1)),
            "pictures of contributions that are published or forgotten",
            having="contributed",
        ),
        Index(((UID_OF_NOTES, 1),), "an import finds again what it brought", unique=True),
        Index(((_CONTENT, 1),), "sources keep each picture once", having=_CONTENT),
    ),
)
