"""The fields of the form of events, with their labels and controls."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from types import MappingProxyType

from calendar_app.api.http.request import current
from calendar_app.domain.kinds import event_fields
from calendar_app.errors import Message
from calendar_app.site.html.wording import own_name
from calendar_app.site.pages.forms import FormField

CHECKED = "1"


def _field(name: str, label: Message, focus: str = "", /, **parts: Message | None) -> FormField:
    """Return a field of the form; ``None`` is for a control without a label of its own."""
    return FormField(name, label, f"event-{focus or name}", parts)


def _declared(name: str, focus: str = "", /, **parts: Message | None) -> FormField:
    """Return the field of a text or a flag, which the table labels."""
    return _field(name, event_fields.LABELS[name], focus, **parts)


_WEBSITE = event_fields.LABELS["website"]
# In the order of the form, by the parameters of the interface.
FIELDS: Mapping[str, FormField] = MappingProxyType(
    {
        each.name: each
        for each in (
            _declared("title"),
            _declared("description"),
            _declared("excerpt"),
            _field("start_date", Message("Start"), start_date=None, start_time=Message("from")),
            _field("end_date", Message("End"), end_date=None, end_time=Message("until")),
            _declared("all_day"),
            _field(
                "recurrence",
                Message("Repeats"),
                "repeat",
                repeat=None,
                repeat_until=Message("until the day"),
                repeat_count=Message("number of dates"),
                repeat_days=Message("on these weekdays"),
                repeat_by=Message("Day of the month"),
                repeat_rule=Message("As calendar programs write it, one rhythm a line"),
                repeat_dates=Message("Further dates, one a line"),
                repeat_except=Message("Left out, one a line"),
                repeat_moved=Message("Moved, one a line"),
                repeat_off=Message("Called off, one a line"),
            ),
            _field("timezone", Message("Time zone")),
            _field(
                "venue", Message("Place"), "venue_find", venue=None, venue_find=None, venue_new=None
            ),
            _field("attendance_mode", Message("How people take part")),
            _field("online_url", Message("Address to take part online")),
            _field(
                "organizer",
                Message("Organizer"),
                "organizer_find",
                organizer=None,
                organizer_find=None,
                organizer_new=None,
            ),
            _field("accessibility", Message("Accessibility")),
            _field(
                "in_language",
                Message("Languages of the event"),
                "in_language_other",
                in_language=None,
                in_language_other=Message("Other languages"),
            ),
            _field(
                "audience",
                Message("For whom"),
                "audience_min",
                audience_min=Message("from the age of"),
                audience_max=Message("up to the age of"),
                audience_groups=None,
            ),
            _field(
                "registration",
                Message("Registration"),
                "registration_url",
                registration_url=Message("Address of the registration"),
                registration_opens=Message("Registration opens"),
                registration_closes=Message("Registration closes"),
                registration_required=Message("Do people have to register?"),
            ),
            _field("cost", Message("Price")),
            _declared("website"),
            _field("slug", Message("Name in the address")),
            _field("date", Message("Published on"), date=None, date_time=Message("at")),
            _field(
                "password", Message("Password for readers"), password=None, password_remove=None
            ),
            _declared("sticky"),
            _declared("hide_from_listings"),
            _declared("show_map"),
            _declared("show_map_link"),
            _declared("ticketed"),
            _declared(
                "custom_fields",
                "custom_label",
                custom_key=None,
                custom_label=None,
                custom_value=None,
            ),
            _field("author", Message("Author")),
            _field(
                "post_parent",
                Message("Part of the event"),
                "post_parent_find",
                post_parent=None,
                post_parent_find=None,
            ),
            _field("status", Message("State")),
            _declared("featured"),
            _field("event_status", Message("Does it take place?")),
            _declared("status_reason"),
            _field("image", Message("Picture"), "image_file"),
            _field("categories", Message("Categories")),
            _field("tags", Message("Tags"), "tags_find", tags=None, tags_find=None),
            *(_declared(field.name) for field in event_fields.PLAIN),
        )
    }
)
# Records that are entered in place have controls such as ``venue_new[city]``.
NEW: Mapping[str, Mapping[str, Message]] = MappingProxyType(
    {
        "venue_new": {
            "venue": Message("Name of the place"),
            "address": Message("Street and number"),
            "zip": Message("Postal code"),
            "city": Message("Town"),
            "country": Message("Country"),
            "geo_lat": Message("Latitude"),
            "geo_lng": Message("Longitude"),
        },
        "organizer_new": {
            "organizer": Message("Name of the organizer"),
            "email": Message("E-mail"),
            "phone": Message("Phone"),
            "website": _WEBSITE,
        },
    }
)
_PLAIN_TEXTS = tuple(field.name for field in event_fields.PLAIN_TEXTS)
TEXTS = ("title", "description", "excerpt", "slug", "website", "status_reason", *_PLAIN_TEXTS)
# The fields with a text in each language.
WORDED: Mapping[str, FormField] = {name: FIELDS[name] for name in (*TEXTS, "custom_fields")}
STORED_FLAGS = ("featured", "sticky", "show_map", "show_map_link", "ticketed", "all_day")
_PLAIN_FLAGS = tuple(field.name for field in event_fields.PLAIN_FLAGS)
FLAGS = (*STORED_FLAGS, *_PLAIN_FLAGS, "hide_from_listings", "password_remove")
CUSTOM_KEY, CUSTOM_PARTS = "custom_key", ("custom_label", "custom_value")
LISTS = (
    *("categories", "tags", "venue", "organizer", "post_parent", "repeat_days"),
    *("accessibility", "in_language", "audience_groups"),
    *(CUSTOM_KEY, *CUSTOM_PARTS),
)


def control_in(name: str, language: str, languages: Sequence[str]) -> str:
    """Return the control of a text in a language; that of the first one bears the bare name."""
    return (
        name if language == languages[0] or name == CUSTOM_KEY else f"variants[{language}][{name}]"
    )


@lru_cache(64)
def fields_in(languages: tuple[str, ...]) -> Mapping[str, FormField]:
    """Return the fields of the form in its order, each text in these languages."""
    return {
        each.name: each
        for each_field in FIELDS.values()
        for each in (
            each_field,
            *(_in_language(each_field, tag, languages) for tag in languages[1:]),
        )
        if each is each_field or each_field.name in WORDED
    }


def _in_language(form_field: FormField, language: str, languages: Sequence[str]) -> FormField:
    """Return a field for the text of another language."""
    parts = {
        control_in(name, language, languages): label for name, label in form_field.parts.items()
    }
    name = f"variants[{language}][{form_field.name}]"
    return FormField(
        name, form_field.label, f"{form_field.id}-{language}", parts, (Message(own_name(language)),)
    )


@lru_cache(64)
def labels_in(languages: tuple[str, ...]) -> Mapping[str, Message]:
    """Return the labels of all controls, in the order of the form."""
    return MappingProxyType(
        {
            name: label
            for each in fields_in(languages).values()
            for name, label in (
                *each.labels.items(),
                *(
                    (f"{group}[{member}]", label)
                    for group in each.controls
                    for member, label in NEW.get(group, {}).items()
                ),
            )
        }
    )


LABELS = labels_in(("",))


def languages_from(first: str) -> tuple[str, ...]:
    """Return the languages of the site, this one first."""
    return (first, *(tag for tag in current.context().settings.languages if tag != first))


def is_recurring_control(name: str) -> bool:
    return name in FIELDS["recurrence"].controls
