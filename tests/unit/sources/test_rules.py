"""The first matching rule of a source decides about an event."""

import pytest

from calendar_app.sources.calendar_events import CalendarEvent
from calendar_app.sources.rules import UNDECIDED, Decision, decide

HALL = {"variants": {"de": {"venue": "Kulturhalle", "city": "Samedan"}}}
TEXTS = {"de": {"title": "Gospel-Chor singt", "description": "<p>Mit Band</p>"}}
CHANGES = {
    "variants": TEXTS | {"rm": {"title": "Cor da gospel"}},
    "categories": ["Konzerte"],
    "venues": [HALL],
    "image": "https://samedan.example.org/a.jpg",
}


def event(**changes):
    return CalendarEvent(source="ics:1", label="1", language="de", changes=CHANGES | changes)


def rule(then=None, **conditions):
    return {"if": conditions, "then": then or {}}


@pytest.mark.parametrize(
    ("conditions", "matches"),
    [
        ({}, True),
        ({"categories": ["konzerte"]}, True),
        ({"categories": ["Konzert"]}, False),
        ({"categories": ["Sport", "Konzerte"]}, True),
        ({"words": ["CHOR"]}, True),
        ({"words": ["band"]}, False),
        ({"words": ["cor da"]}, True),
        ({"places": ["samedan"]}, True),
        ({"places": ["celerina"]}, False),
        ({"has": ["picture", "place", "text", "de", "rm"]}, True),
        ({"has": ["picture", "fr"]}, False),
        ({"lacks": ["fr"]}, True),
        ({"lacks": ["fr", "picture"]}, False),
        ({"words": ["chor"], "places": ["celerina"]}, False),
        ({"words": [], "lacks": []}, True),
    ],
)
def test_rule_matches_where_all_its_conditions_hold(conditions, matches):
    assert decide(event(), [rule(**conditions)]).rule == int(matches)


@pytest.mark.parametrize(
    ("changes", "part"),
    [
        ({"image": None}, "picture"),
        ({"venues": ()}, "place"),
        ({"variants": {"de": {"title": "Chor", "description": ""}}}, "text"),
        ({"variants": {"rm": {"title": "Cor"}}}, "de"),
    ],
)
def test_what_is_missing_can_be_asked_for(changes, part):
    assert decide(event(), [rule(lacks=[part])]).rule == 0
    assert decide(event(**changes), [rule(lacks=[part])]).rule == 1
    assert decide(event(**changes), [rule(has=[part])]).rule == 0


def test_first_matching_rule_decides_alone():
    rules = [
        rule({"status": "draft"}, words=["theater"]),
        rule({"status": "publish", "categories": [3]}, words=["chor"]),
        rule({"leave_out": True, "tags": [4]}),
    ]
    assert decide(event(), rules) == Decision(2, status="publish", categories=[3])
    assert decide(event(variants={}), rules) == Decision(3, tags=[4], leave_out=True)


def test_without_a_matching_rule_nothing_is_decided():
    assert decide(event(), []) == decide(event(), [rule(words=["theater"])]) == UNDECIDED
