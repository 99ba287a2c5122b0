"""The picture that records show."""

from calendar_app.domain.kind import Index, Kind, Markup

MEDIA = Kind(
    name="media",
    singular="media",
    # No text of a picture names it: it may have none.
    label="filename",
    texts={"title": Markup.NAME, "alt_text": Markup.LINE},
    searched_texts=("title", "alt_text"),
    searched_lines=("filename",),
    has_status=False,
    indexes=(
        Index((("imported.source", 1),), "an import finds again what it brought", unique=True),
    ),
)
