"""Who can take part in an event: it is written, read, filtered by, and told to other programs."""

import json

import pytest
from icalendar import Calendar

ACCESSIBILITY = ["wheelchair", "hearing_loop", "sign_language"]
SAID = {
    "accessibility": ACCESSIBILITY,
    "in_language": ["de", "en", "de-CH"],
    "audience": {"min_age": 6, "max_age": 12, "groups": ["families", "children"]},
    "registration": {
        "url": "https://tickets.example/1?a=1&b=2",
        "opens": "2030-01-01 08:00:00",
        "closes": "2030-03-01 18:00:00",
        "required": True,
    },
}
UNSAID = {"accessibility": [], "in_language": [], "audience": None, "registration": None}


def said(event):
    return {name: event[name] for name in SAID}


@pytest.fixture
def read(anyone):
    """Return a function that reads the participation of an event."""
    return lambda event, **query: said(anyone.get(f"/events/{event['id']}", **query).json)


def test_what_is_said_is_shown_in_records_and_lists(make_event, read, anyone):
    event = make_event(**SAID)
    assert said(event) == read(event) == SAID
    (listed,) = anyone.get("/events").json["events"]
    assert said(listed) == SAID


def test_an_event_says_nothing_by_itself(make_event, read, database):
    event = make_event()
    assert read(event) == UNSAID
    assert not SAID.keys() & database["events"].find_one({"_id": event["id"]}).keys()


@pytest.mark.parametrize("name", SAID)
@pytest.mark.parametrize("empty", [None, "", [], {}])
def test_empty_values_take_back_what_was_said(make_event, as_admin, read, name, empty):
    event = make_event(**SAID)
    answer = as_admin.patch(f"/events/{event['id']}", **{name: empty})
    assert answer.status_code == 200, answer.json
    assert read(event) == SAID | {name: UNSAID[name]}


@pytest.mark.parametrize(
    ("sent", "shown"),
    [
        (
            {"accessibility": "sign_language, wheelchair,wheelchair"},
            ["wheelchair", "sign_language"],
        ),
        ({"in_language": "DE_ch,en,EN,zh-hant"}, ["de-CH", "en", "zh-Hant"]),
        ({"audience": {"max_age": "12"}}, {"min_age": 0, "max_age": 12, "groups": []}),
        ({"audience": {"min_age": 0}}, {"min_age": 0, "max_age": None, "groups": []}),
        (
            {"audience": {"groups": "adults,families"}},
            {"min_age": None, "max_age": None, "groups": ["families", "adults"]},
        ),
        (
            {"registration": {"required": "false"}},
            {"url": "", "opens": None, "closes": None, "required": False},
        ),
        (
            {"registration": {"closes": "2030-02-01T12:00:00Z"}},
            {"url": "", "opens": None, "closes": "2030-02-01 13:00:00", "required": None},
        ),
    ],
)
def test_values_are_read_in_any_notation(make_event, read, sent, shown):
    ((name, _),) = sent.items()
    assert read(make_event(**sent))[name] == shown


def test_an_object_replaces_the_whole_one(make_event, as_admin, read):
    event = make_event(**SAID)
    as_admin.patch(f"/events/{event['id']}", audience={"groups": ["adults"]})
    assert read(event)["audience"] == {"min_age": None, "max_age": None, "groups": ["adults"]}


def test_times_of_a_registration_are_on_the_clocks_of_the_event(make_event, as_admin, read):
    event = make_event(timezone="Asia/Tokyo")
    as_admin.patch(f"/events/{event['id']}", registration={"closes": "2030-02-01T12:00:00Z"})
    assert read(event)["registration"]["closes"] == "2030-02-01 21:00:00"


@pytest.mark.parametrize(
    ("sent", "reason"),
    [
        ({"accessibility": "ramp"}, "accessibility must be one of wheelchair, "),
        ({"in_language": "English"}, "in_language must hold codes such as de or pt-BR."),
        ({"audience": {"min_age": -1}}, "audience: min_age must be a whole number from 0 to 150."),
        ({"audience": {"max_age": 151}}, "audience: max_age must be a whole number from 0 to 150."),
        (
            {"audience": {"min_age": 9, "max_age": 8}},
            "audience: max_age must not lie below min_age.",
        ),
        ({"audience": {"groups": ["dogs"]}}, "audience: groups must be one of families, "),
        ({"audience": {"from": 3}}, "audience must be an object of min_age, max_age, groups."),
        ({"audience": 6}, "audience must be an object of min_age, max_age, groups."),
        (
            {"registration": {"url": "ftp://a.example"}},
            "registration: url must begin with https://",
        ),
        ({"registration": {"opens": "soon"}}, "registration: "),
        ({"registration": {"required": "perhaps"}}, "registration: required is not of type"),
        (
            {"registration": {"opens": "2030-02-01", "closes": "2030-01-01"}},
            "registration: closes must lie after opens.",
        ),
    ],
)
def test_what_cannot_be_read_is_refused_by_name(make_event, as_admin, read, sent, reason):
    event = make_event(**SAID)
    ((name, _),) = sent.items()
    body, headers = {**sent, "title": "Changed"}, {"Accept-Language": "en"}
    answer = as_admin.send("PATCH", f"/events/{event['id']}", json=body, headers=headers)
    assert answer.status_code == 400
    assert answer.json["data"]["params"][name].startswith(reason)
    assert read(event) == SAID


def test_dates_of_a_series_share_what_it_says(make_event, as_admin, anyone):
    event = make_event(recurrence={"rrule": "FREQ=DAILY;COUNT=3"}, **SAID)
    dates = anyone.get("/events", series=event["series"]["id"]).json["events"]
    assert [said(date) for date in dates] == [SAID] * 3

    as_admin.patch(f"/events/{dates[1]['id']}", in_language=["fr"])
    as_admin.patch(f"/series/{event['series']['id']}", accessibility=["quiet"])
    dates = anyone.get("/events", series=event["series"]["id"]).json["events"]
    assert [date["in_language"] for date in dates] == [
        ["de", "en", "de-CH"],
        ["fr"],
        SAID["in_language"],
    ]
    assert [date["accessibility"] for date in dates] == [["quiet"]] * 3
    assert [date["overrides"] for date in dates] == [[], ["in_language"], []]


# Filters


@pytest.fixture
def listed(anyone):
    """Return a function that lists the titles of events for given parameters."""

    def titles(**query):
        answer = anyone.get("/events", **query)
        assert answer.status_code == 200, answer.json
        assert answer.json["total"] == len(answer.json["events"])
        return {event["title"] for event in answer.json["events"]}

    return titles


EVENTS = {
    "silent": {},
    "ramp": {"accessibility": ["wheelchair"], "in_language": ["de"]},
    "signed": {"accessibility": ["wheelchair", "sign_language"], "in_language": ["de-CH", "en"]},
    "small": {"audience": {"max_age": 5}},
    "from six": {"audience": {"min_age": 6}},
    "six to nine": {"audience": {"min_age": 6, "max_age": 9}, "in_language": ["den"]},
    "grown": {"audience": {"groups": ["adults"]}},
}


SELECTIONS = [
    ({"accessibility": "wheelchair"}, {"ramp", "signed"}),
    ({"accessibility": "wheelchair,sign_language"}, {"signed"}),
    ({"accessibility[]": ["sign_language"]}, {"signed"}),
    ({"accessibility": "quiet"}, set()),
    ({"in_language": "de"}, {"ramp", "signed"}),
    ({"in_language": "de-ch"}, {"signed"}),
    ({"in_language": "en,den"}, {"signed", "six to nine"}),
    ({"age": 0}, {"small"}),
    ({"age": 5}, {"small"}),
    ({"age": 6}, {"from six", "six to nine"}),
    ({"age": 10}, {"from six"}),
    ({"age": 6, "in_language": "den"}, {"six to nine"}),
]


def test_lists_select_by_who_can_take_part(make_event, listed):
    for title, fields in EVENTS.items():
        make_event(title=title, **fields)
    assert [listed(**query) for query, _ in SELECTIONS] == [titles for _, titles in SELECTIONS]


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("accessibility", ["", "ramp", "wheelchair,ramp", "$ne"]),
        ("in_language", ["", "English", "de,", "d", "de-"]),
        ("age", ["", "-1", "151", "six", "6.5", "6,7"]),
    ],
)
def test_wrong_filters_are_refused_by_name(anyone, name, values):
    for value in values:
        if value == "de,":  # An empty member says nothing.
            continue
        answer = anyone.get("/events", **{name: value})
        assert (answer.status_code, [*answer.json["data"]["params"]]) == (400, [name]), value


# Linked data and feeds


def test_linked_data_says_it_in_the_words_of_schema_org(make_event, described):
    event = described(make_event(**SAID))
    assert event["inLanguage"] == ["de", "en", "de-CH"]
    assert [word["termCode"] for word in event["keywords"]] == ACCESSIBILITY
    assert event["keywords"][0] == {
        "@type": "DefinedTerm",
        "name": "Mit dem Rollstuhl zugänglich",
        "termCode": "wheelchair",
        "inDefinedTermSet": "https://schema.org/accessibilityFeature",
    }
    assert event["workFeatured"] == {
        "@type": "CreativeWork",
        "accessibilityFeature": "signLanguage",
    }
    assert event["typicalAgeRange"] == "6-12"
    assert event["audience"] == {
        "@type": "PeopleAudience",
        "suggestedMinAge": 6,
        "suggestedMaxAge": 12,
        "audienceType": ["families", "children"],
    }
    assert event["potentialAction"] == {
        "@type": "JoinAction",
        "target": SAID["registration"]["url"],
        "startTime": "2030-01-01T08:00:00+01:00",
        "endTime": "2030-03-01T18:00:00+01:00",
    }


def test_linked_data_of_a_silent_event_says_nothing_of_it(make_event, described):
    names = {"keywords", "workFeatured", "typicalAgeRange", "audience", "potentialAction"}
    assert not names & described(make_event()).keys()


def test_icalendar_has_it_as_structured_data(make_event, anyone):
    make_event(title="Loud", **SAID)
    make_event(title="Silent")
    calendar = Calendar.from_ical(anyone.get("/events.ics").data)
    data_by_title = {
        str(each["SUMMARY"]): each.get("STRUCTURED-DATA") for each in calendar.walk("VEVENT")
    }
    data = data_by_title.pop("Loud")
    assert set(data_by_title.values()) == {None}
    assert data.params["FMTTYPE"] == "application/ld+json"
    assert data.params["SCHEMA"] == "https://schema.org/Event"
    assert json.loads(str(data))["typicalAgeRange"] == "6-12"


def test_tables_have_a_column_for_each(make_event, anyone):
    make_event(**SAID)
    (feature,) = anyone.get("/events.geojson").json["features"]
    properties = feature["properties"]
    assert properties["accessibility"] == ACCESSIBILITY
    assert properties["in_language"] == SAID["in_language"]
    assert (properties["min_age"], properties["max_age"]) == (6, 12)
    assert properties["audience"] == ["families", "children"]
    assert properties["registration_url"] == SAID["registration"]["url"]
