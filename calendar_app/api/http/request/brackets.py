"""Parameters in PHP's bracket notation: ``tags[]=a`` a list, ``venue[city]=Chur`` an object."""

import re
from collections import Counter
from collections.abc import Iterable
from typing import Any

import qs_codec

from calendar_app.errors import InvalidParameters, Message

_LIMITS = qs_codec.DecodeOptions(depth=8, list_limit=1000)
# PHP's limit; the decoder merges each value with all before it, in quadratic time.
_MOST_BRACKETED = 1000
# Longer than any parameter; the numbering of brackets is quadratic.
_LONGEST = 200
_MEMBER = re.compile(r"\[([0-9]{0,9})\]")


def parse_brackets(pairs: Iterable[tuple[str, str]]) -> dict[str, Any]:
    """Return parameters in their order; the last one of a name wins, ``page[]`` and ``page`` alike.

    Raises ``InvalidParameters`` for too many brackets.
    """
    plain: dict[str, str] = {}
    bracketed: dict[str, _Members] = {}
    number = 0
    for name, value in pairs:
        parameter, bracket, _ = name.partition("[")
        if not parameter or not bracket:
            bracketed.pop(name, None)
            plain[name] = value
            continue
        number += 1
        _limit_brackets(parameter, name, number)
        plain.pop(parameter, None)
        bracketed.setdefault(parameter, _Members()).add(name, value)
    plain.pop("", None)
    members = {name: value for each in bracketed.values() for name, value in each.values.items()}
    return plain | qs_codec.decode(members, _LIMITS)


def _limit_brackets(parameter: str, name: str, number: int) -> None:
    if number > _MOST_BRACKETED:
        raise InvalidParameters({parameter: Message("There are too many values.")})
    if len(name) > _LONGEST:
        raise InvalidParameters({parameter: Message("There are too many brackets.")})


class _Members:
    """The values of one parameter by their names, with a number in each bracket."""

    def __init__(self) -> None:
        self.values: dict[str, str] = {}
        self._free: Counter[str] = Counter()

    def add(self, name: str, value: str) -> None:
        """Add a value; an empty bracket appends to those before."""
        self.values[_MEMBER.sub(self._numbered, name)] = value

    def _numbered(self, bracket: re.Match[str]) -> str:
        place = bracket.string[: bracket.start()]
        number = int(bracket[1] or self._free[place])
        self._free[place] = max(self._free[place], number + 1)
        return f"[{number}]"
