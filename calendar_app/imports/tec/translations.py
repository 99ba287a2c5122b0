"""Language and translations of a record, from the fields of plug-ins for several languages.

A site has the fields of one plug-in, or none:

* Polylang: ``lang``, and ``translations`` as an object of language to id.
* WPML, and REST add-ons for both: a list of objects with a locale and an id, or an object of
  language to these.
* This calendar: ``fallback_fields``, the texts that are in another language.
* A group: a number or name that the translations of one record share.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from calendar_app.imports.tec.values import Raw

_LANGUAGES = (
    "lang",
    "language",
    "language_code",
    "locale",
    "wpml_language",
    "wpml_current_locale",
    "polylang_current_lang",
)
# The fields of a language that is an object.
_CODES = ("slug", "code", "language_code", "locale")
_TRANSLATIONS = ("translations", "wpml_translations", "polylang_translations", "pll_translations")
# In this order: the element of a term in WPML is not the id of the term.
_IDS = ("id", "ID", "post_id", "term_id", "object_id", "element_id")
_GROUPS = ("translation_group", "trid", "wpml_trid")
# Locales of WordPress that are not named by the code of their language.
_LONG_CODES: Mapping[str, str] = MappingProxyType(
    {"roh": "rm", "arg": "an", "bel": "be", "bre": "br", "oci": "oc", "srd": "sc"}
)
_TAG = re.compile(r"[a-z]{2,3}([_-][a-z0-9]+)*", re.ASCII | re.IGNORECASE)
_ID = re.compile(r"\d{1,15}", re.ASCII)
_LAST_NUMBER = re.compile(r"/(\d{1,15})/?(?:[?#].*)?$", re.ASCII)


def is_in_another(raw: Raw, language: str, languages: Sequence[str]) -> bool:
    """Return whether a record has a language, and that is not this one."""
    codes = [code for name in _LANGUAGES if _TAG.fullmatch(code := _code(raw.get(name)))]
    matches = (_matching(code, languages) for code in codes)
    return bool(codes) and language not in next(filter(None, matches), [])


def fallback_fields(raw: Raw) -> frozenset[str]:
    """Return the fields with texts in another language than the record."""
    names = raw.get("fallback_fields")
    return frozenset(map(str, names)) if isinstance(names, list) else frozenset()


def translation_ids(raw: Raw, language: str, languages: Sequence[str]) -> frozenset[int]:
    """Return the ids of the translations into other languages than ``language``."""
    numbers = {
        number
        for code, number in _entries(raw)
        if number > 0 and _matching(code, languages) != [language]
    }
    return frozenset(numbers - {_number(raw)})


def group_of(raw: Raw) -> str:
    """Return the group that all translations of a record share, empty if there is none."""
    groups = (raw.get(name) for name in _GROUPS)
    return next((str(group) for group in groups if isinstance(group, str | int) and group), "")


def _entries(raw: Raw) -> Iterator[tuple[str, int]]:
    """Yield language and id of each translation; unreadable ones are empty, or 0."""
    for name in _TRANSLATIONS:
        yield from _listed(raw.get(name), _number)
    links = raw.get("_links")
    if isinstance(links, dict):
        for name in ("translation", "translations"):
            yield from _listed(links.get(name), _linked)


def _listed(entries: Any, number_of: Callable[[Any], int]) -> Iterator[tuple[str, int]]:
    if isinstance(entries, dict):
        yield from ((str(code), number_of(entry)) for code, entry in entries.items())
    elif isinstance(entries, list):
        for entry in entries:
            if isinstance(entry, dict):
                codes = (_code(entry.get(name)) for name in _LANGUAGES)
                yield next(filter(None, codes), ""), number_of(entry)


def _number(entry: Any) -> int:
    """Return an id, or the id in an object."""
    if isinstance(entry, dict):
        ids = (entry.get(name) for name in _IDS)
        return next((_number(each) for each in ids if each and not isinstance(each, dict)), 0)
    if isinstance(entry, str):
        return int(entry) if _ID.fullmatch(entry) else 0
    return entry if isinstance(entry, int) and not isinstance(entry, bool) else 0


def _linked(entry: Any) -> int:
    """Return the id at the end of an address."""
    address = entry.get("href") if isinstance(entry, dict) else entry
    match = _LAST_NUMBER.search(address) if isinstance(address, str) else None
    return int(match[1]) if match else 0


def _code(entry: Any) -> str:
    if isinstance(entry, dict):
        return next((code for name in _CODES if (code := _code(entry.get(name)))), "")
    return entry if isinstance(entry, str) else ""


def _matching(code: str, languages: Sequence[str]) -> list[str]:
    """Return the languages that a code or a locale matches best."""
    ranks = {language: _rank(_subtags(code), _subtags(language)) for language in languages}
    best = max(ranks.values(), default=(0, 0))
    return [language for language, rank in ranks.items() if rank == best > (0, 0)]


def _rank(code: Sequence[str], language: Sequence[str]) -> tuple[int, int]:
    """Return the number of leading subtags in common; shorter languages rank higher."""
    equal = [subtag == wanted_subtag for subtag, wanted_subtag in zip(code, language, strict=False)]
    return [*equal, False].index(False), -len(language)


def _subtags(code: str) -> list[str]:
    primary, *subtags = code.replace("_", "-").casefold().split("-")
    return [_LONG_CODES.get(primary, primary), *subtags]
