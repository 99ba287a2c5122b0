"""Finds the message behind a stored text, to translate it for its reader.

Reports of readings keep their reasons as English texts: whoever reads them may have any language,
and an earlier or later release of the service has to understand them.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import cache, lru_cache
from io import BytesIO

from babel.messages.mofile import read_mo

from calendar_app.domain.texts.messages import LOCALE
from calendar_app.errors import Message

# Every catalog has the same messages.
_CATALOG = LOCALE / "de" / "LC_MESSAGES" / "messages.mo"
_GAP = re.compile(r"\{(\w+)\}")
# Gaps with a message of their own; the words in others are those of the source.
_MESSAGES = frozenset({"reason", "expected"})
# Letters beside the gaps by which a message is told from another one.
_LEAST = 4
# Characters; reports have no longer texts.
_LONGEST = 2000
_DEEPEST = 4
_ANY = {"address": r"(?:https?|webcal)://\S+"}
_OF_ADDRESS = "{address}: {reason}"


@lru_cache(4096)
def recognized(text: str, depth: int = _DEEPEST) -> Message:
    """Return the message of a text; a text of no catalog is a message without gaps.

    In up to ``depth`` gaps, each in the one before, stands a message of its own.
    """
    whole, expressions = _messages()
    if text in whole or len(text) > _LONGEST or not depth:
        return Message(text)
    fitting = []
    for pattern, expression in expressions:
        if match := expression.fullmatch(text):
            gaps = {
                name: recognized(words, depth - 1) if name in _MESSAGES else words
                for name, words in match.groupdict().items()
            }
            fitting.append(Message(pattern, **gaps))
            # Another message fits better where a gap has a reason of no catalog.
            if all(message.gaps or message in whole for message in _inner(gaps)):
                return fitting[-1]
    return fitting[0] if fitting else Message(text)


def _inner(gaps: Mapping[str, str]) -> Iterator[Message]:
    return (filling for filling in gaps.values() if isinstance(filling, Message))


@cache
def compiled_catalog() -> bytes:
    """Return the file with the messages; a service reads it as it starts, like all others."""
    return _CATALOG.read_bytes()


@cache
def _messages() -> tuple[AbstractSet[str], Sequence[tuple[str, re.Pattern[str]]]]:
    """Return the messages without gaps, and those with gaps by the length of their own words."""
    catalog = read_mo(BytesIO(compiled_catalog()))
    patterns = [str(entry.id) for entry in catalog if isinstance(entry.id, str)]
    literal = {pattern: _GAP.sub("", pattern) for pattern in patterns if _GAP.search(pattern)}
    telling = [each for each, text in literal.items() if len(re.sub(r"\W", "", text)) >= _LEAST]
    in_order = sorted(telling, key=lambda pattern: (-len(literal[pattern]), pattern))
    expressions = [(each, _expression(each)) for each in (*in_order, _OF_ADDRESS)]
    return set(patterns) - literal.keys(), expressions


def _expression(pattern: str) -> re.Pattern[str]:
    expression = ""
    names: set[str] = set()
    for place, part in enumerate(_GAP.split(pattern)):
        if place % 2 == 0:
            expression += re.escape(part)
        elif part in names:
            expression += f"(?P={part})"
        else:
            names.add(part)
            expression += f"(?P<{part}>{_ANY.get(part, '.*?')})"
    return re.compile(expression, re.DOTALL)
