"""The tag: a term without hierarchy that classifies events."""

from calendar_app.domain.kind import Index, Kind, Markup

TAG = Kind(
    name="tags",
    singular="tag",
    label="name",
    texts={"name": Markup.TERM, "description": Markup.INLINE},
    searched_texts=("name", "slug", "description"),
    sequence="terms",
    has_status=False,
    defaults={"count": 0},
    indexes=(
        Index((("slugs", 1),), "tags by slug, and that a slug is taken once", unique=True),
        Index((("imported.source", 1),), "an import finds again what it made", unique=True),
        Index((("names", 1),), "a name is taken once"),
        Index((("count", 1),), "hide_empty", deferred=True),
    ),
)
