"""What plug-ins for several languages tell of a record: its language, and its translations.

A site tells the members of whichever plug-in it runs, or none of them:

* Polylang: ``lang``, and ``translations`` as an object of language to id.
* What shows WPML's or Polylang's translations in the REST interface: a list of objects with a
  locale and an id, or an object of language to such objects.
* A calendar such as this one: ``fallback_fields``, the texts that it shows in another language.
* A number or name that all translations of one record have in common.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from calendar_app.imports.tec.values import Raw
from calendar_app.resources.kinds import KINDS

_LANGUAGES = (
    "lang",
    "language",
    "language_code",
    "locale",
    "wpml_language",
    "wpml_current_locale",
    "polylang_current_lang",
)
# Where a language is told as an object.
_CODES = ("slug", "code", "language_code", "locale")
_TRANSLATIONS = ("translations", "wpml_translations", "polylang_translations", "pll_translations")
# In this order: what WPML calls the element of a term is not the id of the term.
_IDS = ("id", "ID", "post_id", "term_id", "object_id", "element_id")
_GROUPS = ("translation_group", "trid", "wpml_trid")
# Locales of WordPress that are not named by the code of their language.
_LONG_CODES: Mapping[str, str] = MappingProxyType(
    {"roh": "rm", "arg": "an", "bel": "be", "bre": "br", "oci": "oc", "srd": "sc"}
)
# Countries that say in which script Chinese is written.
_SCRIPTS: Mapping[str, str] = MappingProxyType(
    {
        "zh-cn": "zh-hans-cn",
        "zh-sg": "zh-hans-sg",
        "zh-hk": "zh-hant-hk",
        "zh-mo": "zh-hant-mo",
        "zh-tw": "zh-hant-tw",
    }
)
# What a record says in one language; the texts that are left out follow from others, or from none.
_TEXTS = frozenset(
    {text for kind in KINDS for text in kind.translatable} - {"website", "stateprovince"}
)
_TAG = re.compile(r"[a-z]{2,3}([_-][a-z0-9]+)*", re.ASCII | re.IGNORECASE)
_ID = re.compile(r"\d{1,15}", re.ASCII)
_LAST_NUMBER = re.compile(r"/(\d{1,15})/?(?:[?#].*)?$", re.ASCII)


def is_in_another(raw: Raw, language: str, languages: Sequence[str]) -> bool:
    """Say whether a record is told to be in another language, of ``languages`` or of none."""
    codes = [code for name in _LANGUAGES if _TAG.fullmatch(code := _code(raw.get(name)))]
    fitting = (_fitting(code, languages) for code in codes)
    return bool(codes) and language not in next(filter(None, fitting), [])


def has_all_languages(raw: Raw) -> bool:
    """Say whether a record is that of a calendar such as this one, with one id in all languages."""
    return isinstance(raw.get("fallback_fields"), list)


def fallbacks_told(raw: Raw) -> frozenset[str]:
    """Return the fields whose texts are in another language than the record."""
    told = raw.get("fallback_fields")
    return frozenset(str(name) for name in told) if isinstance(told, list) else frozenset()


def is_shown_in_another(raw: Raw) -> bool:
    """Say whether no text of a record is in the language that was asked for."""
    fallbacks = fallbacks_told(raw)
    return bool(fallbacks) and not any(
        raw[name] and isinstance(raw[name], str) for name in (_TEXTS - fallbacks) & raw.keys()
    )


def translations_told(raw: Raw, language: str, languages: Sequence[str]) -> frozenset[int]:
    """Return the ids of the translations into other languages than ``language``."""
    numbers = {
        number
        for code, number in _entries(raw)
        if number > 0 and _fitting(code, languages) != [language]
    }
    return frozenset(numbers - {_number(raw)})


def group_told(raw: Raw) -> str:
    """Return what all translations of a record have in common; nothing where it is not told."""
    told = (raw.get(name) for name in _GROUPS)
    return next((str(one) for one in told if isinstance(one, str | int) and one), "")


def _entries(raw: Raw) -> Iterator[tuple[str, int]]:
    """Yield code and id of each translation; what cannot be read has no code, or id 0."""
    for name in _TRANSLATIONS:
        yield from _listed(raw.get(name), _number)
    links = raw.get("_links")
    if isinstance(links, dict):
        for name in ("translation", "translations"):
            yield from _listed(links.get(name), _linked)


def _listed(told: Any, number_of: Callable[[Any], int]) -> Iterator[tuple[str, int]]:
    if isinstance(told, dict):
        yield from ((str(code), number_of(entry)) for code, entry in told.items())
    elif isinstance(told, list):
        for entry in told:
            if isinstance(entry, dict):
                codes = (_code(entry.get(name)) for name in _LANGUAGES)
                yield next(filter(None, codes), ""), number_of(entry)


def _number(told: Any) -> int:
    """Return an id, told as such or in an object."""
    if isinstance(told, dict):
        found = (told.get(name) for name in _IDS)
        return next((_number(one) for one in found if one and not isinstance(one, dict)), 0)
    if isinstance(told, str):
        return int(told) if _ID.fullmatch(told) else 0
    return told if isinstance(told, int) and not isinstance(told, bool) else 0


def _linked(told: Any) -> int:
    """Return the id at the end of an address."""
    address = told.get("href") if isinstance(told, dict) else told
    found = _LAST_NUMBER.search(address) if isinstance(address, str) else None
    return int(found[1]) if found else 0


def _code(told: Any) -> str:
    if isinstance(told, dict):
        return next((code for name in _CODES if (code := _code(told.get(name)))), "")
    return told if isinstance(told, str) else ""


def _fitting(told: str, languages: Sequence[str]) -> list[str]:
    """Return the language that a code or a locale names; several where it may be any of them."""
    ranks = {language: _nearness(_subtags(told), _subtags(language)) for language in languages}
    best = max(ranks.values(), default=(0, 0))
    return [language for language, rank in ranks.items() if rank == best > (0, 0)]


def _nearness(told: Sequence[str], own: Sequence[str]) -> tuple[int, int]:
    """Return with how many subtags in common both begin, and how few others the own one has."""
    alike = [one == other for one, other in zip(told, own, strict=False)]
    return [*alike, False].index(False), -len(own)


def _subtags(code: str) -> list[str]:
    code = code.replace("_", "-").casefold()
    primary, *others = _SCRIPTS.get(code, code).split("-")
    return [_LONG_CODES.get(primary, primary), *others]
