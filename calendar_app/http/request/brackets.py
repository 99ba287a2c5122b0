"""Names with brackets, as PHP reads them: ``tags[]=a`` a list, ``venue[city]=Chur`` an object."""

import re
from collections import Counter
from collections.abc import Iterable
from typing import Any

import qs_codec

from calendar_app.errors import InvalidParameters, Message

_LIMITS = qs_codec.DecodeOptions(depth=8, list_limit=1000)
# PHP takes as many; each is put into all that came before it.
_MOST_BRACKETED = 1000
# No parameter has a longer name, and each bracket is looked at with all that stands before it.
_LONGEST = 200
_MEMBER = re.compile(r"\[([0-9]{0,9})\]")


def nested(pairs: Iterable[tuple[str, str]]) -> dict[str, Any]:
    """Return parameters in the order in which they were sent; the last one of a name counts.

    That is so of ``page`` and ``page[]`` too. Raises ``InvalidParameters`` where too many have
    brackets, or one has too many.
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
        _bound(parameter, name, number)
        plain.pop(parameter, None)
        bracketed.setdefault(parameter, _Members()).add(name, value)
    plain.pop("", None)
    members = {name: value for each in bracketed.values() for name, value in each.values.items()}
    return plain | qs_codec.decode(members, _LIMITS)


def _bound(parameter: str, name: str, number: int) -> None:
    if number > _MOST_BRACKETED:
        raise InvalidParameters({parameter: Message("There are too many values.")})
    if len(name) > _LONGEST:
        raise InvalidParameters({parameter: Message("There are too many brackets.")})


class _Members:
    """What was sent of one parameter: values by their names, with a number in each bracket."""

    def __init__(self) -> None:
        self.values: dict[str, str] = {}
        self._free: Counter[str] = Counter()

    def add(self, name: str, value: str) -> None:
        """Take a value; an empty bracket stands for a member behind all those before."""
        self.values[_MEMBER.sub(self._numbered, name)] = value

    def _numbered(self, bracket: re.Match[str]) -> str:
        place = bracket.string[: bracket.start()]
        number = int(bracket[1] or self._free[place])
        self._free[place] = max(self._free[place], number + 1)
        return f"[{number}]"
