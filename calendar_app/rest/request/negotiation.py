"""Which languages a request is answered in.

The parameter wins over the language segment of the address, that one over ``Accept-Language``
(where the site heeds it), and the site's default comes last. Tags are looked up as RFC 4647
section 3.4 has it: in any letter case, and ``de-CH`` finds ``de``.
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
    known = {language.lower(): language for language in languages}
    subtags = tag.lower().replace("_", "-").split("-")
    while subtags:
        found = known.get("-".join(subtags))
        if found:
            return found
        subtags.pop()
        # A single letter only introduces what follows it.
        while subtags and len(subtags[-1]) == 1:
            subtags.pop()
    return None


def asked_language(sent: Mapping[str, Any], settings: Settings, *, reading: bool) -> str | None:
    """Return the language of the parameter; ``all`` counts as one where something is read."""
    name = settings.translation_parameter
    asked = sent.get(name)
    if asked in (None, ""):
        return None
    if asked == ALL_LANGUAGES and reading:
        return ALL_LANGUAGES
    found = look_up(asked, settings.languages) if isinstance(asked, str) else None
    if found is None:
        known = ", ".join(settings.languages)
        raise InvalidParameters(
            {name: Message("{name} must be one of {words}.", name=name, words=known)}
        )
    return found


def accepted_language(accepted: Iterable[str], settings: Settings) -> str:
    """Return the first language that a client accepts, its wishes in order; else the default."""
    for tag in accepted:
        found = None if tag == _ANY else look_up(tag, settings.languages)
        if found:
            return found
        if tag == _ANY:
            break
    return settings.default_language


def fallback_chain(language: str, wanted: Any, settings: Settings) -> tuple[str, ...]:
    """Return the chain behind ``language``; ``wanted`` is the parameter ``fallback``, if sent."""
    if wanted in (None, ""):
        return settings.chain(language)
    if wanted == _NO_FALLBACK:
        return (language,)
    tags = wanted if isinstance(wanted, list) else str(wanted).split(",")
    found = [look_up(str(tag), settings.languages) for tag in tags]
    if None in found:
        raise InvalidParameters(
            {"fallback": Message("fallback must be none or languages of the site.")}
        )
    return tuple(dict.fromkeys((language, *(tag for tag in found if tag))))
