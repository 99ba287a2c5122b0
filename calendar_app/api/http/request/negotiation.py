"""Language negotiation: parameter, path segment, ``Accept-Language``, default, in this order.

The parameter names a language of the site in any letter case. ``Accept-Language``, if the site
uses it, is matched by lookup (RFC 4647 section 3.4): ``de-CH`` finds ``de``; failing that, ``de``
matches ``de-CH`` (section 3.3.1). Qualities and ``*`` follow RFC 9110 section 12.4.2.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any

from werkzeug.datastructures import LanguageAccept
from werkzeug.http import parse_accept_header

from calendar_app.domain.languages import folded_tag, look_up
from calendar_app.errors import InvalidParameters, Message
from calendar_app.settings import Settings

ALL_LANGUAGES = "all"
# Of messages, on every site.
ENGLISH = "en"
# Understood beside the name that the setting ``translation_parameter`` gives.
TRANSLATION_LANGUAGE = "translation_language"
_NO_FALLBACK = "none"
_ANY = "*"
_MOST_HEADERS = 256  # that are remembered


def named_language(code: str, languages: Sequence[str]) -> str | None:
    """Return the language of the site with this code, in any letter case."""
    if code in languages:
        return code
    languages_of_code = (
        language for language in languages if folded_tag(language) == folded_tag(code)
    )
    return next(languages_of_code, None)


def _variety_of(tag: str, languages: Sequence[str]) -> str | None:
    """Return the first language of the site that is a variety of the tag."""
    start = f"{folded_tag(tag)}-"
    return next((each for each in languages if folded_tag(each).startswith(start)), None)


def language_parameter(sent: Mapping[str, Any], settings: Settings) -> str:
    """Return the name by which a request names its language; that of the setting wins."""
    name = settings.translation_parameter
    is_own = sent.get(name) not in (None, "") or TRANSLATION_LANGUAGE not in sent
    return name if is_own else TRANSLATION_LANGUAGE


def parameter_language(sent: Mapping[str, Any], settings: Settings, *, is_read: bool) -> str | None:
    """Return the language of the parameter; reads also allow ``all``."""
    name = language_parameter(sent, settings)
    code = sent.get(name)
    if code in (None, ""):
        return None
    if code == ALL_LANGUAGES and is_read:
        return ALL_LANGUAGES
    language = named_language(code, settings.languages) if isinstance(code, str) else None
    if language is None:
        words = ", ".join([*settings.languages, *([ALL_LANGUAGES] if is_read else [])])
        raise InvalidParameters(
            {name: Message("{name} must be one of {words}.", name=name, words=words)}
        )
    return language


@lru_cache(_MOST_HEADERS)
def accepted_language(header: str, languages: tuple[str, ...], default: str) -> str:
    """Return the language of the site that ``Accept-Language`` prefers, else the default.

    Quality zero excludes a language unless a more exact range names it; ``*`` matches languages
    that no other range names.
    """
    accepted = parse_accept_header(header, LanguageAccept)
    preferences = sorted(
        ((folded_tag(tag), quality) for tag, quality in accepted), key=_quality, reverse=True
    )
    weights = dict(reversed(preferences))
    range_of = {each: _most_exact(each, weights) for each in languages}
    acceptable = [each for each in languages if weights.get(range_of[each], 1)]
    candidates = [each for each in (default, *acceptable) if each in acceptable]
    unnamed = [each for each in candidates if range_of[each] == _ANY]
    for tag in (tag for tag, quality in preferences if quality):
        best = (
            unnamed[:1]
            if tag == _ANY
            else [look_up(tag, acceptable) or _variety_of(tag, acceptable)]
        )
        if best and best[0]:
            return best[0]
    return candidates[0] if candidates else default


def _quality(preference: tuple[str, float]) -> float:
    return preference[1]


def _most_exact(language: str, ranges: Iterable[str]) -> str:
    """Return the range that matches a language most exactly, else an empty text."""
    subtags = f"{folded_tag(language)}-"
    naming = (each for each in ranges if each == _ANY or subtags.startswith(f"{each}-"))
    return max(naming, key=lambda each: (each != _ANY, len(each)), default="")


def fallback_chain(language: str, parameter: Any, settings: Settings) -> tuple[str, ...]:
    """Return ``language`` and its fallbacks; ``parameter`` is the one of this name, if sent."""
    if parameter in (None, ""):
        return settings.chain(language)
    if parameter == _NO_FALLBACK:
        return (language,)
    tags = parameter if isinstance(parameter, list) else str(parameter).split(",")
    languages = [named_language(str(tag), settings.languages) for tag in tags]
    if None in languages:
        raise InvalidParameters(
            {"fallback": Message("fallback must be none or languages of the site.")}
        )
    return tuple(dict.fromkeys((language, *(tag for tag in languages if tag))))
