"""The form for contributions: its fields, and the parameters of the interface."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime, time, timedelta
from typing import Any, TypeVar

from calendar_app.content.written_dates import read_clock, read_day
from calendar_app.domain.addresses import whole_address
from calendar_app.errors import Message
from calendar_app.http.request import current

T = TypeVar("T")
Problems = dict[str, str]

# Texts that each language has of its own.
WORDED = ("title", "description")
ALT_TEXT = "alt_text"
TEXTS = (
    *("start_day", "start_time", "end_day", "end_time"),
    *("venue", "organizer", "cost", "website", "contact_name", "contact_email"),
)
FLAGS = ("all_day", "consent", "past", "image_remove")
TIMES = ("start_day", "start_time", "end_day", "end_time", "all_day")
_DAY = timedelta(days=1)
MISSING = Message("Please fill this in.")


@dataclass(frozen=True, slots=True)
class FormValues:
    """The typed values of the form: texts, check boxes and ids of categories.

    ``worded`` has the texts of each language by field, also of languages that are not chosen.
    """

    texts: Mapping[str, str] = field(default_factory=dict)
    flags: Mapping[str, bool] = field(default_factory=dict)
    categories: tuple[str, ...] = ()
    languages: tuple[str, ...] = ()
    worded: Mapping[str, Mapping[str, str]] = field(default_factory=dict)

    def __getitem__(self, name: str) -> str:
        return self.texts.get(name, "")

    def text(self, name: str, language: str) -> str:
        """Return the text of one language."""
        return self.worded.get(language, {}).get(name, "")

    @property
    def has_texts(self) -> bool:
        """Return whether anything has been written, in any language."""
        return any(any(texts.values()) for texts in (self.texts, *self.worded.values()))

    @property
    def language(self) -> str:
        """Return the first language: that of the page if it is chosen."""
        own = current.language()
        return own if own in self.languages else next(iter(self.languages), own)

    def has(self, flag: str) -> bool:
        return self.flags.get(flag, False)

    def changed(self, before: "FormValues") -> set[str]:
        """Return the names of the fields that differ from those before."""
        texts = {name for name in TEXTS if self[name] != before[name]}
        flags = {name for name in FLAGS if self.has(name) != before.has(name)}
        terms = {"categories"} if set(self.categories) != set(before.categories) else set()
        return texts | flags | terms


def sent_values() -> FormValues:
    """Return the fields that were sent."""
    sent = current.body_parameters()
    chosen = _several(sent.get("languages"))
    site = current.settings().languages
    return FormValues(
        {name: _text(sent.get(name)) for name in TEXTS},
        {name: _text(sent.get(name)) == "true" for name in FLAGS},
        _several(sent.get("categories")),
        tuple(tag for tag in site if tag in chosen),
        {
            tag: {name: _of_language(sent.get(name), tag) for name in (*WORDED, ALT_TEXT)}
            for tag in site
        },
    )


def parameters_of(values: FormValues) -> tuple[dict[str, Any], Problems]:
    """Return the parameters of the interface, and the problems of days and times."""
    problems: Problems = {}
    parameters: dict[str, Any] = {
        "variants": {
            tag: {name: values.text(name, tag) for name in WORDED} for tag in values.languages
        },
        ALT_TEXT: {tag: values.text(ALT_TEXT, tag) for tag in values.languages},
        "venue": values["venue"],
        "organizer": values["organizer"],
        "cost": values["cost"],
        "website": whole_address(values["website"]),
        "categories": list(values.categories),
        **_times(values, problems),
    }
    return parameters, problems


def _times(values: FormValues, problems: Problems) -> dict[str, Any]:
    """Read the times; without a last day the event ends on the first, or the night after."""
    all_day = values.has("all_day")
    first = _read(values, "start_day", _day, problems)
    last = _read(values, "end_day", _day, problems) if values["end_day"] else None
    begins = None if all_day else _read(values, "start_time", read_clock, problems)
    ends = None
    if values["end_time"] and not all_day:
        ends = _read(values, "end_time", read_clock, problems)
    if first is None or (begins is None and not all_day):
        return {"all_day": all_day}
    start = datetime.combine(first, begins or time())
    end = _end(start, last, ends)
    if end < start:
        problems.setdefault("end_day", Message("The end lies before the start."))
    _question_past(values, max(start, end), all_day=all_day, problems=problems)
    return {"start_date": str(start), "end_date": str(end), "all_day": all_day}


def _end(start: datetime, last: date | None, ends: time | None) -> datetime:
    end = datetime.combine(last or start.date(), ends or start.time())
    return end + _DAY if last is None and end < start else end


def _question_past(values: FormValues, end: datetime, *, all_day: bool, problems: Problems) -> None:
    """Ask whether an event that is over is meant."""
    now = current.site_now().replace(tzinfo=None)
    if (end + _DAY if all_day else end) < now and not values.has("past"):
        problems.setdefault("past", Message("This day is over. Is it meant all the same?"))


def _read(
    values: FormValues,
    name: str,
    read: Callable[[str], T],
    problems: Problems,
) -> T | None:
    try:
        return read(values[name])
    except ValueError as error:
        problems[name] = error.args[0] if values[name] else MISSING
        return None


def _day(text: str) -> date:
    american = current.writes_american(current.language())
    today = current.site_now().date()
    return read_day(text, current.settings().languages, today, month_first=american)


def _several(value: Any) -> tuple[str, ...]:
    """Return the texts of a field that may be sent several times."""
    entries = value if isinstance(value, list) else [value]
    return tuple(text for entry in entries if (text := _text(entry)))


def _of_language(value: Any, language: str) -> str:
    return _text(value.get(language)) if isinstance(value, dict) else ""


def _text(value: Any) -> str:
    return value.strip() if isinstance(value, str) else ""
