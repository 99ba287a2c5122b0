"""The pictures that the records of a site show."""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from hashlib import sha256
from typing import Any

from calendar_app.calendar.bulk.borrowed_pictures import ForeignPicture
from calendar_app.domain.richtext import decoded
from calendar_app.imports.tec import values
from calendar_app.imports.tec.pages import Pages
from calendar_app.imports.tec.records import source_of
from calendar_app.imports.tec.values import Raw
from calendar_app.resources.kinds import EVENT, ORGANIZER, VENUE

# Members of what a site tells of a picture that are not about its file.
_NOT_OF_THE_FILE = ("id", "alt", "alt_text")

# Says of a record of a site, given its source, whether its picture is to be here; ``None`` where
# the record does not count at all.
Wants = Callable[[str, Raw], bool | None]


def told_pictures(pages: Pages, wants: Wants) -> Iterator[ForeignPicture]:
    """Yield the pictures of all records that ``wants`` has an answer for."""
    alt_texts = pages.alt_texts()
    for kind in (VENUE, ORGANIZER, EVENT):
        for raw in pages.records(kind.name):
            for name, member in _members(kind.name, raw):
                yield from _told(name, member, wants, alt_texts)


def picture_ids(records: Iterable[Any]) -> Iterator[int]:
    """Yield the site's ids of the pictures that records show, and those that events tell of."""
    for raw in records:
        if not isinstance(raw, dict):
            continue
        for member in (raw, *values.members(raw, "venue"), *values.members(raw, "organizer")):
            image = member.get("image")
            if isinstance(image, dict) and type(image.get("id")) is int and image["id"] > 0:
                yield image["id"]


def _members(collection: str, raw: Any) -> Iterator[tuple[str, Raw]]:
    """Yield what shows a picture of a record and of those that it tells of, by collection."""
    if not isinstance(raw, dict):
        return
    told: list[tuple[str, Raw]] = [(collection, raw)]
    if collection == EVENT.name:
        told += [(VENUE.name, member) for member in values.members(raw, "venue")]
        told += [(ORGANIZER.name, member) for member in values.members(raw, "organizer")]
    yield from (one for one in told if isinstance(one[1].get("image"), dict))


def _told(
    collection: str, raw: Any, wants: Wants, alt_texts: Mapping[int, str]
) -> Iterator[ForeignPicture]:
    """Yield the picture of a record; one that cannot be read has none."""
    try:
        wanted = wants(source_of(collection, raw), raw)
        address, image = values.picture(raw), raw.get("image")
        if wanted is not None and address is not None and isinstance(image, dict):
            yield _picture(address, image, alt_texts, wanted=wanted)
    except ValueError:
        return


def _picture(
    address: str, image: Raw, alt_texts: Mapping[int, str], *, wanted: bool
) -> ForeignPicture:
    number = values.number(image, "id")
    said_of_it = values.line(image, "alt_text" if image.get("alt_text") else "alt")
    about = {name: value for name, value in image.items() if name not in _NOT_OF_THE_FILE}
    said = json.dumps(about, sort_keys=True, default=str)
    return ForeignPicture(
        source=address,
        id=number,
        told=sha256(said.encode()).hexdigest(),
        alt_text=said_of_it or decoded(alt_texts.get(number, "")),
        wanted=wanted,
    )
