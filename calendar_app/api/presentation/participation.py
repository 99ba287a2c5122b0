"""Who can take part in an event: its fields, and the same in the words of schema.org."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from calendar_app.api.presentation.nodes import Node, document, instant_text, node, one_or_all
from calendar_app.api.presentation.records import Presented, date_text
from calendar_app.api.presentation.shapes import Field, Shape, ShapeFields, either
from calendar_app.domain.kind import Record
from calendar_app.domain.participation import ACCESSIBILITY, FEATURE_SET, FEATURES, GROUPS
from calendar_app.domain.texts.messages import translated
from calendar_app.domain.texts.participation_words import ACCESSIBILITY_WORDS
from calendar_app.domain.zones import instant_of, zone_of
from calendar_app.readmodel.events import ReadEvent


def _stated(name: str, present: Callable[[Any], Any] = lambda it: it) -> Callable[[Record], Any]:
    """Return a presenter of a part that documents may lack."""
    return lambda it: present(it[name]) if name in it else None


_AUDIENCE = Shape[Record](
    "Audience",
    {
        "min_age": Field("integer|null", _stated("min_age"), "From this age on."),
        "max_age": Field("integer|null", _stated("max_age"), "Up to this age."),
        "groups": Field(
            [GROUPS], lambda it: it.get("groups", []), "The groups for which it is meant."
        ),
    },
)
_REGISTRATION = Shape[Record](
    "Registration",
    {
        "url": Field("string", lambda it: it.get("url", ""), "The page on which people register."),
        "opens": Field(
            "string|null", _stated("opens", date_text), "In the time zone of the event."
        ),
        "closes": Field(
            "string|null", _stated("closes", date_text), "In the time zone of the event."
        ),
        "required": Field("boolean|null", _stated("required"), "Null if unknown."),
    },
)
PARTICIPATION: ShapeFields[Presented[ReadEvent]] = {
    "accessibility": Field(
        [ACCESSIBILITY],
        lambda it: list(it.read.accessibility),
        "The ways in which it is accessible.",
    ),
    "in_language": Field(
        ["string"],
        lambda it: list(it.read.in_language),
        "The languages in which it is held; empty if unknown.",
    ),
    "audience": Field(
        either(_AUDIENCE, "null"),
        lambda it: it.read.audience and _AUDIENCE.present(it.read.audience),
        "The audience.",
    ),
    "registration": Field(
        either(_REGISTRATION, "null"),
        lambda it: it.read.registration and _REGISTRATION.present(it.read.registration),
        "Where and until when people register.",
    ),
}


# The same in the words of schema.org.


def participation(event: ReadEvent) -> dict[str, Any]:
    """Return who can take part: accessibility, audience, registration.

    An event has no property for accessibility: its keywords tell of all ways, and a work that is
    featured of those that schema.org has words for.
    """
    words, audience = event.accessibility, event.audience or {}
    features = [FEATURES[word] for word in words if word in FEATURES]
    return {
        "keywords": one_or_all([accessibility_term(word, event.context.chain) for word in words]),
        "workFeatured": node("CreativeWork", {"accessibilityFeature": one_or_all(features)})
        if features
        else None,
        "typicalAgeRange": _age_range(audience),
        "audience": _people(audience) if audience else None,
        "potentialAction": _action(event),
    }


def participation_document(event: ReadEvent) -> Node | None:
    """Return access, audience and registration of an event; ``None`` without any."""
    spoken = one_or_all(list(event.in_language))
    described = node("Event", {"inLanguage": spoken, **participation(event)})
    return document(described) if len(described) > 1 else None


def accessibility_term(word: str, chain: Sequence[str]) -> Node:
    """Return a way of being accessible, with its name for readers of a chain of languages."""
    name = translated(ACCESSIBILITY_WORDS[word], chain)
    return node("DefinedTerm", {"name": name, "termCode": word, "inDefinedTermSet": FEATURE_SET})


def _age_range(audience: Mapping[str, Any]) -> str | None:
    """Return ages as ``6-12`` or ``6-``; ``None`` where there are none."""
    if "min_age" not in audience:
        return None
    return f"{audience['min_age']}-{audience.get('max_age', '')}"


def _people(audience: Mapping[str, Any]) -> Node:
    properties = {
        "suggestedMinAge": audience.get("min_age"),
        "suggestedMaxAge": audience.get("max_age"),
        "audienceType": one_or_all(list(audience.get("groups", ()))),
    }
    return node("PeopleAudience", properties)


def _action(event: ReadEvent) -> Node | None:
    """Return the registration as an action with its period."""
    registration, timezone = event.registration or {}, event.record["timezone"]
    if not registration.keys() & {"url", "opens", "closes"}:
        return None
    opens, closes = (
        instant_text(instant_of(registration[name], zone_of(timezone)), timezone)
        if name in registration
        else None
        for name in ("opens", "closes")
    )
    target = registration.get("url") or event.url
    return node("JoinAction", {"target": target, "startTime": opens, "endTime": closes})
