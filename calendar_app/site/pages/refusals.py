"""Words for refused filters and form fields, in every language."""

from collections.abc import Mapping

from calendar_app.api.http.errors.problems import Missing
from calendar_app.api.resources.events.filters import FILTERS
from calendar_app.errors import Message

_EMPTY_TEXT = "variants: {name} of {language} must not be empty."

# What readers call the filters that stand in messages under the names of the interface.
FILTER_NAMES: Mapping[str, Message] = {
    **{name: filter_.label for name, filter_ in FILTERS.items() if filter_.label},
    "fallback": Message("Only translated"),
    # Several filters that readers know as one.
    "dates": Message("Date"),
    "near": Message("Near me"),
}
# The messages of the interface that a filter can be refused with, for the catalogs of pages.
REFUSALS = (
    Message("Invalid parameter."),
    Message("One coordinate is not enough: both are needed."),
    Message("The date is outside the years 1 to 9999."),
    Message("The text has too many different words."),
    Message("The text is not a date. Write it like 2030-01-31 19:30."),
    Message("There are too many values."),
    Message("There is no such day."),
    Message("This may be {most} characters long at most."),
    Message("There is no such time of day."),
    Message("There is no {kind} {id}."),
    Message("You may only ask for status=publish."),
    Message("fallback must be none or languages of the site."),
    Message("distance needs geoloc_lat and geoloc_lng."),
    Message("orderby=distance needs geoloc_lat and geoloc_lng."),
    Message("overlaps_to must lie after overlaps_from."),
    Message("search may be {most} characters long at most."),
    Message("search may hold {most} words at most."),
    Message("{name} is not of type {type}."),
    Message("{name} may name {most} records at most."),
    Message("{name} must be a text that is not empty."),
    Message("{name} must be a whole number above 0."),
    Message("{name} must be one of {words}."),
    Message("{name} must be west,south,east,north in degrees."),
    Message("{name} must hold ids."),
    Message("{name} must hold codes such as de or pt-BR."),
    Message("{name} must be a whole number from {low} to {high}."),
    Message("{name} must lie between {low} and {high}."),
    Message("{name} must name terms."),
)
KINDS = (
    Message("event"),
    Message("series"),
    Message("venue"),
    Message("organizer"),
    Message("category"),
    Message("tag"),
    Message("media"),
)
_NEEDED = Message("Please fill this in.")
_WHOLE_ADDRESS = Message("Write the whole address: https://example.org")
_EMAIL = Message("Write an e-mail address: name@example.org")
_CHOOSE = Message("Choose one of the list.")
_NUMBERS = Message("Write a whole number from {low} to {high}.")
# What forms say in place of messages that name the parameters of the interface.
SENTENCES: Mapping[str, Message] = {
    "{name} must be an absolute address such as https://example.org/.": _WHOLE_ADDRESS,
    "{name} must begin with https:// or http://.": _WHOLE_ADDRESS,
    "{name} must be written in ASCII, as {address}": Message("Write the address as {address}"),
    "{name} must be a text that is not empty.": _NEEDED,
    "{name} must be a text.": _NEEDED,
    "{name} must not be blank.": _NEEDED,
    "{name} has 1 to {longest} characters.": Message("Write 1 to {longest} characters."),
    "variants: {name} of {language} must not be empty.": _NEEDED,
    "{name} must be a whole number above 0.": Message("Write a whole number above 0."),
    "{name} must be a number with a point, such as 46.85.": Message("Write a number: 46.85"),
    "{name} must lie between {low} and {high}.": Message("Write a number from {low} to {high}."),
    "{name} must be an e-mail address, such as name@example.org.": _EMAIL,
    "This is not an e-mail address. One looks like name@example.org.": _EMAIL,
    "{name} must be one of {words}.": _CHOOSE,
    "{name} must be a whole number from {low} to {high}.": _NUMBERS,
    "{name} must hold codes such as de or pt-BR.": Message(
        "Write languages by their names or codes: English, fr"
    ),
    "max_age must not lie below min_age.": Message("Write a higher age, or none."),
    "closes must lie after opens.": Message("Registration has to close after it opens."),
    "{name} must be {word}.": _CHOOSE,
    "{name} is not of type {type}.": Message("This cannot be read here."),
    "{name} must be an id or a name.": _CHOOSE,
    "{name} must be an id, or an object such as {example}.": _CHOOSE,
    "{name} must name each one by its id, its slug or its name.": _CHOOSE,
    "{name} may name {most} records at most.": Message("Choose {most} at most."),
    "{name} differs from the one of {language} in variants.": Message("Write it once."),
    "end_date is before start_date.": Message("The end is before the start. Write a later one."),
    "start_date is out of range.": Message("Write a day of the years 1 to 9999."),
    "timezone must be the name of a zone.": Message("Write a time zone: Europe/Zurich"),
    "author must be the id of a user.": _CHOOSE,
    "post_parent must be the id of an event, or 0.": _CHOOSE,
    "parent must be the id of a category, or 0.": Message("Choose a category, or none."),
    "image must be the id of a picture or an absolute address.": Message(
        "Choose a picture, or write its whole address: https://example.org/picture.jpg"
    ),
    "custom_fields: Only editors and administrators may write fields of any key.": Message(
        "Only editors and administrators may write fields of any key."
    ),
    "custom_fields: There is no field {key}.": Message("There is no field “{key}”."),
    "custom_fields: a key has at most {number} characters, no dot, and no $ in front.": Message(
        "A key has at most {number} characters, no dot, and no $ in front."
    ),
    "custom_fields: label and value of {key} must be texts.": Message(
        "“{key}” needs a label and a text."
    ),
    "custom_fields: {key} must have a label and a value.": Message(
        "“{key}” needs a label and a text."
    ),
    "custom_fields must map at most {number} keys to labels and values.": Message(
        "Write {number} fields at most."
    ),
    "rdate has a date that ends before it starts.": Message(
        "A date ends before it starts. Write a later end."
    ),
    "{part} has more than {most} values.": Message("Write {most} lines at most."),
    "COUNT must be at most {limit}.": Message("Write a number of at most {limit}."),
    "UNTIL is before the start of the event.": Message(
        "This day is before the start. Write a later one."
    ),
    "{part} must be a whole number from {low} to {high}.": _NUMBERS,
    "{part} must be a date such as 20271231 or 20271231T225959Z, not {value}.": Message(
        "Write the day like this: 31.12.2026"
    ),
}


def in_words(reason: str) -> str:
    """Return a reason for a form: without the name of the parameter, with advice."""
    pattern = reason.pattern if isinstance(reason, Message) else str(reason)
    sentence = SENTENCES.get(pattern)
    if sentence is None:
        return _NEEDED if isinstance(reason, Missing) else reason
    return Message(sentence, **reason.gaps) if isinstance(reason, Message) else sentence


def placed(name: str, reason: str) -> tuple[str, str]:
    """Return the field that a reason is about and the reason itself, out of its wrappings.

    Texts of a language are ``variants[de][title]``, fields of a new record ``venue[geo_lat]``.
    """
    gaps = reason.gaps if isinstance(reason, Message) else {}
    inner = gaps.get("reason")
    if isinstance(reason, Message) and reason.pattern == _EMPTY_TEXT:
        return f"variants[{gaps['language']}][{gaps['name']}]", reason
    if not isinstance(inner, str):
        return name, reason
    if "language" in gaps and isinstance(inner, Message) and "name" in inner.gaps:
        return f"variants[{gaps['language']}][{inner.gaps['name']}]", inner
    if "place" in gaps:
        group, _, member = str(gaps["place"]).partition(".")
        place, bare = placed(member, inner)
        return f"{group}[{place.rpartition('[')[2].removesuffix(']')}]", bare
    return name, inner
