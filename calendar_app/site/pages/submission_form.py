"""The form for contributions: its fields, the sent values, and the body of the write."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import date, datetime, time, timedelta
from typing import Any, TypeVar

from marshmallow import ValidationError

from calendar_app.api.http.request import current
from calendar_app.api.resources.submissions.schemas import SubmissionChangeSchema, SubmissionSchema
from calendar_app.domain.addresses import whole_address
from calendar_app.domain.kind import Record
from calendar_app.domain.kinds import event_fields
from calendar_app.domain.richtext import decoded, plain_lines
from calendar_app.domain.texts.written_dates import read_clock, read_day
from calendar_app.errors import InvalidParameters, Message
from calendar_app.readmodel.events import ReadEvent
from calendar_app.site.html import wording
from calendar_app.site.pages.forms import Problems, load
from calendar_app.site.pages.refusals import in_words, placed

T = TypeVar("T")
# Texts that each language has of its own.
WORDED = ("title", "description", *(text.name for text in event_fields.PLAIN_TEXTS))
ALT_TEXT = "alt_text"
TEXTS = (
    *("start_day", "start_time", "end_day", "end_time"),
    *("venue", "organizer", "cost", "website", "contact_name", "contact_email"),
)
_PLAIN_FLAGS = tuple(flag.name for flag in event_fields.PLAIN_FLAGS)
FLAGS = ("all_day", "consent", "past", "image_remove", *_PLAIN_FLAGS)
TIMES = ("start_day", "start_time", "end_day", "end_time", "all_day")
_DAY = timedelta(days=1)
MISSING = Message("Please fill this in.")
# The labels above the fields, in the order of the page below the texts; some need none.
LABELS: Mapping[str, Message | None] = {
    "start_day": Message("First day"),
    "past": None,
    "start_time": Message("Begins at"),
    "end_day": Message("Last day"),
    "end_time": Message("Ends at"),
    "venue": Message("Place"),
    "organizer": Message("Organizer"),
    "image": Message("Picture"),
    "cost": Message("Price"),
    "categories": Message("Categories"),
    "website": Message("Website"),
    **{name: event_fields.LABELS[name] for name in _PLAIN_FLAGS},
    "contact_name": Message("Your name"),
    "contact_email": Message("Your e-mail"),
    "consent": None,
}
WORD_LABELS: Mapping[str, Message] = {
    **{name: event_fields.LABELS[name] for name in WORDED},
    ALT_TEXT: Message("What the picture shows"),
}
_NEW, _CHANGE = SubmissionSchema(), SubmissionChangeSchema(partial=True)
# The field of the form at which a parameter is refused.
_FIELDS = {"start_date": "start_day", "end_date": "end_day"}
_TEXTS = (*WORDED, "website")
_CONTACT = ("contact_name", "contact_email")
_REASONS: Mapping[str, Message] = {
    "consent": Message("Without your consent we cannot take the event."),
}
_NO_TITLE = Message("Give the event a title.")
_NO_LANGUAGE = Message("Choose a language.")


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
        preferred = current.context().language
        return preferred if preferred in self.languages else next(iter(self.languages), preferred)

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
    context = current.context()
    sent = context.sent.body
    chosen = _several(sent.get("languages"))
    site = context.settings.languages
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
        **{name: values.has(name) for name in _PLAIN_FLAGS},
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
        problems.setdefault("end_day", Message("The end is before the start."))
    _question_past(values, max(start, end), all_day=all_day, problems=problems)
    return {"start_date": str(start), "end_date": str(end), "all_day": all_day}


def _end(start: datetime, last: date | None, ends: time | None) -> datetime:
    end = datetime.combine(last or start.date(), ends or start.time())
    return end + _DAY if last is None and end < start else end


def _question_past(values: FormValues, end: datetime, *, all_day: bool, problems: Problems) -> None:
    """Ask whether an event that is over is meant."""
    now = current.context().now().replace(tzinfo=None)
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
    context = current.context()
    american = context.writes_american(context.language)
    today = context.now().date()
    return read_day(text, context.settings.languages, today, month_first=american)


def _several(value: Any) -> tuple[str, ...]:
    """Return the texts of a field that may be sent several times."""
    entries = value if isinstance(value, list) else [value]
    return tuple(text for entry in entries if (text := _text(entry)))


def _of_language(value: Any, language: str) -> str:
    return _text(value.get(language)) if isinstance(value, dict) else ""


def _text(value: Any) -> str:
    return value.strip() if isinstance(value, str) else ""


# What the interface makes of it


@dataclass(frozen=True, slots=True)
class Checked:
    """The changes for the editor, or the problems of a form by field."""

    changes: Record = field(default_factory=dict)
    problems: Problems = field(default_factory=dict)


def check_new(values: FormValues) -> Checked:
    """Check the form of a new contribution."""
    parameters, problems = parameters_of(values)
    parameters |= {"consent": values.has("consent")}
    if current.context().services.mailer.enabled:
        parameters |= {name: values[name] for name in _CONTACT}
        problems |= {name: MISSING for name in _CONTACT if not values[name]}
    checked = _check(_NEW, parameters, values, problems)
    return replace(checked, changes=_in_language(checked.changes, values.language))


def check_change(values: FormValues, before: FormValues, language: str) -> Checked:
    """Check a mended form; unchanged fields are left out."""
    parameters, problems = parameters_of(values)
    changed = values.changed(before) - {"past", "consent", "image_remove", *_CONTACT}
    if changed & set(TIMES):
        changed |= {"start_date", "end_date", "all_day"}
    else:
        problems = {}
    dropped = [tag for tag in before.languages if tag not in values.languages]
    if dropped:
        # It may have been written in a language that goes.
        changed.add("website")
    sent = {name: value for name, value in parameters.items() if name in changed}
    sent["variants"] = _changed_words(parameters["variants"], before)
    sent[ALT_TEXT] = {
        tag: text
        for tag, text in parameters[ALT_TEXT].items()
        if text != before.text(ALT_TEXT, tag)
    }
    if values.has("image_remove"):
        sent["image"] = ""
    checked = _check(_CHANGE, sent, values, problems)
    changes = _in_language(
        checked.changes, language if language in values.languages else values.language
    )
    variants = changes.get("variants", {}) | {tag: dict.fromkeys(_TEXTS) for tag in dropped}
    return replace(checked, changes=changes | ({"variants": variants} if variants else {}))


def _changed_words(
    variants: Mapping[str, Mapping[str, str]], before: FormValues
) -> dict[str, dict[str, str]]:
    changed = {
        tag: {name: text for name, text in texts.items() if text != before.text(name, tag)}
        for tag, texts in variants.items()
    }
    return {tag: texts for tag, texts in changed.items() if texts}


def _check(
    schema: SubmissionChangeSchema,
    parameters: Mapping[str, Any],
    values: FormValues,
    problems: Problems,
) -> Checked:
    wrong = problems | _wrong_alt_texts(schema, values)
    if not values.languages:
        wrong["languages"] = _NO_LANGUAGE
    is_wrong = any(name.startswith(ALT_TEXT) for name in wrong)
    left_out = {ALT_TEXT} if is_wrong else set()
    left_out |= set() if parameters["variants"] else {"variants"}
    sent = {name: value for name, value in parameters.items() if name not in left_out}
    try:
        changes = load(schema, sent)
    except InvalidParameters as error:
        reasons = error.reasons if values.languages else _without_title(error.reasons)
        return Checked(problems=in_page_order({**by_field(reasons), **wrong}))
    return Checked(problems=in_page_order(wrong)) if wrong else Checked(changes)


def _without_title(reasons: Mapping[str, str]) -> Mapping[str, str]:
    """Return the reasons of a form in no language, of which no title is asked."""
    return {name: reason for name, reason in reasons.items() if name != "title"}


def _wrong_alt_texts(schema: SubmissionChangeSchema, values: FormValues) -> Problems:
    problems: Problems = {}
    for tag in values.languages:
        try:
            schema.fields[ALT_TEXT].deserialize(values.text(ALT_TEXT, tag))
        except ValidationError as error:
            problems[f"{ALT_TEXT}-{tag}"] = in_words(error.messages[0])
    return problems


def by_field(reasons: Mapping[str, str]) -> Problems:
    """Return the reasons of a refusal by field of the form, in the words of the page."""
    problems: Problems = {}
    for parameter, reason in reasons.items():
        place, bare = placed(parameter, reason)
        name = _FIELDS.get(place, place)
        if place.startswith("variants["):
            language, _, text = place.removeprefix("variants[").removesuffix("]").partition("][")
            name = f"{text}-{language}" if text in WORD_LABELS else text
        problems.setdefault(name, _in_words(name, bare))
    return problems


def _in_words(name: str, reason: str) -> str:
    is_length = isinstance(reason, Message) and "most" in reason.gaps
    if name in _REASONS and not is_length:
        return _REASONS[name]
    words = in_words(reason)
    return _NO_TITLE if name.startswith("title") and words == MISSING else words


def in_page_order(problems: Problems) -> Problems:
    """Return the problems in the order of the page, those of texts by language first."""
    worded = [name for name in problems if name == "languages" or "-" in name]
    return {name: problems[name] for name in (*worded, *LABELS) if name in problems} or problems


def labels_of(name: str, values: FormValues) -> list[str]:
    """Return the labels of a field; of a text, where several are written, its language first."""
    text, _, language = name.partition("-")
    if not language:
        label = LABELS.get(name)
        return [label] if label else []
    own_name = [wording.own_name(language)] if len(values.languages) > 1 else []
    return [*own_name, WORD_LABELS[text]]


def _in_language(changes: Record, language: str) -> Record:
    """Move values that are written once from the page's language to another one."""
    moved = dict(changes)
    for name in ("venues", "organizers"):
        for entry in moved.get(name, ()):
            if isinstance(entry, dict):
                (texts,) = entry["variants"].values()
                entry["variants"] = {language: texts}
    variants = {tag: dict(texts) for tag, texts in changes.get("variants", {}).items()}
    page_texts = variants.get(current.context().language, {})
    if "website" in page_texts:
        variants.setdefault(language, {})["website"] = page_texts.pop("website")
    variants = {tag: texts for tag, texts in variants.items() if texts}
    return moved | ({"variants": variants} if variants else {})


def values_of(event: ReadEvent, picture: Record | None) -> FormValues:
    """Return the fields of the form for an event that was sent, with its ``picture``."""
    variants = event.record["variants"]
    alt_texts = picture["variants"] if picture else {}
    start, end, all_day = event.start, event.end, event.all_day
    return FormValues(
        {
            "start_day": start.date().isoformat(),
            "start_time": "" if all_day else f"{start:%H:%M}",
            "end_day": end.date().isoformat(),
            "end_time": "" if all_day else f"{end:%H:%M}",
            "venue": event.places[0].name.text if event.places else "",
            "organizer": event.organizers[0].name.text if event.organizers else "",
            "cost": event.price,
            "website": event.website,
        },
        {
            "all_day": all_day,
            **{flag.name: bool(event.flag(flag.attribute)) for flag in event_fields.PLAIN_FLAGS},
        },
        tuple(str(term.id) for term in event.categories),
        tuple(tag for tag in current.context().settings.languages if tag in variants),
        {
            tag: {
                "title": texts.get("title", ""),
                "description": plain_lines(texts.get("description", "")),
                **{text.name: texts.get(text.name, "") for text in event_fields.PLAIN_TEXTS},
                ALT_TEXT: decoded(alt_texts.get(tag, {}).get(ALT_TEXT, "")),
            }
            for tag, texts in variants.items()
        },
    )
