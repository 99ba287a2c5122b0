"""The organizer: who holds an event."""

from calendar_app.domain.kind import Index, Kind, Markup

ORGANIZER = Kind(
    name="organizers",
    singular="organizer",
    label="organizer",
    texts={"organizer": Markup.NAME, "description": Markup.HTML, "website": Markup.URL},
    lines=("phone", "email"),
    searched_texts=("organizer", "description", "website"),
    searched_lines=("phone", "email"),
    reused_by_name=True,
    defaults={"phone": "", "email": "", "image": None},
    indexes=(
        Index((("status", 1), ("published", -1), ("_id", -1)), "the list, newest first"),
        Index((("published", -1), ("status", 1), ("_id", 1)), "the list of editors"),
        Index((("author", 1), ("published", -1)), "the list of authors"),
        Index((("slugs", 1),), "by-slug, and that a slug is taken once", unique=True),
        Index((("imported.source", 1),), "an import finds again what it made", unique=True),
        Index((("names", 1),), "an organizer of the same name is used again"),
        Index((("image", 1), ("status", 1)), "which of them show a picture; deleting one"),
    ),
)
