"""Names in requests that mean nothing: the header ``X-Calendar-Ignored``, and ``strict``.

Each operation knows the names that the OpenAPI document describes.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from itertools import islice
from typing import Any
from urllib.parse import quote

from flask import Flask, Response, current_app

from calendar_app.api.http.answers.answering import selected_paths
from calendar_app.api.http.request import current
from calendar_app.errors import InvalidParameters, Message

# The names in an object, with those below each; ``None`` where any name has a meaning.
NameTree = dict[str, Any] | None
ALL_OTHERS = "*"
_EXTENSION = "calendar.known_names"
_HEADER = "X-Calendar-Ignored"
_FIELDS = "_fields"
_MOST_NAMES, _LONGEST_NAME, _LONGEST_HEADER = 20, 64, 1000
# Added to addresses on their way, by caches, trackers and WordPress' own scripts.
_ADDED_BY_OTHERS = re.compile(
    r"_|_locale|_wpnonce|_ga|_gl|(?:utm|mtm|pk)_\w+|mc_[ce]id|igshid"
    r"|(?:fb|g|d|msclk|tw|y)(?:clid|id)|[gw]braid",
    re.ASCII,
)


@dataclass(frozen=True, slots=True)
class KnownNames:
    """The names that one operation takes in query and body, and those of its answer."""

    sent: NameTree
    answered: NameTree


@dataclass(frozen=True, slots=True)
class IgnoredName:
    """A name without a meaning, in ``parameter``; ``known`` could stand in its place."""

    parameter: str
    parents: tuple[str, ...]
    last: str
    known: Mapping[str, Any]

    @property
    def path(self) -> str:
        return self._below(self.last)

    @property
    def nearest(self) -> str:
        """Return the known name that is written most alike, if any is."""
        names = self.known.keys() - {ALL_OTHERS} if len(self.last) <= _LONGEST_NAME else ()
        likest = get_close_matches(self.last, sorted(names), 1)
        return self._below(likest[0]) if likest else ""

    def _below(self, name: str) -> str:
        return ".".join((*self.parents, name))


# Returns what an operation knows, by its rule and method; nothing of what is not described.
FindNames = Callable[[str, str], KnownNames | None]


def report_ignored_names(app: Flask, find_names: FindNames) -> None:
    """Attach the names that operations know, and list others in a header."""
    app.extensions[_EXTENSION] = find_names
    app.after_request(_list_ignored_names)


def refuse_ignored_names() -> None:
    """Raise ``InvalidParameters`` for names without a meaning, if the site is ``strict``."""
    if not current.context().settings.strict:
        return
    reasons = {name.parameter: _reason(name) for name in reversed(_ignored_names())}
    if reasons:
        raise InvalidParameters(dict(reversed(reasons.items())))


def _reason(ignored: IgnoredName) -> Message:
    name, nearest = ignored.path[:_LONGEST_NAME], ignored.nearest
    if nearest:
        return Message("{name} means nothing here. Is {nearest} meant?", name=name, nearest=nearest)
    return Message("{name} means nothing here.", name=name)


def _list_ignored_names(response: Response) -> Response:
    length, encoded_names = 0, []
    for ignored in _ignored_names():
        encoded = quote(ignored.path[:_LONGEST_NAME], safe="")
        length += len(encoded)
        if length <= _LONGEST_HEADER and encoded not in encoded_names:
            encoded_names.append(encoded)
    if encoded_names:
        response.headers[_HEADER] = ", ".join(encoded_names)
    return response


def _ignored_names() -> list[IgnoredName]:
    """Return the first names without a meaning; none if the parameters were not read."""
    request, sent = current.context().request, current.context().parameters_read
    if request.url_rule is None or not sent:
        return []
    method = "GET" if request.method == "HEAD" else request.method
    find_names: FindNames = current_app.extensions[_EXTENSION]
    names = find_names(request.url_rule.rule, method)
    return list(islice(_unknown(names, sent), _MOST_NAMES)) if names else []


def _unknown(names: KnownNames, sent: Mapping[str, Any]) -> Iterator[IgnoredName]:
    foreign = [tuple(path.split(".")) for path in current.context().foreign_names]
    for path in foreign:
        yield IgnoredName(".".join(path)[:_LONGEST_NAME], path[:-1], path[-1], {})
    for ignored in _unknown_members(sent, names.sent, ()):
        is_in_foreign = any(ignored.parents[: len(path)] == path for path in foreign)
        is_of_others = not ignored.parents and _ADDED_BY_OTHERS.fullmatch(ignored.last)
        if not is_in_foreign and not is_of_others:
            yield ignored
    if names.sent is not None and _FIELDS in names.sent:
        yield from filter(None, (_unknown_path(path, names.answered) for path in selected_paths()))


def _unknown_members(value: Any, tree: NameTree, parents: tuple[str, ...]) -> Iterator[IgnoredName]:
    """Yield unknown names at any depth; values that should have no members have the wrong type."""
    if not tree:
        return
    if isinstance(value, list):
        for member in value:
            yield from _unknown_members(member, tree, parents)
    elif isinstance(value, dict):
        for name, member in value.items():
            if name in tree or ALL_OTHERS in tree:
                below = tree[name if name in tree else ALL_OTHERS]
                yield from _unknown_members(member, below, (*parents, name))
            else:
                parameter = ".".join((*parents, name))[:_LONGEST_NAME]
                yield IgnoredName(parameter, parents, name, tree)


def _unknown_path(path: str, tree: NameTree) -> IgnoredName | None:
    """Return the first part of a path in ``_fields`` that no answer has."""
    parents: tuple[str, ...] = ()
    for name in path.split("."):
        if tree is None:
            break
        if name not in tree and ALL_OTHERS not in tree:
            return IgnoredName(_FIELDS, parents, name, tree)
        tree = tree[name if name in tree else ALL_OTHERS]
        parents = (*parents, name)
    return None
