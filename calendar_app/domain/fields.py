"""Names of stored fields that are computed from others, for searches and lists."""

FOLDED = "folded"
SHARED = "shared"
# The folding rules of a record without an index of words.
FOLDED_BY = "rules"
# Fields for indexes of records with an index of words, by language of the site: the title that its
# readers see, and whether it is in their language; all languages with a title, in one value.
DISPLAY_TITLE = "display_title"
TITLE_LANGUAGES = "title_languages"
HAS_TITLE = "has_title"
# When an event was withdrawn of which feeds still tell.
WITHDRAWN_AT = "withdrawn.at"
LASTS_UNDER = "lasts_under"
WORDS = "words"
# The rules and languages by which the words of a record were indexed.
RULES = "worded"
WORDED = f"{FOLDED}.{RULES}"


def has_title(language: str) -> str:
    """Return the field for whether a record has a title in a language of the site."""
    return f"{HAS_TITLE}.{language}"


def display_title(language: str) -> str:
    """Return the field with the title that readers of a language see."""
    return f"{DISPLAY_TITLE}.{language}"
