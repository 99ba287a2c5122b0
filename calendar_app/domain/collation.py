"""How readers of a language sort: which of ICU's collations does for it."""

from collections.abc import Iterable

from calendar_app.errors import ConfigurationError

_KNOWN_TO_MONGODB = """
af am ar as az be bg bn bo bs bs_Cyrl ca chr cs cy da de de_AT dsb dz ee el en en_US_POSIX eo es et
fa fa_AF fi fil fo fr fr_CA ga gl gu ha haw he hi hr hsb hu hy id ig is it ja ka kk kl km kn ko kok
ky lb lkt ln lo lt lv mk ml mn mr ms mt my nb ne nl nn om or pa pl ps pt ro ru se si sk sl smn sq sr
sr_Latn sv sw ta te th to tr ug uk ur vi wae yi yo zh zh_Hant zu
"""
LOCALES = frozenset(_KNOWN_TO_MONGODB.split())
# What the codes do not tell: the script that is usual in a place, and codes of the same language.
_ALIASES = {
    "zh_tw": "zh_Hant", "zh_hk": "zh_Hant", "zh_mo": "zh_Hant", "yue": "zh_Hant", "cmn": "zh",
    "sr_me": "sr_Latn", "sh": "sr_Latn", "no": "nb", "tl": "fil", "prs": "fa_AF",
    # Former codes.
    "iw": "he", "in": "id", "ji": "yi", "mo": "ro",
}  # fmt: skip
_ANY = "en"


def collations(languages: Iterable[str], chosen: Iterable[str]) -> dict[str, str]:
    """Return the locale by which texts of each language are sorted.

    ``chosen`` says ``language=locale`` of languages that have none of their own, or are to be
    sorted otherwise. Raises ``ConfigurationError`` on a locale that MongoDB does not know.
    """
    locales = {}
    for choice in chosen:
        language, _, locale = choice.partition("=")
        if locale not in LOCALES:
            raise ConfigurationError(
                f"The setting collations has {choice}, which is not language=locale."
            )
        locales[language] = locale
    return {language: locales.get(language) or _own(language) for language in languages}


def _own(language: str) -> str:
    """Return the locale of the language itself, the most exact one; of some other if none is."""
    locales = {locale.lower(): locale for locale in LOCALES} | _ALIASES
    subtags = language.lower().split("-")
    parts = ("_".join(subtags[:length]) for length in range(len(subtags), 0, -1))
    return next((locales[part] for part in parts if part in locales), _ANY)
