"""The category: a term of a hierarchy that classifies events."""

from calendar_app.domain.kind import Index, Kind, Markup

CATEGORY = Kind(
    name="categories",
    singular="category",
    label="name",
    texts={"name": Markup.TERM, "description": Markup.INLINE},
    searched_texts=("name", "slug", "description"),
    sequence="terms",
    has_status=False,
    defaults={"parent": 0, "ancestors": [], "count": 0},
    indexes=(
        Index((("slugs", 1),), "categories by slug, and that a slug is taken once", unique=True),
        Index((("imported.source", 1),), "an import finds again what it made", unique=True),
        Index((("names", 1), ("parent", 1)), "a name is taken once below one parent"),
        Index((("parent", 1),), "the children of a category"),
        Index((("ancestors", 1),), "the descendants of a category"),
        Index((("count", 1),), "hide_empty", deferred=True),
    ),
)
