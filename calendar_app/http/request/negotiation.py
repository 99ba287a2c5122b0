"""Which languages a request is answered in.

The parameter wins over the language segment of the address, that one over ``Accept-Language``
(where the site heeds it), and the site's default comes last. A parameter names a language of the
site, in any letter case. What a client accepts is looked up as RFC 4647 section 3.4 has it, so that
``de-CH`` finds ``de``; where that finds nothing, ``de`` matches ``de-CH`` as in section 3.3.1. How
much it likes a language, and what ``*`` is, is as RFC 9110 section 12.4.2 has it.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from calendar_app.errors import InvalidParameters, Message
from calendar_app.settings import Settings

ALL_LANGUAGES = "all"
_NO_FALLBACK = "none"
_ANY = "*"
# All programs take tags of this length (RFC 5646 section 4.4.1); looking up takes its square.
_LONGEST_TAG = 35


def look_up(tag: str, languages: Sequence[str]) -> str | None:
    """Return the language of the site that a tag means, the most exact one first."""
    tag = tag.strip()
    if len(tag) > _LONGEST_TAG:
        return None
    known = {_folded(language): language for language in languages}
    subtags = _folded(tag).split("-")
    while subtags:
        found = known.get("-".join(subtags))
        if found:
            return found
        subtags.pop()
        # A single letter only introduces what follows it.
        while subtags and len(subtags[-1]) == 1:
            subtags.pop()
    return None


def named_language(code: str, languages: Sequence[str]) -> str | None:
    """Return the language of the site that a code names."""
    known = (language for language in languages if _folded(language) == _folded(code))
    return next(known, None)


def _narrower(tag: str, languages: Sequence[str]) -> str | None:
    """Return the first language of the site that is a variety of the one that a tag means."""
    start = f"{_folded(tag)}-"
    return next((each for each in languages if _folded(each).startswith(start)), None)


def _folded(tag: str) -> str:
    return tag.strip().lower().replace("_", "-")


def asked_language(sent: Mapping[str, Any], settings: Settings, *, reading: bool) -> str | None:
    """Return the language of the parameter; ``all`` counts as one where something is read."""
    name = settings.translation_parameter
    asked = sent.get(name)
    if asked in (None, ""):
        return None
    if asked == ALL_LANGUAGES and reading:
        return ALL_LANGUAGES
    found = named_language(asked, settings.languages) if isinstance(asked, str) else None
    if found is None:
        known = ", ".join(settings.languages)
        raise InvalidParameters(
            {name: Message("{name} must be one of {words}.", name=name, words=known)}
        )
    return found


def accepted_language(accepted: Iterable[tuple[str, float]], settings: Settings) -> str:
    """Return the language that a client likes best, else the default.

    ``accepted`` are ranges and how much each is liked. Zero refuses what no other range names more
    exactly; ``*`` is whatever no other one names.
    """
    wishes = sorted(((_folded(tag), liked) for tag, liked in accepted), key=_liked, reverse=True)
    weights = dict(reversed(wishes))
    named_by = {each: _most_exact(each, weights) for each in settings.languages}
    taken = [each for each in settings.languages if weights.get(named_by[each], 1)]
    usual = [each for each in (settings.default_language, *taken) if each in taken]
    rest = [each for each in usual if named_by[each] == _ANY]
    for tag in (tag for tag, liked in wishes if liked):
        best = rest[:1] if tag == _ANY else [look_up(tag, taken) or _narrower(tag, taken)]
        if best and best[0]:
            return best[0]
    return usual[0] if usual else settings.default_language


def _liked(wish: tuple[str, float]) -> float:
    return wish[1]


def _most_exact(language: str, ranges: Iterable[str]) -> str:
    """Return the range that names a language most exactly; empty where none does."""
    subtags = f"{_folded(language)}-"
    naming = (each for each in ranges if each == _ANY or subtags.startswith(f"{each}-"))
    return max(naming, key=lambda each: (each != _ANY, len(each)), default="")


def fallback_chain(language: str, wanted: Any, settings: Settings) -> tuple[str, ...]:
    """Return the chain behind ``language``; ``wanted`` is the parameter ``fallback``, if sent."""
    if wanted in (None, ""):
        return settings.chain(language)
    if wanted == _NO_FALLBACK:
        return (language,)
    tags = wanted if isinstance(wanted, list) else str(wanted).split(",")
    found = [named_language(str(tag), settings.languages) for tag in tags]
    if None in found:
        raise InvalidParameters(
            {"fallback": Message("fallback must be none or languages of the site.")}
        )
    return tuple(dict.fromkeys((language, *(tag for tag in found if tag))))
