"""Presentation of pictures: inside other records, and alone.

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
    JSONObject,
    View,
    date_text,
    localized,
    translation_state,
)
from calendar_app.resources.media.kind import MEDIA

# Sizes that clients read without checking that they exist.
_SIZES = ("thumbnail", "medium", "large")
# The singular names of kinds with pictures, by collection.
_SINGULAR = {"events": "event", "venues": "venue", "organizers": "organizer"}


def present_image(record: Record, view: View) -> dict[str, Any] | Literal[False]:
    """Present the image of a record; ``False`` if it has none, or it is missing.

    ``image_file`` holds the measures of an imported picture, valid for its URL only.
    """
    image, file = record.get("image"), record.get("image_file", {})
    if isinstance(image, str) and image:
        return external_image(image, file if file.get("url") == image else {})
    media = view.linked.get(MEDIA.name, {}).get(image) if isinstance(image, int) else None
    return stored_image(media, view) if media else False


def stored_image(media: Record, view: View) -> dict[str, Any]:
    """Present a stored picture; a tiny one has no ``sizes``."""
    return view.cached(MEDIA.name, media["_id"], lambda: _build_image(media, view))


def external_image(url: str, file: Record) -> dict[str, Any]:
    """Present an external picture, with its measures if they are known."""
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


def present(media: Record, view: View) -> JSONObject:
    """Present a picture as its own routes do, without its uses."""
    texts = localized(MEDIA, media, view)
    image = stored_image(media, view)
    state = translation_state(MEDIA, media, texts, view)
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
        "rest_url": view.addresses.record(MEDIA.name, media["_id"]),
        "mime_type": media["mime"],
        "filename": media["filename"],
        "title": escape(texts["title"]),
        "author": str(media["author"]),
        "date": date_text(wall_of(media["published"], view.zone)),
        "date_utc": date_text(media["published"]),
        "modified": date_text(wall_of(media["modified"], view.zone)),
        "modified_utc": date_text(media["modified"]),
        **state,
    }


def present_uses(uses: Uses, view: View) -> JSONObject:
    """Present the first uses of a picture, and their number."""
    return {
        "used_by": [
            {"type": _SINGULAR[name], "id": number, "url": view.addresses.record(name, number)}
            for name, number in uses.places
        ],
        "uses": uses.total,
    }


def _build_image(media: Record, view: View) -> dict[str, Any]:
    folder = view.addresses.picture_folder(media)
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
