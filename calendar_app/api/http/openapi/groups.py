"""Tags of operations in groups by who needs them, and the part of the document of some tags."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

PUBLIC, EDITING, ADMINISTRATION = "public", "editing", "administration"
GROUPS = (PUBLIC, EDITING, ADMINISTRATION)
# A generator or a page with groups of tags, such as Redoc, reads this extension.
TAG_GROUPS = "x-tagGroups"
_EDITING = "editing "
# What most readers look for stands first, what describes the interface itself last.
_FIRST = ("events", "venues", "organizers", "categories", "tags", "series", "feeds")
_LAST = ("index", "doc")
_REFERENCE = "#/components/"

Part = dict[str, Any]


def shown_tag(tag: str, group: str) -> str:
    """Return the tag of an operation in a group; edits have a tag apart from public reading."""
    return f"{_EDITING}{tag}" if group == EDITING else tag


def grouped(declared: Sequence[Mapping[str, str]], used: Mapping[str, str]) -> Part:
    """Return the tags of a document in their order, and their groups; ``used`` has those by tag."""
    ordered = sorted(declared, key=lambda tag: _place(tag["name"]))
    tags = {
        group: [
            {**tag, "name": shown_tag(tag["name"], group)}
            for tag in ordered
            if used.get(shown_tag(tag["name"], group)) == group
        ]
        for group in GROUPS
    }
    return {
        "tags": [tag for group in GROUPS for tag in tags[group]],
        TAG_GROUPS: [
            {"name": group, "tags": [tag["name"] for tag in tags[group]]}
            for group in GROUPS
            if tags[group]
        ],
    }


def _place(name: str) -> int:
    if name in _FIRST:
        return _FIRST.index(name)
    return len(_FIRST) + (1 + _LAST.index(name) if name in _LAST else 0)


def public_tags(document: Mapping[str, Any]) -> list[str]:
    """Return the tags under which anybody may read."""
    groups = {group["name"]: group["tags"] for group in document[TAG_GROUPS]}
    reading = {operation["tags"][0] for _, operation in _reading(document)}
    return [tag for tag in groups.get(PUBLIC, ()) if tag in reading]


def part_of(document: Mapping[str, Any], tags: Collection[str]) -> Part:
    """Return the document of the public reading of some tags, with the components that it needs."""
    paths = {
        path: {name: each for name, each in document["paths"][path].items() if name in _KEPT}
        for path, operation in _reading(document)
        if operation["tags"][0] in tags
    }
    chosen_tags = [tag for tag in document["tags"] if tag["name"] in tags]
    groups = [{"name": PUBLIC, "tags": [tag["name"] for tag in chosen_tags]}]
    components = _needed(paths, document["components"])
    components["securitySchemes"] = document["components"]["securitySchemes"]
    changed = {"tags": chosen_tags, TAG_GROUPS: groups, "paths": paths, "components": components}
    # The messages of webhooks are for those who receive any.
    return {name: each for name, each in document.items() if name != "webhooks"} | changed


_KEPT = ("get", "parameters")


def _reading(document: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yield the path and the operation of all that anybody may read."""
    for path, item in document["paths"].items():
        if "get" in item and {} in item["get"]["security"]:
            yield path, item["get"]


def _needed(paths: Part, components: Mapping[str, Any]) -> Part:
    """Return the components to which paths refer, and those to which these refer."""
    needed: Part = {}
    waiting = list(_references(paths))
    while waiting:
        section, name = waiting.pop()
        if name not in needed.setdefault(section, {}):
            needed[section][name] = components[section][name]
            waiting.extend(_references(needed[section][name]))
    return {section: dict(sorted(members.items())) for section, members in sorted(needed.items())}


def _references(part: Any) -> Iterator[tuple[str, str]]:
    """Yield the section and the name of each component to which a part refers."""
    match part:
        case {"$ref": str(reference)} if reference.startswith(_REFERENCE):
            section, _, name = reference.removeprefix(_REFERENCE).partition("/")
            yield section, name
        case dict():
            for each in part.values():
                yield from _references(each)
        case list() | tuple():
            for each in part:
                yield from _references(each)
