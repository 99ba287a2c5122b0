"""The pictures that the records of a site show."""

import json
from collections.abc import Callable, Iterator, Mapping
from hashlib import sha256
from typing import Any

from calendar_app.catalogue.borrowed_pictures import ForeignPicture
from calendar_app.imports.tec import values
from calendar_app.imports.tec.links import embedded
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
    for kind in (VENUE, ORGANIZER, EVENT):
        for raw in pages.records(kind.name):
            records = {kind.name: [raw]}
            if kind is EVENT and isinstance(raw, Mapping):
                found = embedded([raw])
                records |= {
                    name: list(found[name].values()) for name in (VENUE.name, ORGANIZER.name)
                }
            for name, members in records.items():
                for member in members:
                    yield from _told(name, member, wants)


def _told(collection: str, raw: Any, wants: Wants) -> Iterator[ForeignPicture]:
    """Yield the picture of a record; one that cannot be read has none."""
    try:
        wanted = wants(source_of(collection, raw), raw)
        address, image = values.picture(raw), raw.get("image")
        if wanted is not None and address is not None and isinstance(image, Mapping):
            yield _picture(address, image, wanted=wanted)
    except ValueError:
        return


def _picture(address: str, image: Raw, *, wanted: bool) -> ForeignPicture:
    about = {name: value for name, value in image.items() if name not in _NOT_OF_THE_FILE}
    said = json.dumps(about, sort_keys=True, default=str)
    return ForeignPicture(
        source=address,
        id=values.number(image, "id"),
        told=sha256(said.encode()).hexdigest(),
        alt_text=values.line(image, "alt_text" if image.get("alt_text") else "alt"),
        wanted=wanted,
    )
