"""Presentation of pictures: inside other records, and alone.

Shapes as in ``docs/reference/interface.md``, section "Pictures".
"""

from typing import Any, Literal

from calendar_app.calendar.shown_pictures import Uses
from calendar_app.domain.kind import Record
from calendar_app.domain.richtext import escape
from calendar_app.domain.zones import wall_of
from calendar_app.kinds.linked import MEDIA
from calendar_app.presentation.records import JSONObject, View, date_text, translation_state
from calendar_app.readmodel.linked import ReadMedia
from calendar_app.readmodel.records import (
    PictureSize,
    ReadPicture,
    ReadRecord,
    stored_picture,
)

# The singular names of kinds with pictures, by collection.
_SINGULAR = {"events": "event", "venues": "venue", "organizers": "organizer"}


def present_image(record: ReadRecord, view: View) -> dict[str, Any] | Literal[False]:
    """Present the image of a record; ``False`` if it has none, or it is missing."""
    image = record.record.get("image")
    if not isinstance(image, int):
        return _image(record.picture) if record.picture else False
    media = view.context.linked.get(MEDIA.name, {}).get(image)
    return stored_image(media, view) if media and record.is_open("image") else False


def stored_image(media: Record, view: View) -> dict[str, Any]:
    """Present a stored picture; a tiny one has no ``sizes``."""
    return _image(stored_picture(media, view.context))


def present_media(media: Record, view: View) -> JSONObject:
    """Present a picture as its own routes do, without its uses."""
    read = ReadMedia(media, view.context)
    texts = read.localized(MEDIA.translatable)
    image = stored_image(media, view)
    state = translation_state(MEDIA, read, texts, view)
    # The file is the same in every language, and has no page.
    state["translations"] = {
        language: {
            "status": translation["status"],
            "url": image["url"],
            "rest_url": translation["rest_url"],
        }
        for language, translation in state["translations"].items()
    }
    return {
        **image,
        "sizes": image.get("sizes", {}),
        "source_url": image["url"],
        "rest_url": view.context.addresses.record(MEDIA.name, media["_id"]),
        "mime_type": media["mime"],
        "filename": media["filename"],
        "title": escape(texts["title"]),
        "author": str(media["author"]),
        "date": date_text(wall_of(media["published"], view.context.zone)),
        "date_utc": date_text(media["published"]),
        "modified": date_text(wall_of(media["modified"], view.context.zone)),
        "modified_utc": date_text(media["modified"]),
        **state,
    }


def present_uses(uses: Uses, view: View) -> JSONObject:
    """Present the first uses of a picture, and their number."""
    return {
        "used_by": [
            {
                "type": _SINGULAR[name],
                "id": number,
                "url": view.context.addresses.record(name, number),
            }
            for name, number in uses.places
        ],
        "uses": uses.total,
    }


def _image(picture: ReadPicture) -> dict[str, Any]:
    image: dict[str, Any] = {
        "url": picture.full.url,
        "id": picture.id,
        "extension": picture.extension,
        "width": picture.full.width,
        "height": picture.full.height,
        "filesize": picture.full.filesize,
    }
    if not picture.id:
        return image | {"sizes": {name: _measures(size) for name, size in picture.sizes.items()}}
    image["alt_text"] = picture.alt_text
    sizes = {name: _stored_size(size) for name, size in picture.sizes.items()}
    return image | {"sizes": sizes} if sizes else image


def _measures(size: PictureSize) -> dict[str, Any]:
    return {"url": size.url, "width": size.width, "height": size.height}


def _stored_size(size: PictureSize) -> dict[str, Any]:
    return {
        "width": size.width,
        "height": size.height,
        "mime-type": size.mime,
        "filesize": size.filesize,
        "url": size.url,
    }
