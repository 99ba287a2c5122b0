"""The values of the form's controls: as sent, and those of a new event."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import zip_longest
from types import MappingProxyType

from werkzeug.datastructures import MultiDict

from calendar_app.api.http.request import current
from calendar_app.domain.custom_fields import LABEL, LONGEST_KEY, VALUE
from calendar_app.domain.kind import Record
from calendar_app.domain.slugs import slugify
from calendar_app.domain.texts.written_dates import clocks_in
from calendar_app.site.desk.event_form.fields import (
    CHECKED,
    CUSTOM_KEY,
    CUSTOM_PARTS,
    LISTS,
    NEW,
    control_in,
    fields_in,
)
from calendar_app.site.pages.forms import ControlValues, member_of

# The key of a further detail that has no label to make one of.
_NAMELESS = "detail"


def sent_values(form: MultiDict[str, str], languages: tuple[str, ...]) -> ControlValues:
    """Return the values of a form that was sent; line ends are those of Unix."""
    values: ControlValues = {}
    for name, is_list in _controls(languages).items():
        if is_list:
            values[name] = form.getlist(name)
        elif name in NEW:
            new = {field: form.get(f"{name}[{field}]", "").strip() for field in NEW[name]}
            values[name] = {field: text for field, text in new.items() if text}
        else:
            values[name] = form.get(name, "").replace("\r\n", "\n")
    if span := clocks_in(values["start_time"]):
        values |= dict(zip(("start_time", "end_time"), span, strict=True))
    return values | _filled_rows(values, languages)


def empty_values(timezone: str, languages: tuple[str, ...]) -> ControlValues:
    """Return the values of a form for a new event."""
    blank: ControlValues = {
        name: [] if is_list else "" for name, is_list in _controls(languages).items()
    }
    flags = {"show_map": CHECKED, "show_map_link": CHECKED}
    usual = {"event_status": "scheduled", "attendance_mode": "offline", "timezone": timezone}
    new: ControlValues = {name: {} for name in NEW}
    return blank | flags | usual | new | stored_rows({}, languages)


@lru_cache(64)
def _controls(languages: tuple[str, ...]) -> Mapping[str, bool]:
    """Return each control of the form, and whether it has several values."""
    names = (name for each in fields_in(languages).values() for name in each.controls)
    return MappingProxyType({name: member_of(name) in LISTS for name in names})


# Further details: rows of a key that all languages share, and a label and a value in each.


def rows_of(
    values: ControlValues, language: str, languages: Sequence[str]
) -> dict[str, dict[str, str]]:
    """Return the further details of a language by key: a label and a value, not both empty."""
    labels, texts = (values[control_in(part, language, languages)] for part in CUSTOM_PARTS)
    keys = keys_of(values, languages)
    rows = zip(keys, *(_padded(part, len(keys)) for part in (labels, texts)), strict=True)
    of_site = current.context().settings.custom_fields
    return {
        key: {"label": label.strip() or of_site.get(key, {}).get(language, ""), "value": text}
        for key, label, text in ((key, label, text.strip()) for key, label, text in rows)
        if key and (label.strip() or text)
    }


def keys_of(values: ControlValues, languages: Sequence[str]) -> list[str]:
    """Return the key of each row; that of a new one is made of its first label."""
    texts = [values[name] for name in _row_controls(languages)]
    keys = [key.strip() for key in values[CUSTOM_KEY]]
    for place, (_, *row) in enumerate(zip_longest(*texts, fillvalue="")):
        keys = _padded(keys, place + 1)
        label = next((label.strip() for label in row[:: len(CUSTOM_PARTS)] if label.strip()), "")
        if not keys[place] and any(text.strip() for text in row):
            name = slugify(label)[:LONGEST_KEY] or _NAMELESS
            free = (name, *(f"{name}-{number}" for number in range(2, len(keys) + 2)))
            keys[place] = next(each for each in free if each not in keys)
    return keys


def _padded(row: Sequence[str], length: int) -> list[str]:
    return [*row, *[""] * (length - len(row))][: max(length, len(row))]


def _filled_rows(values: ControlValues, languages: Sequence[str]) -> ControlValues:
    """Return the rows of further details that have a text in any language."""
    names = list(_row_controls(languages))
    rows = list(zip_longest(*(values[name] for name in names), fillvalue=""))
    filled = [row for row in rows if any(text.strip() for text in row)]
    return {name: [row[place] for row in filled] for place, name in enumerate(names)}


def _row_controls(languages: Sequence[str]) -> Iterator[str]:
    yield CUSTOM_KEY
    for tag in languages:
        yield from (control_in(part, tag, languages) for part in CUSTOM_PARTS)


def stored_rows(variants: Mapping[str, Record], languages: Sequence[str]) -> ControlValues:
    fields = {tag: variants.get(tag, {}).get("custom_fields") or {} for tag in languages}
    of_site: Iterable[str] = current.context().settings.custom_fields
    keys = list(dict.fromkeys((*(key for each in fields.values() for key in each), *of_site)))
    texts = {
        control_in(control, tag, languages): [
            fields[tag].get(key, {}).get(part) or "" for key in keys
        ]
        for tag in languages
        for control, part in zip(CUSTOM_PARTS, (LABEL, VALUE), strict=True)
    }
    return {CUSTOM_KEY: keys, **texts}
