"""Slugs: the names of records in addresses, made as WordPress makes them."""

import re
import unicodedata
from collections.abc import Mapping
from functools import lru_cache
from typing import Any
from urllib.parse import quote, unquote

from calendar_app.domain.richtext import decoded, without_tags
from calendar_app.domain.words import LATIN

# What stands behind the address of a page leads to its feeds, or to what other sites embed.
RESERVED_SLUGS = frozenset({"atom", "embed", "feed", "rdf", "rss", "rss2"})
_LONGEST = 200
_TRASHED = "__trashed"
_ENCODED = re.compile("(?:%[0-9a-fA-F]{2})+")
_SPECIAL = str.maketrans({"\xd7": "x", "€": "e"} | dict.fromkeys("…©®™"))
_STRAY_MARKS = re.compile("(?<![^\x00-\x7f])[\u0300-\u036f]+")
_GAPS = re.compile("-+")
_DATED = re.compile(r"(.+)-(\d{4}-\d\d-\d\d(?:-\d+)?(?:__trashed)?(?:-\d+)?)")
_SETTLED = re.compile("[a-z0-9_]+(?:-[a-z0-9_]+)*")
_MOST_LETTERS = 1000  # that are remembered
# Control characters, halves of characters, signs of currencies, accents that stand alone.
_DROPPED = ("Cc", "Cf", "Cs", "Sc", "Sk")


def slugify(text: str) -> str:
    """Return the slug for a title or for a slug that a client sent; "" if nothing is left.

    Latin letters lose their accents, other letters are percent-encoded, at most 200 bytes. A slug
    stays as it is. Tags are dropped, and of brackets that are escaped nothing but the brackets.
    """
    if len(text) <= _LONGEST and _SETTLED.fullmatch(text):
        return text
    text = _ENCODED.sub(_characters, decoded(without_tags(text)))
    text = unicodedata.normalize("NFKD", text.translate(_SPECIAL)).lower().translate(LATIN)
    text = "".join(map(_legal, text)).strip("-")
    text = unicodedata.normalize("NFC", _STRAY_MARKS.sub("", text))
    return _encoded(_GAPS.sub("-", text).strip("-"), _LONGEST)


def slug_in_path(text: str) -> str:
    """Return the slug that a path has; that of an occurrence has its date behind a slash."""
    slug, slash, day = text.partition("/")
    return f"{slugify(slug)}{slash}{day}"


def path_as_slug(path: str) -> str:
    """Return a decoded path percent-encoded as slugs are, to compare it with one."""
    return _ENCODED.sub(lambda encoded: encoded[0].lower(), quote(path))


def shown_slug(slug: str) -> str:
    """Return a slug as clients see it: one segment of a path, "market-2026-12-24"."""
    return slug.replace("/", "-")


def dated_slug(slug: str) -> str:
    """Return the slug of the occurrence that is shown with this one; "" without a date in it."""
    match = _DATED.fullmatch(slug)
    return f"{match[1]}/{match[2]}" if match else ""


def shown_variants(record: Mapping[str, Any]) -> Mapping[str, Mapping[str, Any]]:
    """Return the texts of every language, with slugs as clients see them."""
    variants: Mapping[str, Mapping[str, Any]] = record["variants"]
    if "date_slug" not in record:
        return variants
    return {
        language: {n: shown_slug(text) if n == "slug" else text for n, text in texts.items()}
        for language, texts in variants.items()
    }


def numbered(slug: str, n: int) -> str:
    """Append the number ``n`` to a slug that is taken: "concert-2".

    It has at most 200 bytes too.
    """
    head = _encoded(unquote(slug), _LONGEST - len(f"-{n}"))
    return f"{head}-{n}" if head else str(n)


def trashed(slug: str) -> str:
    """Return the slug that a record has in the trash, so that its own is free."""
    return slug + _TRASHED


def _characters(encoded: re.Match[str]) -> str:
    try:
        return unquote(encoded[0], errors="strict")
    except UnicodeDecodeError:
        return encoded[0].replace("%", "")


@lru_cache(_MOST_LETTERS)
def _legal(letter: str) -> str:
    """Return ``letter``, a dash or nothing, as a slug takes it."""
    if letter == "_" or (letter.isascii() and letter.isalnum()):
        return letter
    if letter in "-./\u2044" or letter.isspace():
        return "-"
    kind = unicodedata.category(letter)
    if kind in ("Pd", "Zs", "Zl", "Zp"):
        return "-"
    dropped = letter.isascii() or letter == "°" or kind[0] == "P" or kind in _DROPPED
    return "" if dropped else letter


def _encoded(text: str, longest: int) -> str:
    """Percent-encode ``text`` and cut it to ``longest`` bytes between characters."""
    text = text[:longest]
    while len(encoded := quote(text)) > longest:
        text = text[:-1]
    return encoded.lower().strip("-")
