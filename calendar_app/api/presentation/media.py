"""Presentation of pictures: inside other records, and alone.

Shapes as in ``docs/reference/pictures.md``.
"""

from collections.abc import Callable
from typing import Any, Literal

from calendar_app.api.presentation.records import (
    AUTHOR,
    DATES,
    LANGUAGE,
    TRANSLATIONS,
    VARIANTS,
    Presented,
    RecordView,
    escaped,
    stored,
)
from calendar_app.api.presentation.shapes import (
    ABSENT,
    Field,
    JSONObject,
    Shape,
    ShapeFields,
    by_name,
)
from calendar_app.calendar.shown_pictures import Uses
from calendar_app.domain.kind import Record
from calendar_app.domain.kinds.linked import MEDIA
from calendar_app.domain.ledger import DISCLOSURES
from calendar_app.readmodel.linked import ReadMedia
from calendar_app.readmodel.records import (
    PictureSize,
    ReadPicture,
    ReadRecord,
    stored_picture,
)

# The singular names of kinds with pictures, by collection.
_SINGULAR = {"events": "event", "venues": "venue", "organizers": "organizer"}


# One of the smaller files; sizes of files elsewhere are unknown.
_SIZE = Shape[PictureSize](
    "ImageSize",
    {
        "width": Field("integer|null", lambda it: it.width, "The width in pixels."),
        "height": Field("integer|null", lambda it: it.height, "The height in pixels."),
        "mime-type": Field(
            "string", lambda it: it.mime, "The media type of the file.", sometimes=True
        ),
        "filesize": Field("integer", lambda it: it.filesize, "in bytes", sometimes=True),
        "url": Field("url", lambda it: it.url, "The address of the file."),
    },
)
_SIZE_ELSEWHERE = Shape(
    _SIZE.name, {name: _SIZE.fields[name] for name in ("url", "width", "height")}
)


def _sizes(picture: ReadPicture) -> JSONObject:
    shape = _SIZE if picture.id else _SIZE_ELSEWHERE
    return {name: shape.present(size) for name, size in picture.sizes.items()}


_FILE: ShapeFields[ReadPicture] = {
    "url": Field("url", lambda it: it.full.url, "The address of the picture in full size."),
    "id": Field("integer", lambda it: it.id, "The id of the picture; 0 for one of another site."),
    "extension": Field("string", lambda it: it.extension, "The extension of its file name."),
    "width": Field("integer|null", lambda it: it.full.width, "The width in pixels."),
    "height": Field("integer|null", lambda it: it.full.height, "The height in pixels."),
    "filesize": Field("integer|null", lambda it: it.full.filesize, "in bytes"),
    "alt_text": Field(
        "string",
        lambda it: it.alt_text.text if it.id else ABSENT,
        "in the language of the request, if there is one; plain text",
        sometimes=True,
    ),
    "ai_disclosure": Field(
        tuple(DISCLOSURES.values()),
        lambda it: it.alt.disclosure or ABSENT,
        "where a machine wrote its alternative text; it does not concern the picture",
        sometimes=True,
    ),
    "credit": Field(
        "string",
        lambda it: it.credit if it.id else ABSENT,
        "the credit: who made it",
        sometimes=True,
    ),
    "license": Field(
        "string",
        lambda it: it.license if it.id else ABSENT,
        "the license: an address, or a name such as CC BY 4.0",
        sometimes=True,
    ),
    "focus": Field(
        "string",
        lambda it: it.focus if it.id else ABSENT,
        "the focus point that crops keep, as CSS `object-position`: `30% 20%` is 30% from the "
        "left and 20% from the top; empty: the center",
        sometimes=True,
    ),
    "sizes": Field(
        by_name(_SIZE),
        lambda it: _sizes(it) if it.sizes or not it.id else ABSENT,
        "Smaller versions, by their names.",
        sometimes=True,
    ),
}
# A picture inside a record; an external one has the id 0 and no measures.
IMAGE = Shape("Image", _FILE)
MEDIA_USE = Shape[tuple[tuple[str, int], RecordView]](
    "MediaUse",
    {
        "type": Field(
            tuple(_SINGULAR.values()), lambda it: _SINGULAR[it[0][0]], "The kind of the record."
        ),
        "id": Field("integer", lambda it: it[0][1], "The id of the record."),
        "url": Field(
            "url",
            lambda it: it[1].context.addresses.record(*it[0]),
            "its address in this interface",
        ),
    },
)
_USES = Shape[tuple[Uses, RecordView]](
    "Uses",
    {
        "used_by": Field(
            [MEDIA_USE],
            lambda it: [MEDIA_USE.present((place, it[1])) for place in it[0].places],
            "where it is shown, the first hundred; not in lists",
        ),
        "uses": Field(
            "integer",
            lambda it: it[0].total,
            "the number of places where it is shown; not in lists",
        ),
    },
)


class _PresentedMedia(Presented[ReadMedia]):
    """A picture by itself, with its files."""

    def __init__(self, media: Record, view: RecordView) -> None:
        super().__init__(MEDIA, ReadMedia(media, view.context), view)
        self.picture = stored_picture(media, view.context)


def _translations(it: _PresentedMedia) -> JSONObject:
    """Return the state in each language; the file is the same in all, and has no page."""
    return {
        language: {**translation, "url": it.picture.full.url}
        for language, translation in it.read.translations(MEDIA.name).items()
    }


def _of_picture(field: Field[ReadPicture]) -> Callable[[_PresentedMedia], Any]:
    return lambda it: field.value(it.picture)


MEDIA_SHAPE = Shape[_PresentedMedia](
    "Media",
    {
        **{
            name: Field(field.type, _of_picture(field), field.meaning)
            for name, field in _FILE.items()
        },
        "sizes": Field(
            by_name(_SIZE), lambda it: _sizes(it.picture), "Smaller versions, by their names."
        ),
        "source_url": Field("url", lambda it: it.picture.full.url, "the same as url"),
        "rest_url": Field(
            "url",
            lambda it: it.context.addresses.record(MEDIA.name, it.read.id),
            "The address of the picture in this interface.",
        ),
        "mime_type": Field("string", stored("mime"), "The media type of the file."),
        "filename": Field("string", stored("filename"), "The name of the file that was sent."),
        "title": Field("string", escaped("title"), "The title, as HTML text."),
        **AUTHOR,
        **DATES,
        **LANGUAGE,
        "translations": Field(TRANSLATIONS, _translations, "The state of its texts, by language."),
        **VARIANTS,
        **{
            name: Field(field.type, meaning=field.meaning, sometimes=True)
            for name, field in _USES.fields.items()
        },
    },
)


def present_image(record: ReadRecord, view: RecordView) -> JSONObject | Literal[False]:
    """Present the image of a record; ``False`` if it has none, or it is missing."""
    image = record.record.get("image")
    if not isinstance(image, int):
        return IMAGE.present(record.picture) if record.picture else False
    media = view.context.linked.get(MEDIA.name, {}).get(image)
    return stored_image(media, view) if media and record.is_open("image") else False


def stored_image(media: Record, view: RecordView) -> JSONObject:
    """Present a stored picture; a tiny one has no ``sizes``."""
    return IMAGE.present(stored_picture(media, view.context))


def present_media(
    media: Record, view: RecordView, shape: Shape[_PresentedMedia] = MEDIA_SHAPE
) -> JSONObject:
    """Present a picture as its own routes do, without its uses."""
    return shape.present(_PresentedMedia(media, view))


def present_uses(uses: Uses, view: RecordView) -> JSONObject:
    """Present the first uses of a picture, and their number."""
    return _USES.present((uses, view))
