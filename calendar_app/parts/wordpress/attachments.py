"""Pictures as WordPress shows them: attachments, whose slug is the name of their file."""

from calendar_app.api.presentation.media import MEDIA_SHAPE, present_media
from calendar_app.api.presentation.records import RecordView
from calendar_app.api.presentation.shapes import JSONObject
from calendar_app.domain.kind import Record
from calendar_app.domain.kinds import MEDIA
from calendar_app.domain.pictures import EXTENSIONS
from calendar_app.domain.richtext import escape
from calendar_app.parts.wordpress.contexts import (
    CURIES,
    DISCLOSURE,
    EDIT,
    EMBED,
    disclosed,
    text_of,
    time_of,
)
from calendar_app.parts.wordpress.names import NAMESPACE
from calendar_app.readmodel.records import PictureSize, ReadPicture, stored_picture

ATTACHMENT = "attachment"
PATH = f"/{NAMESPACE}/{MEDIA.name}"
_FULL = "full"
_SHOWN = MEDIA_SHAPE.only(
    ("date", "date_utc", "modified", "modified_utc", "title", "author", DISCLOSURE),
)
_EMBEDDED = frozenset(
    {
        *("id", "date", "slug", "type", "link", "title", "author", "caption", "alt_text"),
        *("media_type", "mime_type", "media_details", "source_url", DISCLOSURE, "_links"),
    }
)


def filenames_of(slug: str) -> list[str]:
    """Return the names that the file of a picture with this slug may have."""
    return [f"{slug}.{extension}" for extension in dict.fromkeys(EXTENSIONS.values())]


def present_attachment(media: Record, view: RecordView, context: str) -> JSONObject:
    """Present a picture in a ``context``; that for editors has texts as they were sent too."""
    fields = present_media(media, view, _SHOWN)
    picture = stored_picture(media, view.context)
    is_edited, name = context == EDIT, media["filename"].rpartition(".")[0]
    body = {
        "id": picture.id,
        "date": time_of(fields["date"]),
        "date_gmt": time_of(fields["date_utc"]),
        "guid": {"rendered": picture.full.url},
        "modified": time_of(fields["modified"]),
        "modified_gmt": time_of(fields["modified_utc"]),
        "slug": name,
        "status": "inherit",
        "type": ATTACHMENT,
        "link": picture.full.url,
        "title": text_of(fields["title"] or name, is_edited=is_edited),
        "author": int(fields["author"]),
        "template": "",
        "meta": [],
        "caption": text_of(escape(picture.credit), is_edited=is_edited),
        "alt_text": escape(picture.alt.text),
        "media_type": "image",
        "mime_type": picture.full.mime,
        "media_details": _details(picture),
        "post": None,
        "source_url": picture.full.url,
        **disclosed(fields),
        "_links": _links(picture.id, view),
    }
    if context != EMBED:
        return body
    return {name: value for name, value in body.items() if name in _EMBEDDED}


def _details(picture: ReadPicture) -> JSONObject:
    sizes = {**picture.sizes, _FULL: picture.full}
    return {
        "width": picture.full.width,
        "height": picture.full.height,
        "file": _file(picture.full),
        "filesize": picture.full.filesize,
        "sizes": {name: _size(size) for name, size in sizes.items()},
    }


def _size(size: PictureSize) -> JSONObject:
    return {
        "file": _file(size),
        "width": size.width,
        "height": size.height,
        "mime_type": size.mime,
        "source_url": size.url,
    }


def _file(size: PictureSize) -> str:
    return size.url.rpartition("/")[2]


def _links(number: int, view: RecordView) -> JSONObject:
    root = f"{view.context.addresses.index}{NAMESPACE}"
    collection = f"{root}/{MEDIA.name}"
    return {
        "self": [{"href": f"{collection}/{number}"}],
        "collection": [{"href": collection}],
        "about": [{"href": f"{root}/types/{ATTACHMENT}"}],
        "curies": CURIES,
    }
