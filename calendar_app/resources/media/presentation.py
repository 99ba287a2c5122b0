"""A picture: as other records show it, and by itself.

Shapes as in ``docs/reference/interface.md``, section "Pictures".
"""

from pathlib import PurePosixPath
from typing import Any, Literal
from urllib.parse import urlsplit

from calendar_app.calendar.pictures.uses import Uses
from calendar_app.domain.kind import Record
from calendar_app.domain.richtext import escape
from calendar_app.domain.zones import wall_of
from calendar_app.http.presentation.presenting import (
    Shown,
    View,
    date_text,
    localized,
    standing,
)
from calendar_app.resources.media.kind import MEDIA

# What programs read of a picture without asking whether it is there.
_SIZES = ("thumbnail", "medium", "large")
# What the records that show pictures are called, by their collection.
_SINGULAR = {"events": "event", "venues": "venue", "organizers": "organizer"}


def shown_image(record: Record, view: View) -> dict[str, Any] | Literal[False]:
    """Return the picture of a record; ``False`` where there is none, or it is gone.

    ``image_file`` has the measures of an imported picture, which count for its address alone.
    """
    image, file = record.get("image"), record.get("image_file", {})
    if isinstance(image, str) and image:
        return image_by_url(image, file if file.get("url") == image else {})
    media = view.linked.get(MEDIA.name, {}).get(image) if isinstance(image, int) else None
    return image_object(media, view) if media else False


def image_object(media: Record, view: View) -> dict[str, Any]:
    """Return what ``image`` shows of a stored picture; one that is tiny has no ``sizes``."""
    return view.once(MEDIA.name, media["_id"], lambda: _image_object(media, view))


def image_by_url(url: str, file: Record) -> dict[str, Any]:
    """Return what ``image`` shows of a picture on another site, with the known measures."""
    measures = {"width": file.get("width"), "height": file.get("height")}
    suffix = PurePosixPath(urlsplit(url).path).suffix
    return {
        "url": url,
        "id": 0,
        "extension": suffix.removeprefix(".").lower(),
        **measures,
        "filesize": None,
        "sizes": {name: {"url": url, **measures} for name in _SIZES} | file.get("sizes", {}),
    }


def present(media: Record, view: View) -> Shown:
    """Return a picture as its own routes show it, without what uses it."""
    texts = localized(MEDIA, media, view)
    image = image_object(media, view)
    told = standing(MEDIA, media, texts, view)
    # The file is the same in every language; there is no page about it.
    told["translations"] = {
        language: {"status": one["status"], "url": image["url"], "rest_url": one["rest_url"]}
        for language, one in told["translations"].items()
    }
    return {
        **image,
        "sizes": image.get("sizes", {}),
        "source_url": image["url"],
        "rest_url": view.addresses.record(MEDIA.name, media["_id"]),
        "mime_type": media["mime"],
        "filename": media["filename"],
        "title": escape(texts["title"]),
        "author": str(media["author"]),
        "date": date_text(wall_of(media["published"], view.zone)),
        "date_utc": date_text(media["published"]),
        "modified": date_text(wall_of(media["modified"], view.zone)),
        "modified_utc": date_text(media["modified"]),
        **told,
    }


def used(uses: Uses, view: View) -> Shown:
    """Return where a picture is shown: the first places, and how many there are."""
    return {
        "used_by": [
            {"type": _SINGULAR[name], "id": number, "url": view.addresses.record(name, number)}
            for name, number in uses.places
        ],
        "uses": uses.total,
    }


def _image_object(media: Record, view: View) -> dict[str, Any]:
    folder = view.addresses.picture_folder(media["_id"], media["token"])
    image = {
        "url": f"{folder}/{media['filename']}",
        "id": media["_id"],
        "extension": media["extension"],
        "width": media["width"],
        "height": media["height"],
        "filesize": media["filesize"],
        "alt_text": localized(MEDIA, media, view)["alt_text"],
    }
    sizes = {name: _size(size, folder) for name, size in media["sizes"].items()}
    return image | {"sizes": sizes} if sizes else image


def _size(size: Record, folder: str) -> dict[str, Any]:
    return {
        "width": size["width"],
        "height": size["height"],
        "mime-type": size["mime"],
        "filesize": size["filesize"],
        "url": f"{folder}/{size['filename']}",
    }
