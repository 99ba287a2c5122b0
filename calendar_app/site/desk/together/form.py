"""The form that changes several events together: its fields, and the change that it asks for."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import timedelta
from functools import partial
from types import MappingProxyType
from typing import Any
from urllib.parse import parse_qsl

from flask import request

from calendar_app.api.resources.events.schemas import EventChangeSchema
from calendar_app.domain.kind import Record
from calendar_app.domain.kinds import CATEGORY, EVENT, TAG
from calendar_app.domain.numbers import parse_digits
from calendar_app.domain.replacement import Replacement
from calendar_app.errors import InvalidParameters, Message
from calendar_app.site.desk.choices import TermChoice, chosen_terms
from calendar_app.site.desk.event_form.body import links_of, typed_tags
from calendar_app.site.desk.event_form.fields import FIELDS as OF_EVENTS
from calendar_app.site.desk.event_form.showing import content_language
from calendar_app.site.desk.forms import received_image
from calendar_app.site.desk.together.change import JointChange
from calendar_app.site.pages.forms import ControlValues, Form, FormField, load

_NOTHING = Message("Fill in what shall change; what is empty stays as it is.")
_NOT_SOUGHT = Message("Write which text shall be replaced.")
_NOT_REPLACED = Message("Write what shall stand there, or let the text be taken out.")
_SAME_TEXT = Message("Both texts are the same.")
_NUMBER = Message("Write a whole number up to {most}.")
_BOTH = Message("Choose a new one, or none: not both.")
_LONGEST = 1000
# By how much times move at most, as the form names it.
_MOST = {"days": 3660, "hours": 999, "minutes": 9999}
_LATER, _EARLIER = "later", "earlier"
_REMOVES = ("venue", "organizer", "cost")


def _field(name: str, label: Message, **parts: Message | None) -> FormField:
    return FormField(name, label, f"joint-{name}", parts)


FIELDS: Mapping[str, FormField] = MappingProxyType(
    {
        each.name: each
        for each in (
            _field("sought", Message("Text to replace")),
            _field("replacement", Message("What shall stand there")),
            _field("days", Message("Days")),
            _field("hours", Message("Hours")),
            _field("minutes", Message("Minutes")),
            _field("direction", Message("Direction")),
            _field("venue", OF_EVENTS["venue"].label, venue=None, venue_find=None),
            _field("organizer", OF_EVENTS["organizer"].label, organizer=None, organizer_find=None),
            _field("cost", OF_EVENTS["cost"].label),
            _field("add_categories", Message("Category to add")),
            _field("take_categories", Message("Category to take away")),
            _field("add_tags", Message("Tags to add")),
            _field("take_tags", Message("Tag to take away")),
            _field("image", OF_EVENTS["image"].label),
        )
    }
)
_LISTS = ("venue", "organizer")
FLAGS = tuple(f"{name}_remove" for name in (*_REMOVES, "image", "replacement"))
_CONTROLS = (
    *(name for name in FIELDS if name not in _LISTS),
    *(f"{name}_find" for name in _LISTS),
    *FLAGS,
)


def sent_form() -> Form:
    """Return the form as it was sent; a picture that was sent with it is stored at once."""
    values: ControlValues = {name: request.form.get(name, "") for name in _CONTROLS}
    values |= {name: request.form.getlist(name) for name in _LISTS}
    form = Form(FIELDS, values)
    image, problem = received_image(values["image"], content_language())
    values["image"] = image
    if problem:
        form.problems["image"] = problem
    return form


def change_of(form: Form) -> JointChange | None:
    """Return the change that a form asks for; ``None`` where it then names problems."""
    fields = _shared_fields(form)
    change = JointChange(
        fields, _replacement(form), _offset(form), _added_terms(form), _taken_terms(form)
    )
    if change.is_empty and not form.problems:
        form.problems[""] = _NOTHING
    return None if form.problems else change


def _shared_fields(form: Form) -> dict[str, Any]:
    """Return the values shared by all events in the notation of the REST API, each parsed once."""
    readers: Mapping[str, Callable[[ControlValues], Any]] = {
        "venue": partial(links_of, "venue"),
        "organizer": partial(links_of, "organizer"),
        "cost": lambda values: values["cost"].strip(),
        "image": lambda values: values["image"],
    }
    fields: dict[str, Any] = {}
    for name, read in readers.items():
        try:
            value = read(form.values)
        except ValueError as error:
            form.problems[name] = error.args[0]
            continue
        is_removed = bool(form.values[f"{name}_remove"])
        if value and is_removed:
            form.problems.setdefault(name, _BOTH)
        elif value or is_removed:
            fields[name] = value or ([] if name in _LISTS else "")
    try:
        load(EventChangeSchema(partial=True), fields)
    except InvalidParameters as error:
        form.refuse(error)
    return fields


def _replacement(form: Form) -> Replacement | None:
    # White space at an end belongs to a text: words are parted by it.
    sought, by = (form.values[name][:_LONGEST] for name in ("sought", "replacement"))
    removes = bool(form.values["replacement_remove"])
    if not sought.strip():
        if by or removes:
            form.problems["sought"] = _NOT_SOUGHT
        return None
    if not by and not removes:
        # The search of the table stands there at first, and asks for nothing by itself.
        if sought != searched_text():
            form.problems["replacement"] = _NOT_REPLACED
        return None
    if by and removes:
        form.problems["replacement"] = _BOTH
    elif sought == by:
        form.problems["replacement"] = _SAME_TEXT
    return Replacement(sought, by)


def searched_text() -> str:
    """Return the search text of the table."""
    return dict(parse_qsl(request.form.get("query", ""))).get("search", "").strip()


def begin(form: Form, events: Iterable[Record]) -> None:
    """Seek the search of the table, where it stands in some text of the events."""
    searched = searched_text()
    seeks = Replacement(searched, "")
    if searched and any(seeks.in_record(EVENT, event) for event in events):
        form.values["sought"] = searched


def _offset(form: Form) -> timedelta:
    amounts = {name: _amount(form, name, most) for name, most in _MOST.items()}
    offset = timedelta(**amounts)
    return -offset if form.values["direction"] == _EARLIER else offset


def _amount(form: Form, name: str, most: int) -> int:
    text = form.values[name].strip()
    number = parse_digits(text) if text else 0
    if number is None or number > most:
        form.problems[name] = Message(_NUMBER.pattern, most=most)
        return 0
    return number


def _added_terms(form: Form) -> dict[str, Sequence[Any]]:
    category = parse_digits(form.values["add_categories"])
    return {
        CATEGORY.name: [category] if category else [],
        TAG.name: typed_tags(form.values["add_tags"]),
    }


def _taken_terms(form: Form) -> dict[str, frozenset[int]]:
    taken = {name: parse_digits(form.values[f"take_{name}"]) for name in (CATEGORY.name, TAG.name)}
    return {name: frozenset((term,)) for name, term in taken.items() if term}


def own_terms(events: Sequence[Record]) -> dict[str, list[TermChoice]]:
    """Return the categories and the tags that some of these events have, by name."""
    listed: dict[str, list[TermChoice]] = {}
    for kind in (CATEGORY, TAG):
        ids = {str(term) for event in events for term in event[kind.name]}
        terms = chosen_terms(kind, ids) if ids else []
        listed[kind.name] = sorted(terms, key=lambda term: term.name.casefold())
    return listed


def direction_choices() -> dict[str, Message]:
    return {_LATER: Message("later"), _EARLIER: Message("earlier")}
