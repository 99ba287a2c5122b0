"""The state of one form: values, refusals, and what the template shows beside them."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Self

from calendar_app.desk.event_form.merging import digests_of
from calendar_app.desk.event_form.repeating import WRITTEN
from calendar_app.desk.event_form.stored import StoredEvent
from calendar_app.desk.event_form.values import CONTROLS, NEW, Values
from calendar_app.desk.forms import Digests
from calendar_app.domain.richtext import plain
from calendar_app.errors import Message
from calendar_app.pages.refusals import in_words, placed

# In the order of the form.
LABELS: Mapping[str, Message] = {
    "title": Message("Title"),
    "description": Message("Description"),
    "excerpt": Message("Short text for lists"),
    "start_date": Message("Start"),
    "start_time": Message("Start, time of day"),
    "end_date": Message("End"),
    "end_time": Message("End, time of day"),
    "all_day": Message("All day"),
    "recurrence": Message("Repeats"),
    "repeat_interval": Message("every how many (1: each)"),
    "repeat_until": Message("until the day"),
    "repeat_count": Message("or number of dates"),
    "repeat_rule": Message("Rules, one a line"),
    "repeat_dates": Message("Further dates, one a line"),
    "repeat_except": Message("Not on these days, one a line"),
    "timezone": Message("Time zone"),
    "venue": Message("Place"),
    "venue_new[venue]": Message("Name of the place"),
    "venue_new[address]": Message("Street and number"),
    "venue_new[zip]": Message("Postal code"),
    "venue_new[city]": Message("Town"),
    "venue_new[country]": Message("Country"),
    "venue_new[geo_lat]": Message("Latitude"),
    "venue_new[geo_lng]": Message("Longitude"),
    "attendance_mode": Message("How people take part"),
    "online_url": Message("Address to take part online"),
    "organizer": Message("Organizer"),
    "organizer_new[organizer]": Message("Name of the organizer"),
    "organizer_new[email]": Message("E-mail"),
    "organizer_new[phone]": Message("Phone"),
    "organizer_new[website]": Message("Website"),
    "cost": Message("Price"),
    "website": Message("Website"),
    "slug": Message("Name in the address"),
    "date": Message("Published on"),
    "password": Message("Password for readers"),
    "sticky": Message("First on its day"),
    "hide_from_listings": Message("Left out of lists"),
    "show_map": Message("Show a map"),
    "show_map_link": Message("Show a link to a map"),
    "ticketed": Message("There are tickets"),
    "custom_fields": Message("Further details"),
    "author": Message("Author"),
    "post_parent": Message("Part of the event"),
    "status": Message("State"),
    "featured": Message("Featured"),
    "event_status": Message("Does it take place?"),
    "status_reason": Message("Reason"),
    "image": Message("Picture"),
    "categories": Message("Categories"),
    "tags": Message("Tags"),
}
# The controls of the parts of a recurrence.
_PARTS = {
    "INTERVAL": "repeat_interval",
    "UNTIL": "repeat_until",
    "COUNT": "repeat_count",
    "rdate": "repeat_dates",
    "exdate": "repeat_except",
}
# The control that takes the focus where it is not the one of the parameter's name.
_FIRST = {
    "recurrence": "repeat",
    "venue": "venue_find",
    "organizer": "organizer_find",
    "image": "image_file",
    "tags": "tags_find",
    "custom_fields": "custom_key",
}


@dataclass(frozen=True, slots=True)
class Conflict:
    """A parameter that two people have changed, with the controls of both."""

    parameter: str
    label: Message
    mine: Values
    theirs: Values


@dataclass(slots=True)
class EventForm:
    """A form for ``event``, or for a new one, in ``language``.

    ``others`` are the texts typed in other languages, with the digests of those they replace.
    """

    values: Values
    language: str
    event: StoredEvent | None = None
    revision: int = 0
    base: Digests = field(default_factory=dict)
    scope: str = ""
    problems: dict[str, str] = field(default_factory=dict)
    conflicts: Sequence[Conflict] = ()
    asks_past: bool = False
    alternative_texts: Mapping[str, str] = field(default_factory=dict)
    others: dict[str, dict[str, Values]] = field(default_factory=dict)
    is_switched: bool = False
    is_unsaved: bool = False

    @classmethod
    def of(cls, event: StoredEvent, values: Values) -> Self:
        """Return the form that shows a stored event."""
        revision = event.record["revision"]
        return cls(values, event.language, event, revision, digests_of(values))

    def refuse(self, reasons: Mapping[str, str]) -> None:
        """Take up reasons by parameter: each at its control, in the words of the form."""
        for name, reason in reasons.items():
            place, bare = placed(name, reason)
            control = self._control(place, bare)
            self.problems[control] = bare if control == "repeat_rule" else in_words(bare)

    def _control(self, place: str, reason: str) -> str:
        """Return the control that a reason is about."""
        group, _, member = place.partition("[")
        if f"{group}_new" in NEW and member:
            return f"{group}_new[{member}"
        if place.startswith(f"variants[{self.language}]["):
            return place.removeprefix(f"variants[{self.language}][").removesuffix("]")
        if place != "recurrence" or not isinstance(reason, Message):
            return place
        part = str(reason.gaps.get("part") or reason.pattern.partition(" ")[0])
        is_rule = part.isupper() and self.values["repeat"] == WRITTEN
        return "repeat_rule" if is_rule else _PARTS.get(part, place)

    @property
    def summary(self) -> Iterator[tuple[str, Message | str, str]]:
        """Yield id, label and reason of all that is wrong, in the order of the form."""
        order = {name: place for place, name in enumerate(LABELS)}
        for name in sorted(self.problems, key=lambda name: order.get(name, -1)):
            label = LABELS.get(name, "")
            yield control_id(name) if label else "", label, self.problems[name]

    @property
    def first_wrong(self) -> str:
        """The id of the first control that is wrong; empty where none is."""
        return next((each for each, _, _ in self.summary if each), "")


def control_id(name: str) -> str:
    return f"event-{_FIRST.get(name, name).replace('[', '-').removesuffix(']')}"


def conflict(parameter: str, mine: Values, theirs: Values) -> Conflict:
    """Return both sides of a parameter; texts with markup as plain ones, if these differ."""
    names = CONTROLS[parameter]
    sides: list[dict[str, Any]] = [{name: each[name] for name in names} for each in (mine, theirs)]
    read = [
        {name: plain(text) if isinstance(text, str) else text for name, text in side.items()}
        for side in sides
    ]
    return Conflict(parameter, LABELS[parameter], *(read if read[0] != read[1] else sides))
