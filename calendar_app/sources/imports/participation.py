"""Who can take part in an event, read from schema.org's words for it."""

import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from datetime import datetime
from typing import Any

from calendar_app.domain.kind import Record
from calendar_app.domain.moments import Moment
from calendar_app.domain.participation import (
    ACCESSIBILITY,
    FEATURE_SET,
    FEATURES,
    GROUPS,
    OLDEST,
    audience,
    in_order,
    language_tag,
)
from calendar_app.domain.texts.sanitizing import web_url
from calendar_app.domain.zones import zone_of

SourceNode = Mapping[str, Any]
_WORDS: Mapping[str, str] = {their: own for own, their in FEATURES.items()}
_RANGE = re.compile(r"(\d{1,3})?\s*(?:[-\u2013+]\s*(\d{1,3})?)?", re.ASCII)
_ACTIONS = ("JoinAction", "RegisterAction", "ReserveAction")


def participation_of(node: SourceNode, timezone: str) -> Record:
    """Return access, audience and registration of an event, with times in its ``timezone``."""
    return {
        "accessibility": in_order(_ways(node), ACCESSIBILITY),
        "in_language": languages_of(node),
        "audience": _audience(node),
        "registration": _registration(node, timezone),
    }


def languages_of(node: SourceNode) -> list[str]:
    """Return the languages in which an event is held."""
    members = _members(node.get("inLanguage"))
    words = (each.get("alternateName") if isinstance(each, dict) else each for each in members)
    tags = (language_tag(word) for word in words if isinstance(word, str))
    return list(dict.fromkeys(filter(None, tags)))


def is_way(keyword: Any) -> bool:
    """Say whether a keyword is a way of being accessible."""
    return isinstance(keyword, dict) and keyword.get("inDefinedTermSet") == FEATURE_SET


def _ways(node: SourceNode) -> Iterator[str]:
    places = _objects(node, "location")
    works = [*_objects(node, "workFeatured"), *_objects(node, "workPerformed"), node]
    yield from (
        str(each.get("termCode")) for each in _members(node.get("keywords")) if is_way(each)
    )
    for work in works:
        for word in _members(work.get("accessibilityFeature")):
            yield _WORDS.get(str(word), str(word))
    for place in places:
        for feature in _objects(place, "amenityFeature"):
            if feature.get("value") in (True, "true", "True"):
                yield str(feature.get("name"))


def _audience(node: SourceNode) -> Record | None:
    people = next(_objects(node, "audience"), {})
    first = people.get("suggestedMinAge", people.get("requiredMinAge"))
    last = people.get("suggestedMaxAge", people.get("requiredMaxAge"))
    if (first, last) == (None, None) and (
        ages := _RANGE.fullmatch(str(node.get("typicalAgeRange")).strip())
    ):
        first, last = ages.groups()
    groups = [str(word) for word in _members(people.get("audienceType"))]
    low, high = _age(first), _age(last)
    if low is not None and high is not None and high < low:
        high = None
    return audience(low, high, in_order(groups, GROUPS))


def _age(value: Any) -> int | None:
    with suppress(TypeError, ValueError):
        age = int(value)
        return age if 0 <= age <= OLDEST else None
    return None


def _registration(node: SourceNode, timezone: str) -> Record | None:
    for action in _objects(node, "potentialAction"):
        if str(action.get("@type")).rpartition("/")[2] in _ACTIONS:
            target = next(iter(_members(action.get("target"))), "")
            if isinstance(target, dict):
                target = target.get("urlTemplate") or target.get("url") or ""
            parts = {
                "url": web_url(str(target).strip()),
                "opens": _wall(action.get("startTime"), timezone),
                "closes": _wall(action.get("endTime"), timezone),
            }
            return {name: value for name, value in parts.items() if value} or None
    return None


def _wall(value: Any, timezone: str) -> datetime | None:
    with suppress(TypeError, ValueError):
        moment = datetime.fromisoformat(value).replace(microsecond=0)
        return Moment(moment.replace(tzinfo=None), moment.tzinfo).in_zone(zone_of(timezone))
    return None


def _members(value: Any) -> Iterable[Any]:
    return value if isinstance(value, list) else [] if value is None else [value]


def _objects(node: SourceNode, name: str) -> Iterator[SourceNode]:
    return (each for each in _members(node.get(name)) if isinstance(each, dict))
