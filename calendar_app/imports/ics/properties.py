"""Properties of iCalendar components, which may be repeated or broken."""

from collections.abc import Iterator
from typing import Any

from icalendar.cal.component import Component
from icalendar.prop import vBinary, vBroken


class Unreadable(ValueError):
    """A component cannot be imported; the message says why."""


def values(component: Component, name: str) -> list[Any]:
    """Return each value of a property that may be repeated; broken ones are left out."""
    value = component.get(name, [])
    members = value if isinstance(value, list) else [value]
    return [member for member in members if not isinstance(member, vBroken)]


def value(component: Component, name: str) -> Any:
    """Return the first value of a property, ``None`` without one."""
    return next(iter(values(component, name)), None)


def required_values(component: Component, name: str) -> list[Any]:
    """Return each value of a property; raise ``Unreadable`` where one is broken."""
    for broken, reason in component.errors:
        if broken == name:
            raise Unreadable(f"{name} cannot be read: {reason}")
    return values(component, name)


def line(component: Component, name: str) -> str:
    """Return the first value of a property as text, its line ends as commas."""
    return ", ".join(filter(None, map(str.strip, text(component, name).splitlines())))


def text(component: Component, name: str) -> str:
    """Return the first value of a property as text, empty without one."""
    return str(value(component, name) or "").strip()


def parameter(value: Any, name: str) -> str:
    """Return a parameter of a property's value, empty without one."""
    return str(getattr(value, "params", {}).get(name, ""))


def is_inline(value: Any) -> bool:
    """Return whether a value is a file by itself, and not its address."""
    return parameter(value, "VALUE").upper() == "BINARY" or isinstance(value, vBinary)


def texts(component: Component, name: str) -> Iterator[str]:
    """Yield the texts in all lists of a property: CATEGORIES."""
    for group in values(component, name):
        for member in getattr(group, "cats", [group]):
            if words := str(member).strip():
                yield words
