"""Renders the form: its values and choices, and previews of its dates and its price."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from types import MappingProxyType
from typing import Any, Self

from flask import Response
from marshmallow import ValidationError

from calendar_app.accounts.callers import Caller, Right
from calendar_app.accounts.policy import may_delete, may_publish
from calendar_app.api.http.request import current
from calendar_app.api.http.request.negotiation import named_language
from calendar_app.api.http.views import records
from calendar_app.api.presentation.media import present_media as present_picture
from calendar_app.api.resources.recurrence import RecurrencePreviewRequestSchema, preview
from calendar_app.domain.cost import Currency, for_readers, in_language, parse_cost
from calendar_app.domain.kind import Record
from calendar_app.domain.kinds import EVENT, MEDIA, SERIES, event_fields
from calendar_app.domain.numbers import parse_digits
from calendar_app.domain.richtext import plain
from calendar_app.domain.statuses import (
    CANCELED,
    DRAFT,
    FUTURE,
    MIXED,
    OFFLINE,
    ONLINE,
    PENDING,
    POSTPONED,
    PRIVATE,
    PUBLISH,
    SCHEDULED,
)
from calendar_app.domain.texts.messages import translated
from calendar_app.domain.texts.participation_words import ACCESSIBILITY_WORDS, GROUP_WORDS
from calendar_app.errors import InvalidParameters, Message
from calendar_app.site.desk.choices import (
    Suggestion,
    authors,
    category_tree,
    chosen_tags,
    names_of,
    suggest,
    tags_by_name,
    timezones,
)
from calendar_app.site.desk.event_form import participation
from calendar_app.site.desk.event_form.asking import TIMES, days_meant, meant
from calendar_app.site.desk.event_form.body import body_of
from calendar_app.site.desk.event_form.dates import PreviewDate, dates_of, days_of_month, weekday_of
from calendar_app.site.desk.event_form.fields import FIELDS, is_recurring_control, languages_from
from calendar_app.site.desk.event_form.form import EventForm
from calendar_app.site.desk.event_form.occurrences import dates_in_year, series_date, with_changes
from calendar_app.site.desk.event_form.origins import said_by_sources, shown_origins
from calendar_app.site.desk.event_form.similar import similar_events
from calendar_app.site.desk.event_form.stored_event import StoredEvent
from calendar_app.site.desk.event_form.times import (
    LAST_DAY,
    LAST_WEEKDAY,
    NTH_WEEKDAY,
    Notation,
)
from calendar_app.site.desk.event_form.values import empty_values
from calendar_app.site.desk.languages import said_of_texts
from calendar_app.site.desk.library import known_area, sent_library
from calendar_app.site.desk.rendering import language, message_text, render, short_moment
from calendar_app.site.html import wording
from calendar_app.site.pages.forms import ControlValues, member_of

STATUSES: Mapping[str, Message] = MappingProxyType(
    {
        DRAFT: Message("Draft"),
        PENDING: Message("To check"),
        PUBLISH: Message("Published"),
        FUTURE: Message("Scheduled"),
        PRIVATE: Message("Private"),
    }
)
ATTENDANCE: Mapping[str, Message] = MappingProxyType(
    {OFFLINE: Message("On site"), ONLINE: Message("Online"), MIXED: Message("On site and online")}
)
EVENT_STATES: Mapping[str, Message] = MappingProxyType(
    {
        SCHEDULED: Message("As planned"),
        CANCELED: Message("Called off"),
        POSTPONED: Message("Postponed"),
    }
)
# What folded parts of the form tell of: the first short text, and what is ticked.
_SHORT, _MARKED, _DOT = (
    ("excerpt", "website"),
    ("featured", "sticky", "hide_from_listings"),
    " \u00b7 ",
)
_MOST_READ = 120
_PREVIEW = RecurrencePreviewRequestSchema()
# Any week will do, from a Monday on.
_WEEK = [date(2024, 1, 1) + timedelta(number) for number in range(7)]
# As they are called while the start is not known.
_DAYS_OF_MONTH = {
    "": Message("the same day of the month"),
    NTH_WEEKDAY: Message("the same weekday, such as the second Tuesday"),
    LAST_WEEKDAY: Message("the last such weekday"),
    LAST_DAY: Message("the last day"),
}
_NO_EXCERPT = Message("One or two sentences for lists. Empty: none.")
_EMPTY_SLUG = Message("empty: made of the title")
_NOT_COPIED = (
    *("slug", "status", "date", "date_time", "password"),
    *("registration_opens", "registration_closes"),
)
_WITH_RHYTHM = (*TIMES, "recurrence")


def content_language() -> str:
    """Return the language to edit texts in: that of the address, else the user's own."""
    context = current.context()
    sent = context.request.args.get(context.settings.translation_parameter, "")
    return named_language(sent, context.settings.languages) or context.language


def notation(event: StoredEvent | None = None) -> Notation:
    """Return how the user writes dates, those of an event that is changed seen from its day."""
    context, own = current.context(), language()
    languages, american = context.settings.languages, context.writes_american(own)
    is_single = event is not None and event.kind is EVENT
    event_day = event.record["start_local"].date() if event and is_single else None
    return Notation(own, context.now().date(), languages, american, event_day)


@dataclass(frozen=True, slots=True)
class Example:
    """Christmas Eve of next year and the day before, as the form takes days."""

    figures: str
    before: str
    words: str

    @classmethod
    def of(cls, how: Notation) -> Self:
        eve = date(how.today.year + 1, 12, 24)
        words = wording.long_date(eve, how.language)
        return cls(how.day(eve), how.day(eve - timedelta(1)), words)


def new_values(edited: str) -> ControlValues:
    """Return the values of a new event, or of the copy of one."""
    context = current.context()
    values = empty_values(context.settings.timezone, languages_from(edited))
    sent = context.request.args
    if sent.get("date"):
        values["start_date"] = _day(sent["date"])
    number = parse_digits(sent.get("copy", ""))
    if number is None:
        return values
    copied = StoredEvent.find(EVENT, number, edited).values(notation())
    if copied["end_date"] == copied["start_date"]:
        copied["end_date"] = ""  # So that another day takes one change.
    return values | {
        name: value
        for name, value in copied.items()
        if member_of(name) not in _NOT_COPIED and not is_recurring_control(name)
    }


def _day(text: str) -> str:
    try:
        return notation().day(date.fromisoformat(text))
    except ValueError:
        return ""


def show(form: EventForm, status: int = 200) -> Response:
    """Return the page of a form."""
    values, caller, how = form.values, current.context().caller, notation(form.event)
    series_id = None if form.event and form.event.is_one_date else form.series_id
    picture = shown_picture(values["image"])
    context: dict[str, Any] = {
        "form": form,
        "event": form.event,
        "values": values,
        "labels": form.labels,
        "control_id": form.id_of,
        "reading": reading_of(values, how, series_id),
        **rhythm_parts(values, how),
        **_choices(form, caller),
        "picture": picture,
        "languages": form.languages,
        "example": Example.of(how),
        "event_day": how.event_day,
        "hints": {"excerpt": message_text(_NO_EXCERPT), "slug": message_text(_EMPTY_SLUG)},
        "long_texts": ("description", "excerpt"),
        "rich_texts": ("description", "excerpt"),
        "needed_text": "title",
        "placeholders": {},
        "area": known_area(),
        "picture_rights": form.picture_rights or (picture["rights"] if picture else {}),
        "picture_focus": _focus(form.picture_rights or (picture["rights"] if picture else {})),
        "alternative_texts": form.alternative_texts or (picture["alt"] if picture else {}),
        **_series_parts(form, how),
        "neighbors": [] if form.event else similar_events(values, form.languages, how),
        "may_trash": form.event is not None and may_delete(caller, form.event.record),
        "may_publish": may_publish(caller, _record(form)),
        "may_upload": caller.may(Right.UPLOAD),
        "saved_at": short_moment(form.event.record["modified"]) if form.event else "",
        "origins": shown_origins(form.event),
        "said_by_sources": said_by_sources(form.event),
    }
    context["lines"] = _lines(form, _chosen_names(context, values), context["whole"])
    kind, record = (form.event.kind, form.event.record) if form.event else (EVENT, None)
    context |= said_of_texts(kind, record, form.languages, form.in_language)
    return render("event_form.html", status, **context)


def _series_parts(form: EventForm, how: Notation) -> dict[str, Any]:
    """Return the dates of a series in a year, or the only date that a form is about."""
    event = form.event
    if event is None or event.series_id is None:
        return {}
    if event.kind is EVENT:
        return {"own_date": series_date(event.record, how)}
    year = parse_digits(current.context().request.args.get("year", ""))
    return {"series_year": dates_in_year(event.series_id, year, how)}


def _choices(form: EventForm, caller: Caller) -> dict[str, Any]:
    """Return the choices of the form, and the names of the chosen records."""
    values = form.values
    return {
        "statuses": _statuses(form, caller),
        "attendance": ATTENDANCE,
        "accessibility": ACCESSIBILITY_WORDS,
        "audience_groups": GROUP_WORDS,
        "required": participation.REQUIRED,
        "spoken": list(dict.fromkeys((*form.languages, "en", *values["in_language"]))),
        "event_states": EVENT_STATES,
        "plain_texts": tuple(text.name for text in event_fields.PLAIN_TEXTS),
        "plain_flags": tuple(flag.name for flag in event_fields.PLAIN_FLAGS),
        "categories": category_tree(values["categories"]),
        "tags": tags_by_name(),
        "chosen_tags": chosen_tags(values["tags"]),
        "timezones": timezones(),
        "venues": names_of("venue", values["venue"]),
        "organizers": names_of("organizer", values["organizer"]),
        "known_venues": suggest("venue"),
        "known_organizers": suggest("organizer"),
        "whole": names_of("post_parent", values["post_parent"]),
        "authors": authors(values["author"]) if caller.may(Right.EDIT_OTHERS) else (),
        "library": sent_library(),
        "weekday_names": [wording.weekday(day, language(), short=True) for day in _WEEK],
        "full_weekday_names": [wording.weekday(day, language()) for day in _WEEK],
    }


def _chosen_names(choices: Mapping[str, Any], values: ControlValues) -> list[str]:
    """Return the names of the chosen categories and tags."""
    chosen = {*values["categories"], *values["tags"]}
    return [
        term.name
        for name in ("categories", "chosen_tags")
        for term in choices[name]
        if term.id in chosen
    ]


def _lines(form: EventForm, terms: Sequence[str], whole: Sequence[Suggestion]) -> dict[str, str]:
    """Return a line for each folded part of the form that sums up its content."""
    values, labels = form.values, form.labels
    short_texts = (values[form.in_language(name, tag)] for name in _SHORT for tag in form.languages)
    status = [STATUSES[values["status"]]] if values["status"] in STATUSES else []
    parts: dict[str, Iterable[str]] = {
        "terms": terms,
        "texts": [plain(next(filter(None, short_texts), ""))],
        "taking_part": [
            ATTENDANCE[values["attendance_mode"]],
            *(labels[name] for name in ("ticketed",) if values[name]),
        ]
        if values["attendance_mode"] in ATTENDANCE
        else [],
        "participation": participation.in_words(values, language()),
        "state": [EVENT_STATES.get(values["event_status"], "")],
        "visibility": [*status, *(labels[name] for name in _MARKED if values[name])],
        "details": [*filter(None, values["custom_label"]), *(each.label for each in whole)],
    }
    return {name: _DOT.join(message_text(each) for each in part) for name, part in parts.items()}


def shown_picture(image: str) -> dict[str, Any] | None:
    """Return the chosen picture: its address, and its alternative texts by language."""
    context = current.context()
    number = parse_digits(image)
    if number is None:
        return {"url": image, "id": "", "alt": {}, "rights": {}} if image else None
    record = context.services.shown_pictures.find(number, context.caller)
    if record is None:
        return None
    presented = present_picture(record, records.view_of(MEDIA, [record]))
    sizes = presented.get("sizes") or {}
    alt = {tag: texts.get("alt_text", "") for tag, texts in record["variants"].items()}
    rights = {name: record.get(name, "") for name in ("credit", "license", "focus")}
    return {
        "url": (sizes.get("medium") or presented)["url"],
        "id": image,
        "alt": alt,
        "rights": rights,
    }


def _focus(rights: Mapping[str, str]) -> dict[str, str]:
    """Return the focus point for its two fields, valid or not."""
    left, _, top = rights.get("focus", "").partition("% ")
    return {"left": left, "top": top.removesuffix("%")}


def rhythm_parts(values: ControlValues, how: Notation) -> dict[str, Any]:
    """Return the words of the sentence that follow from the start of an event."""
    return {
        "days_of_month": days_of_month(values, how, _DAYS_OF_MONTH),
        "weekday": weekday_of(values, how),
    }


def _record(form: EventForm) -> Record:
    """Return the stored record of the edited event; empty for a new one."""
    return form.event.record if form.event else {}


def _statuses(form: EventForm, caller: Caller) -> dict[str, Message]:
    """Return the states that the caller may choose."""
    if may_publish(caller, _record(form)):
        return dict(STATUSES)
    return {name: STATUSES[name] for name in (DRAFT, PENDING)}


# How a form is read: its dates, and its price.


@dataclass(frozen=True, slots=True)
class DayMeant:
    """The ``text`` of a word for a day, the day, and both as the form sends them back."""

    text: str
    day: str
    sent_back: str


@dataclass(frozen=True, slots=True)
class ReadersView:
    """The dates, the recurrence in words, and the price as readers see it."""

    text: str = ""
    dates: Sequence[PreviewDate] = ()
    is_endless: bool = False
    cost: str = ""
    days_meant: Sequence[DayMeant] = ()


def reading_of(values: ControlValues, how: Notation, series_id: int | None = None) -> ReadersView:
    """Return the dates and the price; wrong ones are refused when the form is saved.

    Of a stored series they tell what has become of each of them.
    """
    cost, meant_days = _cost(values.get("cost", "").strip()), _days_meant(values, how)
    body, problems = body_of(values, _WITH_RHYTHM, language(), how)
    if problems or not body.get("start_date"):
        return ReadersView(cost=cost, days_meant=meant_days)
    body = {name: value for name, value in body.items() if value not in (None, "")}
    try:
        previewed = preview(_PREVIEW.load(body), current.context(), language(), _MOST_READ)
    except (InvalidParameters, ValidationError):
        return ReadersView(cost=cost, days_meant=meant_days)
    if series_id is not None and _is_stored_rhythm(values, series_id, how):
        return ReadersView(previewed["text"], cost=cost, days_meant=meant_days)
    listed = dates_of(values, previewed, how, all_day=bool(body.get("all_day")))
    if series_id is not None:
        listed = with_changes(series_id, listed, how)
    return ReadersView(previewed["text"], listed, previewed["more"], cost, meant_days)


def _is_stored_rhythm(values: ControlValues, series_id: int, how: Notation) -> bool:
    """Return whether a form has the stored dates of a series, which have a list of their own."""
    stored = StoredEvent.find(SERIES, series_id, language()).values(how)
    return all(
        values.get(name, "") == stored[name]
        for field in _WITH_RHYTHM
        for name in FIELDS[field].controls
    )


def _days_meant(values: ControlValues, how: Notation) -> list[DayMeant]:
    return [
        DayMeant(values[name].strip(), wording.full_date(day, how.language), meant(name, day))
        for name, day in days_meant(values, how).items()
    ]


def _cost(text: str) -> str:
    currency = Currency.of(current.context().settings)
    try:
        cost = parse_cost(text, currency) if text else None
    except ValueError:
        return ""
    if cost is None:
        return ""
    presented = in_language(cost.document(), translated(Message("Free"), (language(),)))
    return for_readers(presented, currency.symbol)
