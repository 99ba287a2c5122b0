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
    is_picture=True,
    indexes=(
        Index((("author", 1), ("_id", -1)), "author, and the total of it"),
        Index(
            (("contributed", 1), ("published", 1)),
            "pictures of contributions that are published or forgotten",
            having="contributed",
        ),
        Index((("imported.source", 1),), "an import finds again what it brought", unique=True),
    ),
)
