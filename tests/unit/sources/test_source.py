"""The settings of a source, and a clear error for each invalid one."""

from dataclasses import replace

import pytest

from calendar_app.errors import InvalidParameters
from calendar_app.sources.own_site import OwnSite
from calendar_app.sources.settings import SourceReferences, checked
from calendar_app.sources.source import Source, identity_of

EXISTING = SourceReferences(("de", "rm"), lambda _, ids: set(ids) <= {3, 4}, lambda user: user == 1)
RULE = {"if": {"words": ["choir"], "has": ["picture", "rm"]}, "then": {"categories": [3]}}
FEED = {"id": 7, "name": "Club", "kind": "ics", "address": "https://club.example.org/all.ics"}


def reasons(**values):
    with pytest.raises(InvalidParameters) as caught:
        checked(FEED | values, EXISTING)
    return caught.value.reasons


def test_a_source_needs_a_name_a_kind_and_an_address():
    source = checked(FEED, EXISTING)
    assert (source.status, source.vanished, source.unknown_terms) == ("pending", "keep", "list")
    with pytest.raises(InvalidParameters) as caught:
        checked({"id": 7}, EXISTING)
    assert caught.value.reasons.keys() == {"name", "kind"}
    assert Source.of(source.document) == source


@pytest.mark.parametrize("address", ["webcal://club.example.org/a", "http://[::1]:8000/x.ics"])
def test_addresses_of_calendars_are_taken(address):
    assert checked(FEED | {"address": f" {address} "}, EXISTING).address == address


def test_a_source_of_files_alone_has_no_address_and_is_not_read_by_itself():
    source = checked(FEED | {"address": ""}, EXISTING)
    assert (source.address, source.is_scheduled) == ("", False)


def test_programs_send_to_a_source_without_an_address():
    assert checked({"id": 7, "name": "Desk", "kind": "push"}, EXISTING).address == ""
    assert reasons(kind="push").keys() == {"address"}


@pytest.mark.parametrize(
    ("values", "name"),
    [
        ({"kind": "ical"}, "kind"),
        ({"kind": ["ics"]}, "kind"),
        ({"name": "x" * 2001}, "name"),
        ({"name": 5}, "name"),
        ({"address": "/etc/passwd"}, "address"),
        ({"address": "file:///etc/passwd"}, "address"),
        ({"address": "https://"}, "address"),
        ({"address": "https://anna:word@club.example.org/a.ics"}, "address"),
        ({"address": "webcal://anna@club.example.org/a.ics"}, "address"),
        ({"address": "https://:word@club.example.org/a.ics"}, "address"),
        ({"kind": "push", "address": "https://["}, "address"),
        ({"address": "https://club.example.org:99999/"}, "address"),
        ({"kind": "tec", "address": ""}, "address"),
        ({"address": "", "every": 60}, "address"),
        ({"status": "trash"}, "status"),
        ({"author": 2}, "author"),
        ({"author": True}, "author"),
        ({"responsible": "1"}, "responsible"),
        ({"language": "en"}, "language"),
        ({"timezone": "Europe/Zurik"}, "timezone"),
        ({"timezone": 5}, "timezone"),
        ({"defaults": []}, "defaults"),
        ({"defaults": {"categories": [9]}}, "defaults.categories"),
        ({"defaults": {"venue": 9}}, "defaults.venue"),
        ({"defaults": {"place": 3}}, "defaults.place"),
        ({"terms": {"categories": {"Musik": 9}}}, "terms.categories"),
        ({"terms": {"tags": {"Musik": "3"}}}, "terms.tags"),
        ({"unknown_terms": "keep"}, "unknown_terms"),
        ({"filters": {"words": "choir"}}, "filters.words"),
        ({"filters": {"words": [" "]}}, "filters.words"),
        ({"filters": {"from": "5.6.2027"}}, "filters.from"),
        ({"filters": {"until": "2027-06-05"}}, "filters.until"),
        ({"authority": {"title": "mine"}}, "authority.title"),
        ({"authority": {"heading": "here"}}, "authority.heading"),
        ({"vanished": "delete"}, "vanished"),
        ({"every": 14}, "every"),
        ({"every": -15}, "every"),
        ({"every": 10**9}, "every"),
        ({"daily_at": "24:00"}, "daily_at"),
        ({"every": 60, "daily_at": "04:30"}, "daily_at"),
        ({"off": "no"}, "off"),
        ({"columns": {"title": 5}}, "columns.title"),
        ({"publisher": "Town"}, "publisher"),
        ({"publisher": {"name": 5}}, "publisher.name"),
        ({"publisher": {"url": "https://town.example.org/"}}, "publisher.name"),
        ({"publisher": {"name": " "}}, "publisher.name"),
        ({"publisher": {"name": "Town", "url": "javascript:alert(1)"}}, "publisher.url"),
        ({"publisher": {"name": "Town", "url": "webcal://town.example.org/"}}, "publisher.url"),
        ({"publisher": {"name": "Town", "url": "https://a:b@town.example.org/"}}, "publisher.url"),
        ({"publisher": {"name": "Town", "email": "a@b.example.org"}}, "publisher.email"),
        ({"license": "CC0"}, "publisher.name"),
        ({"attribution": "Photo: Town"}, "publisher.name"),
        ({"license": 5}, "license"),
        ({"show_provenance": "yes"}, "show_provenance"),
        ({"pictures": "keep"}, "pictures"),
        ({"pictures": ""}, "pictures"),
        ({"rules": {}}, "rules"),
        ({"rules": ["all"]}, "rules[0]"),
        ({"rules": [RULE, {"if": {}}]}, "rules[1].then"),
        ({"rules": [RULE | {"else": {}}]}, "rules[0].else"),
        ({"rules": [RULE | {"then": {"categories": [9]}}]}, "rules[0].then.categories"),
        ({"rules": [RULE | {"then": {"tags": ["Musik"]}}]}, "rules[0].then.tags"),
        ({"rules": [RULE, RULE | {"then": {"status": "trash"}}]}, "rules[1].then.status"),
        ({"rules": [RULE | {"then": {"featured": 1}}]}, "rules[0].then.featured"),
        ({"rules": [RULE | {"if": {"words": "choir"}}]}, "rules[0].if.words"),
        ({"rules": [RULE | {"if": {"has": ["sound"]}}]}, "rules[0].if.has"),
        ({"rules": [RULE | {"if": {"lacks": ["fr"]}}]}, "rules[0].if.lacks"),
        ({"rules": [RULE] * 201}, "rules"),
        ({"color": "red"}, "color"),
    ],
)
def test_a_value_that_cannot_be_is_named(values, name):
    assert list(reasons(**values)) == [name]


def test_all_settings_that_can_be_are_taken():
    values = {
        "defaults": {"categories": [3], "tags": [], "venue": 4, "organizer": 0},
        "terms": {"categories": {"Musik": 3, "Werbung": 0}},
        "filters": {"words": ["choir"], "from": "2027-01-01", "to": "", "places": ["Hall"]},
        "authority": {"title": "source", "times": "here"},
        "daily_at": "04:30",
        "language": "rm",
        "author": 1,
        "rules": [RULE, {"if": {}, "then": {"leave_out": True}}],
        "publisher": {"name": " Town ", "url": "https://town.example.org/"},
        "license": "CC BY 4.0",
        "attribution": "Town of Chur",
    }
    source = checked(FEED | values, EXISTING)
    assert source.is_scheduled
    assert source.publisher == {"name": "Town", "url": "https://town.example.org/"}
    assert not checked(FEED | values | {"off": True}, EXISTING).is_scheduled
    assert source.fingerprint != checked(FEED, EXISTING).fingerprint


@pytest.mark.parametrize(
    "values", [{"kind": "calendar", "every": 1}, {"kind": "calendar", "every": 0}, {"every": 15}]
)
def test_followed_calendar_can_be_read_each_minute_and_others_less_often(values):
    assert checked(FEED | values, EXISTING).every == values["every"]
    assert reasons(every=1).keys() == reasons(kind="tec", every=14).keys() == {"every"}


SITE = OwnSite("https://calendar.example.org/town", "/wp-json/tribe/events/v1", ("de", "rm"))


@pytest.mark.parametrize(
    "address",
    [
        "https://calendar.example.org/town",
        "https://calendar.example.org/town/",
        "http://CALENDAR.example.org:80/town/wp-json/tribe/events/v1",
        "webcal://calendar.example.org./town/de/wp-json/tribe/events/v1/events?search=x",
        "https://calendar.example.org:443/town/./x/../rm",
        "https://calendar.example.org/%74own//DE/",
    ],
)
def test_this_calendar_is_not_followed_by_itself(address):
    existing = replace(EXISTING, site=SITE)
    with pytest.raises(InvalidParameters) as refused:
        checked(FEED | {"kind": "calendar", "address": address}, existing)
    assert [*refused.value.reasons] == ["address"]
    assert checked(FEED | {"address": address}, existing).kind == "ics"


@pytest.mark.parametrize(
    "address",
    [
        "https://calendar.example.org/village/wp-json/tribe/events/v1",
        "https://calendar.example.org/town/shared/wp-json/tribe/events/v1",
        "https://calendar.example.org/",
        "https://calendar.example.org:8000/town",
        "https://example.org/town",
    ],
)
def test_another_calendar_of_the_same_host_is_followed(address):
    existing = replace(EXISTING, site=SITE)
    assert checked(FEED | {"kind": "calendar", "address": address}, existing).address == address


def test_a_calendar_without_an_address_of_its_own_follows_any():
    assert not OwnSite().has("https://example.org/")


@pytest.mark.parametrize(
    ("other", "is_same"),
    [
        ("http://Club.example.org/all.ics", True),
        ("webcal://club.example.org/all.ics/", True),
        ("https://club.example.org/all.ics?group=2", False),
        ("https://club.example.org/other.ics", False),
        ("https://other.example.org/all.ics", False),
    ],
)
def test_address_is_the_same_source_whatever_its_scheme(other, is_same):
    first, second = (identity_of("ics", each, "Club") for each in (FEED["address"], other))
    assert (first == second) is is_same
    assert (identity_of("csv", other, "Club") == second) is False


def test_address_with_another_query_is_another_source():
    first, second = (
        identity_of("ics", f"{FEED['address']}?group={group}", "Club") for group in (1, 2)
    )
    assert first != second
