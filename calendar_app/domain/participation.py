"""Who can take part in an event: accessibility, spoken languages, audience, registration.

Documents leave out what nobody has said. An ``audience`` with ages has a ``min_age`` always, so
that one index finds it; times of a ``registration`` are on the clocks of the event's zone.
"""

import re
from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Any

ACCESSIBILITY = (
    *("wheelchair", "accessible_toilet", "accessible_parking", "seating", "companion"),
    *("assistance_dog", "hearing_loop", "sign_language", "captions", "audio_description"),
    *("tactile", "braille", "large_print", "plain_language", "quiet"),
)
GROUPS = (
    *("families", "children", "young_people", "adults", "seniors", "women", "men", "lgbtiq"),
    *("newcomers", "visitors", "students", "schools", "professionals"),
)
# The words of schema.org for what makes a work accessible.
FEATURES: Mapping[str, str] = MappingProxyType(
    {
        "sign_language": "signLanguage",
        "captions": "captions",
        "audio_description": "audioDescription",
        "tactile": "tactileObject",
        "braille": "braille",
        "large_print": "largePrint",
    }
)
# Keywords with this set are ways of being accessible.
FEATURE_SET = "https://schema.org/accessibilityFeature"
OLDEST = 150
# What is true of an event whose document does not say otherwise.
UNSTATED: Mapping[str, Any] = MappingProxyType(
    {"accessibility": [], "in_language": [], "audience": None, "registration": None}
)
_TAG = re.compile(
    r"(?P<language>[a-z]{2,3})(?:-(?P<script>[a-z]{4}))?(?:-(?P<region>[a-z]{2}|\d{3}))?"
    r"(?P<variants>(?:-(?:[a-z\d]{5,8}|\d[a-z\d]{3}))*)",
    re.IGNORECASE | re.ASCII,
)


def in_order(words: Iterable[str], vocabulary: Iterable[str]) -> list[str]:
    """Return each word once, in the order of the vocabulary."""
    chosen = set(words)
    return [word for word in vocabulary if word in chosen]


def language_tag(text: str) -> str | None:
    """Return a language tag as RFC 5646 writes it: ``de-CH``; ``None`` for anything else."""
    parts = _TAG.fullmatch(text.strip().replace("_", "-"))
    if parts is None:
        return None
    script, region = parts["script"] or "", parts["region"] or ""
    subtags = (parts["language"].lower(), script.title(), region.upper())
    return "-".join(filter(None, subtags)) + parts["variants"].lower()


def audience(
    min_age: int | None, max_age: int | None, groups: Iterable[str]
) -> dict[str, Any] | None:
    """Return an audience in its stored form; ``None`` where it is empty."""
    if max_age is not None:
        min_age = min_age or 0
    parts = {"min_age": min_age, "max_age": max_age, "groups": in_order(groups, GROUPS) or None}
    return {name: value for name, value in parts.items() if value is not None} or None
