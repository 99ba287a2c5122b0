"""The memory of a record: each of its texts that stands in several languages.

A unit is one text, or one sentence of it, in all languages in which it is current: neither is its
source another one now, nor does it wait for somebody to check it. Of each two languages of a unit
either is a translation of the other. Texts are equal where their words are, whatever the markup.
See ``docs/explanation/memory.md``.

A record is remembered as one document: ``kind`` and ``record`` name it, ``author`` may read it
where the public may not, and each of its ``units`` has its ``field``, the ``place`` of a sentence
(0 for all of the text), the ``texts`` by language, and the ``keys`` by which it is looked up.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import pairwise
from typing import Any

from xxhash import xxh3_64_intdigest

from calendar_app.domain.custom_fields import NAME, PARTS
from calendar_app.domain.kind import Kind, Record
from calendar_app.domain.ledger import LEDGER, is_waiting
from calendar_app.domain.richtext import plain_lines
from calendar_app.domain.statuses import PUBLISH, TRASH
from calendar_app.domain.translations import (
    compared_fields,
    outdated_fields,
    source_language,
    words_of,
)

# Of a record, all on which it depends what is remembered.
_DECISIVE = (
    "variants",
    "origin",
    "sources",
    LEDGER,
    "status",
    "author",
    "password",
    "overrides",
    "contributed",
)
_WHOLE = 0
_MOST_SENTENCES = 100
# Of a long text, so many of its longest words say which others are like it, and so many pairs.
_MOST_WORDS, _MOST_PAIRS = 8, 6
# Words that are inflected begin alike.
_STEM = 6
_SHORT = 3
_WORD = re.compile(r"\w+")
# Behind a sentence another one begins. No short word with a dot is one, nor a day ("12. Mai").
_SENTENCE_END = re.compile(
    r"(?:[!?…]|(?<=[^\W\d]{3})[.]|(?<=\d{4})[.]|(?<=[)\]»”\"])[.])[»”\")\]]*"
    r"(?P<gap>\s+)(?=[\"«„“(¿¡]*[^\W_a-zà-ÿ])"
)
_SIGNED = 1 << 63


def memory_id(kind: Kind, record_id: int) -> str:
    """Return the id of a record's memory; ids sort as the records do."""
    return f"{kind.name}:{record_id:016d}"


def may_differ(before: Record, after: Record) -> bool:
    """Say whether the memory of a record may be another one after a write."""
    return any(before.get(name) != after.get(name) for name in _DECISIVE)


def remembered(kind: Kind, record: Record) -> Record:
    """Return the document of a record; empty where it has nothing to remember."""
    if not record or record.get("status") == TRASH:
        return {}
    if record.get("series") and not _own_texts(record):
        return {}  # Its series remembers them.
    is_withheld = record.get("password") or record.get("contributed")
    is_public = record.get("status", PUBLISH) == PUBLISH and not is_withheld
    units = [
        {"field": field, "place": place, "texts": texts, "keys": keys}
        for field, place, texts in _units(kind, record)
        if (keys := unit_keys(texts, _sources(record, texts), is_public=is_public))
    ]
    if not units:
        return {}
    author = None if is_public else record.get("author")
    whole = {"kind": kind.name, "record": record["_id"], "author": author, "units": units}
    return {"_id": memory_id(kind, record["_id"]), **whole}


def _own_texts(occurrence: Record) -> bool:
    paths: Iterable[str] = occurrence.get("overrides", ())
    return any(path.startswith("variants.") and not path.endswith(".slug") for path in paths)


def _units(kind: Kind, record: Record) -> Iterator[tuple[str, int, dict[str, str]]]:
    """Yield field, place and texts of each unit."""
    outdated = {tag: {*outdated_fields(kind, record, tag)} for tag in record["variants"]}
    for field in compared_fields(kind):
        texts = {
            tag: own[field]
            for tag, own in sorted(record["variants"].items())
            if own.get(field)
            and field not in outdated[tag]
            and not is_waiting(_entry(record, tag, field))
        }
        for name, parts in _parts(field, texts):
            if len(parts) > 1:
                yield name, _WHOLE, parts
                yield from _of_sentences(name, parts)


def _entry(record: Record, tag: str, field: str) -> Record:
    entry: Record = record.get(LEDGER, {}).get(tag, {}).get(field, {"origin": ""})
    return entry


def _parts(field: str, texts: Mapping[str, Any]) -> Iterator[tuple[str, dict[str, str]]]:
    """Yield a text with its name; of custom fields each part."""
    if field != NAME:
        yield field, dict(texts)
        return
    for key in sorted({key for fields in texts.values() for key in fields}):
        for part in PARTS:
            own = {tag: fields.get(key, {}).get(part) for tag, fields in texts.items()}
            yield f"{field}.{key}.{part}", {tag: text for tag, text in own.items() if text}


def _sources(record: Record, texts: Mapping[str, str]) -> set[str]:
    """Return the languages of a unit from which others are translated."""
    made_from = {source_language(record, tag) for tag in texts}
    return {tag for tag in texts if tag in made_from}


def _of_sentences(name: str, texts: Mapping[str, str]) -> Iterator[tuple[str, int, dict[str, str]]]:
    """Yield the sentences of texts that have as many, paragraph by paragraph."""
    parted = {tag: sentences(text) for tag, text in texts.items()}
    for forms in _alike(parted):
        columns = {tag: [each for block in parted[tag] for each in block] for tag in forms}
        number = len(columns[forms[0]])
        for place in range(min(number, _MOST_SENTENCES) if number > 1 else 0):
            yield name, place + 1, {tag: column[place] for tag, column in columns.items()}


def _alike(parted: Mapping[str, list[list[str]]]) -> list[list[str]]:
    """Return groups of languages with as many sentences in their paragraphs."""
    groups: dict[tuple[int, ...], list[str]] = {}
    for tag, blocks in parted.items():
        groups.setdefault(tuple(map(len, blocks)), []).append(tag)
    return [tags for tags in groups.values() if len(tags) > 1]


def sentences(text: str) -> list[list[str]]:
    """Return the sentences of a text, by paragraph or line, without markup."""
    lines = (line.strip() for line in plain_lines(text).split("\n"))
    return [list(_of_line(line)) for line in lines if line]


def _of_line(line: str) -> Iterator[str]:
    begin = 0
    for end in _SENTENCE_END.finditer(line):
        yield line[begin : end.start("gap")]
        begin = end.end("gap")
    yield line[begin:]


# The keys by which texts are looked up


def equal_key(source: str, target: str, words: str, *, is_public: bool) -> int:
    """Return the key of all units with a text of these ``words`` in another language."""
    return _digest("=", source, target, words, is_public=is_public)


def like_keys(source: str, words: str, *, is_public: bool) -> list[int]:
    """Return the keys under which units with a similar source are stored.

    They are those of its longest words, and of two that follow each other: the longer, the rarer.
    """
    return [_digest("~", source, "", each, is_public=is_public) for each in marked_words(words)]


def marked_words(words: str) -> list[str]:
    """Return the words, and the pairs of them, that tell a text from others."""
    stems = [word[:_STEM] for word in _WORD.findall(words.casefold())]
    long = [stem for stem in stems if len(stem) > _SHORT and not stem.isdigit()] or stems
    pairs = dict.fromkeys(f"{first} {second}" for first, second in pairwise(long))
    return [
        *sorted(dict.fromkeys(long), key=_rarity)[:_MOST_WORDS],
        *sorted(pairs, key=_rarity)[:_MOST_PAIRS],
    ]


def _rarity(words: str) -> tuple[int, int]:
    """Return the order in which words are chosen, the same one in every text."""
    return -len(words), xxh3_64_intdigest(words.encode())


def unit_keys(texts: Mapping[str, str], sources: Iterable[str], *, is_public: bool) -> list[int]:
    """Return all keys of a unit, of which others are translated from the ``sources``."""
    words = {tag: words_of(text) for tag, text in texts.items()}
    spoken = {tag: text for tag, text in words.items() if text}
    equal = [
        equal_key(source, target, text, is_public=is_public)
        for source, text in spoken.items()
        for target in spoken
        if target != source
    ]
    like = [
        key
        for source in sorted(sources)
        if equal and source in spoken
        for key in like_keys(source, spoken[source], is_public=is_public)
    ]
    return [*equal, *like]


def _digest(*parts: str, is_public: bool) -> int:
    """Return a number that MongoDB stores in eight bytes."""
    text = "\0".join(("+" if is_public else "-", *parts))
    return xxh3_64_intdigest(text.encode()) - _SIGNED
