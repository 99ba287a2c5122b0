"""The settings of a source: which values they may have."""

import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace
from datetime import date, timedelta
from typing import Any
from urllib.parse import urlsplit

from calendar_app.domain.addresses import has_credentials
from calendar_app.domain.statuses import DRAFT, PENDING, PUBLISH
from calendar_app.domain.zones import zone_of
from calendar_app.errors import InvalidParameters, Message
from calendar_app.sources import merging
from calendar_app.sources.own_site import OwnSite
from calendar_app.sources.planning import CANCEL, KEEP, TRASH
from calendar_app.sources.rules import PARTS
from calendar_app.sources.source import (
    ASK,
    CALENDAR,
    COPY,
    CREATE,
    FILES,
    KINDS,
    LEAVE_OUT,
    LINK,
    LIST,
    PUSH,
    SHOW,
    UNITE,
    WAIT,
    Source,
)

_SCHEMES = ("http", "https", "webcal", "webcals")
_OF_PAGES = ("http", "https")
_LEAST_MINUTES = 15
_LONGEST, _MOST_WORDS = 2000, 200
_HIGHEST_RANK = 1_000_000
_CLOCK = re.compile(r"(?:[01]\d|2[0-3]):[0-5]\d", re.ASCII)
_TAXONOMIES = ("categories", "tags")
_PLACES = ("venue", "organizer")
_WORDS, _DAYS = ("words", "without_words", "places"), ("from", "to")
_UNKNOWN = Message("There is no such setting of a source.")
_NO_TEXT = Message("Must be a text of up to {most} characters.", most=_LONGEST)
_NO_ID = Message("Must be the id of a record that exists, or 0.")
_NO_OBJECT = Message("Must be an object.")
_NO_LIST = Message("Must be a list of up to {most} members.", most=_MOST_WORDS)
_NO_WORDS = Message("Must be a list of texts.")
_NO_DAY = Message("Must be a day such as 2027-06-05, or empty.")
_NO_MINUTES = Message("Must be 0, or {least} minutes or more.", least=_LEAST_MINUTES)
_NO_RANK = Message("Must be a whole number from -{most} to {most}.", most=_HIGHEST_RANK)
_NO_CLOCK = Message("Must be a time such as 04:30, or empty.")
_TWO_SCHEDULES = Message("Send either every or daily_at.")
_NO_ADDRESS = Message("Must be an address that begins with https://, http:// or webcal://.")
_CREDENTIALS = Message("Must not contain a name or a password before the host.")
_NO_SITE = OwnSite()
_OWN_ADDRESS = Message("This is the address of this calendar: its events are here already.")
_NEEDLESS = Message("Programs send to this source: it has no address.")
_NOT_BY_ITSELF = Message("Without an address it is not read by itself.")
_NO_FLAG = Message("Must be true or false.")
_NO_ZONE = Message("There is no such time zone.")
_NO_USER = Message("There is no such user.")
_NO_KEEPER = Message("Must be a list of users who may write events.")
_MISSING = Message("Is missing.")
_NO_PAGE = Message("Must be an address that begins with https:// or http://.")


@dataclass(frozen=True, slots=True)
class SourceReferences:
    """Valid references in settings: languages, records by collection, users, kinds of sources.

    No calendar is followed at the address of this ``site``.
    """

    languages: Collection[str]
    are_records: Callable[[str, Collection[int]], bool]
    is_user: Callable[[int], bool]
    may_keep: Callable[[int], bool] = lambda _user: True
    kinds: Collection[str] = KINDS
    site: OwnSite = _NO_SITE


def checked(
    values: Mapping[str, Any],
    existing: SourceReferences,
    stored: Mapping[str, Any] | None = None,
    *,
    may_lack_address: bool = False,
) -> Source:
    """Return the source that values make, each setting by its name.

    A value that is ``stored`` already may stay, also where what it names has been deleted since.
    A site that was imported from recorded pages ``may_lack_address``, as files do.
    Raises ``InvalidParameters`` with a reason for each value that cannot be taken, by the path of
    its parameter, such as ``filters.from``.
    """
    reasons: dict[str, str] = {
        name: _UNKNOWN for name in values if name not in _CHECKS and name != "id"
    }
    unchanged = {name: value for name, value in (stored or {}).items() if values.get(name) == value}
    values = {**values, **unchanged}
    for name, check in _CHECKS.items():
        if name in values and name not in unchanged:
            reasons |= check(name, values[name], existing)
    for name in ("name", "kind"):
        if not values.get(name):
            reasons.setdefault(name, _MISSING)
    if not reasons.keys() & {"kind", "address"}:
        is_file = may_lack_address or values["kind"] in FILES
        reasons = _joint_reasons(values, is_file=is_file) | reasons
        if values["kind"] == CALENDAR and existing.site.has(values.get("address", "")):
            reasons.setdefault("address", _OWN_ADDRESS)
    if not reasons.keys() & {"publisher", "publisher.name", "license", "attribution"}:
        reasons |= _provenance_reasons(values)
    if reasons:
        raise InvalidParameters(reasons)
    source = Source(**values)
    publisher = {name: text.strip() for name, text in source.publisher.items() if text.strip()}
    texts = {n: getattr(source, n).strip() for n in ("name", "address", "license", "attribution")}
    return replace(source, **texts, publisher=publisher)


Reasons = dict[str, str]
SettingCheck = Callable[[str, Any, SourceReferences], Reasons]


def _joint_reasons(values: Mapping[str, Any], *, is_file: bool) -> Reasons:
    reasons: Reasons = {}
    address, is_pushed = values.get("address", ""), values["kind"] == PUSH
    if is_pushed and address:
        reasons["address"] = _NEEDLESS
    is_file = is_file and not address.strip()
    if not is_pushed and not is_file and not _is_address(address):
        reasons["address"] = _NO_ADDRESS
    elif not is_pushed and not is_file and has_credentials(address):
        reasons["address"] = _CREDENTIALS
    every = values.get("every", 0)
    if values["kind"] != CALENDAR and _is_id(every) and 0 < every < _LEAST_MINUTES:
        reasons["every"] = _NO_MINUTES
    if is_file and (values.get("every") or values.get("daily_at")):
        reasons["address"] = _NOT_BY_ITSELF
    if values.get("every") and values.get("daily_at"):
        reasons["daily_at"] = _TWO_SCHEDULES
    return reasons


def _provenance_reasons(values: Mapping[str, Any]) -> Reasons:
    """Return the reason against a publisher without a name, since readers see all by that name."""
    publisher = values.get("publisher") or {}
    needs_name = any((*publisher.values(), values.get("license"), values.get("attribution")))
    has_name = bool(str(publisher.get("name") or "").strip())
    return {"publisher.name": _MISSING} if needs_name and not has_name else {}


def _is_address(address: str, schemes: Collection[str] = _SCHEMES) -> bool:
    try:
        parts = urlsplit(address.strip())
        return parts.scheme.lower() in schemes and bool(parts.hostname) and parts.port != 0
    except ValueError:
        return False


def _text(name: str, value: Any, existing: SourceReferences) -> Reasons:
    del existing
    is_fine = isinstance(value, str) and len(value) <= _LONGEST and "\0" not in value
    return {} if is_fine else {name: _NO_TEXT}


def _page(name: str, value: Any, existing: SourceReferences) -> Reasons:
    if _text(name, value, existing) or (value and not _is_address(value, _OF_PAGES)):
        return {name: _NO_PAGE}
    return {name: _CREDENTIALS} if has_credentials(value) else {}


def _choice(*choices: str) -> SettingCheck:
    reason = Message("Must be one of {choices}.", choices=", ".join(filter(None, choices)))

    def check(name: str, value: Any, existing: SourceReferences) -> Reasons:
        del existing
        return {} if isinstance(value, str) and value in choices else {name: reason}

    return check


def _kind(name: str, value: Any, existing: SourceReferences) -> Reasons:
    return _choice(*existing.kinds)(name, value, existing)


def _flag(name: str, value: Any, existing: SourceReferences) -> Reasons:
    del existing
    return {} if isinstance(value, bool) else {name: _NO_FLAG}


def _user(name: str, value: Any, existing: SourceReferences) -> Reasons:
    return {} if _is_id(value) and existing.is_user(value) else {name: _NO_USER}


def _keepers(name: str, value: Any, existing: SourceReferences) -> Reasons:
    is_list = isinstance(value, list | tuple) and all(map(_is_id, value))
    return {} if is_list and all(map(existing.may_keep, value)) else {name: _NO_KEEPER}


def _language(name: str, value: Any, existing: SourceReferences) -> Reasons:
    languages = ", ".join(existing.languages)
    reason = Message("Must be a language of the site: {languages}.", languages=languages)
    return {} if value in existing.languages else {name: reason}


def _zone(name: str, value: Any, existing: SourceReferences) -> Reasons:
    del existing
    try:
        zone_of(value)
    except (ValueError, TypeError, AttributeError):
        return {name: _NO_ZONE}
    return {}


def _minutes(name: str, value: Any, existing: SourceReferences) -> Reasons:
    del existing
    is_fine = _is_id(value) and value <= timedelta(days=31) // timedelta(minutes=1)
    return {} if is_fine else {name: _NO_MINUTES}


def _whole_number(name: str, value: Any, existing: SourceReferences) -> Reasons:
    del existing
    is_fine = isinstance(value, int) and not isinstance(value, bool) and abs(value) <= _HIGHEST_RANK
    return {} if is_fine else {name: _NO_RANK}


def _clock(name: str, value: Any, existing: SourceReferences) -> Reasons:
    del existing
    is_fine = isinstance(value, str) and (not value or _CLOCK.fullmatch(value))
    return {} if is_fine else {name: _NO_CLOCK}


def _object(members: Mapping[str, SettingCheck], *, needed: Collection[str] = ()) -> SettingCheck:
    def check(name: str, value: Any, existing: SourceReferences) -> Reasons:
        if not isinstance(value, Mapping):
            return {name: _NO_OBJECT}
        reasons: Reasons = {f"{name}.{each}": _UNKNOWN for each in value if each not in members}
        reasons |= {f"{name}.{each}": _MISSING for each in needed if each not in value}
        for member in value.keys() & members.keys():
            reasons |= members[member](f"{name}.{member}", value[member], existing)
        return reasons

    return check


def _list(member: SettingCheck) -> SettingCheck:
    def check(name: str, value: Any, existing: SourceReferences) -> Reasons:
        if not isinstance(value, list | tuple) or len(value) > _MOST_WORDS:
            return {name: _NO_LIST}
        reasons: Reasons = {}
        for place, each in enumerate(value):
            reasons |= member(f"{name}[{place}]", each, existing)
        return reasons

    return check


def _parts(name: str, value: Any, existing: SourceReferences) -> Reasons:
    parts = (*PARTS, *existing.languages)
    reason = Message("Must be a list of some of {choices}.", choices=", ".join(parts))
    is_fine = isinstance(value, list | tuple) and all(each in parts for each in value)
    return {} if is_fine else {name: reason}


def _texts(name: str, value: Any, existing: SourceReferences) -> Reasons:
    is_list = isinstance(value, list | tuple) and len(value) <= _MOST_WORDS
    if not is_list or any(_text(name, each, existing) or not each.strip() for each in value):
        return {name: _NO_WORDS}
    return {}


def _day(name: str, value: Any, existing: SourceReferences) -> Reasons:
    del existing
    try:
        if value:
            date.fromisoformat(value)
    except (ValueError, TypeError):
        return {name: _NO_DAY}
    return {}


def _ids(collection: str) -> SettingCheck:
    def check(name: str, value: Any, existing: SourceReferences) -> Reasons:
        is_list = isinstance(value, list | tuple) and all(map(_is_id, value))
        is_fine = is_list and existing.are_records(collection, value)
        return {} if is_fine else {name: _NO_ID}

    return check


def _id(collection: str) -> SettingCheck:
    def check(name: str, value: Any, existing: SourceReferences) -> Reasons:
        is_fine = _is_id(value) and (value == 0 or existing.are_records(collection, [value]))
        return {} if is_fine else {name: _NO_ID}

    return check


def _mapped(collection: str) -> SettingCheck:
    def check(name: str, value: Any, existing: SourceReferences) -> Reasons:
        if not isinstance(value, Mapping) or not all(map(_is_id, value.values())):
            return {name: _NO_ID}
        ids = {each for each in value.values() if each}
        return {} if existing.are_records(collection, ids) else {name: _NO_ID}

    return check


def _columns(name: str, value: Any, existing: SourceReferences) -> Reasons:
    if not isinstance(value, Mapping):
        return {name: _NO_OBJECT}
    wrong = (each for each, column in value.items() if _text(name, column, existing))
    return {f"{name}.{each}": _NO_TEXT for each in wrong}


def _is_id(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


_CHECKS: Mapping[str, SettingCheck] = {
    "name": _text,
    "kind": _kind,
    "address": _text,
    "status": _choice(DRAFT, PENDING, PUBLISH),
    "author": _user,
    "language": _language,
    "timezone": _zone,
    "town": _text,
    "defaults": _object(
        {name: _ids(name) for name in _TAXONOMIES} | {name: _id(f"{name}s") for name in _PLACES}
    ),
    "terms": _object({name: _mapped(name) for name in _TAXONOMIES}),
    "unknown_terms": _choice(LEAVE_OUT, CREATE, LIST),
    "filters": _object(dict.fromkeys(_WORDS, _texts) | dict.fromkeys(_DAYS, _day)),
    "authority": _object(dict.fromkeys(merging.FIELDS, _choice(merging.HERE, merging.SOURCE))),
    "vanished": _choice(KEEP, CANCEL, TRASH),
    "every": _minutes,
    "daily_at": _clock,
    "off": _flag,
    "columns": _columns,
    "responsible": _user,
    "rank": _whole_number,
    "doubles": _choice("", SHOW, WAIT),
    "certain_doubles": _choice("", ASK, UNITE),
    "publisher": _object({"name": _text, "url": _page}),
    "license": _text,
    "attribution": _text,
    "show_provenance": _flag,
    "pictures": _choice(LINK, COPY),
    "keepers": _keepers,
    "rules": _list(
        _object(
            {
                "if": _object(
                    {
                        **dict.fromkeys(("categories", "words", "places"), _texts),
                        **dict.fromkeys(("has", "lacks"), _parts),
                    }
                ),
                "then": _object(
                    {
                        "status": _choice(DRAFT, PENDING, PUBLISH),
                        **{name: _ids(name) for name in _TAXONOMIES},
                        "featured": _flag,
                        "leave_out": _flag,
                    }
                ),
            },
            needed=("if", "then"),
        )
    ),
}
