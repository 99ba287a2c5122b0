"""A picture as other records show it.

Shapes as in ``docs/reference/interface.md``, section "Pictures".
"""

from pathlib import PurePosixPath
from typing import Any, Literal
from urllib.parse import urlsplit

from calendar_app.catalogue.reader import Linked
from calendar_app.domain.kind import Record
from calendar_app.resources.media.kind import MEDIA


def shown_image(image: object, linked: Linked, site_url: str) -> dict[str, Any] | Literal[False]:
    """Return what a record shows of its ``image``: the id of a picture, an address or nothing.

    ``linked`` holds the pictures that exist; ``False`` stands for none.
    """
    if isinstance(image, str) and image:
        return image_by_url(image)
    media = linked.get(MEDIA.name, {}).get(image) if isinstance(image, int) else None
    return image_object(media, site_url) if media else False


def image_object(media: Record, site_url: str) -> dict[str, Any]:
    """Return what ``image`` shows of a stored picture; one that is tiny has no ``sizes``.

    ``site_url`` is the public address of the service, without a slash at its end.
    """
    folder = f"{site_url}/{MEDIA.name}/{media['_id']}"
    image = {
        "url": f"{folder}/{media['filename']}",
        "id": media["_id"],
        "extension": media["extension"],
        "width": media["width"],
        "height": media["height"],
        "filesize": media["filesize"],
    }
    sizes = {name: _size(size, folder) for name, size in media["sizes"].items()}
    return image | {"sizes": sizes} if sizes else image


def image_by_url(url: str) -> dict[str, Any]:
    """Return what ``image`` shows of a picture that stands elsewhere; nobody has looked at it."""
    suffix = PurePosixPath(urlsplit(url).path).suffix
    return {
        "url": url,
        "id": 0,
        "extension": suffix.removeprefix(".").lower(),
        "width": None,
        "height": None,
        "filesize": None,
        "sizes": {},
    }


def uploaded(media: Record, site_url: str) -> dict[str, Any]:
    """Return the answer to an upload: the id that ``image`` takes, and what it will show."""
    image = image_object(media, site_url)
    return {"id": image["id"], "source_url": image["url"], **image}


def _size(size: Record, folder: str) -> dict[str, Any]:
    return {
        "width": size["width"],
        "height": size["height"],
        "mime-type": size["mime"],
        "filesize": size["filesize"],
        "url": f"{folder}/{size['filename']}",
    }
