"""The replay accepts equivalent responses and reports all others."""

import pytest
from replaying.comparing import Comparison
from replaying.deciding import Decision
from replaying.plain import Addresses, words
from replaying.recording import REFERENCE_PREFIX, REFERENCE_SITE, Exchange
from replaying.renumbering import Numbering
from replaying.sending import Answer
from werkzeug.datastructures import Headers

PREFIX = "/calendar/events/v1"
REFERENCE = REFERENCE_SITE + REFERENCE_PREFIX


def exchange(answer, **fields):
    case = {
        "name": "a case",
        "method": "GET",
        "path": f"{REFERENCE_PREFIX}/events/7",
        "query": "",
        "role": "anonymous",
        "request_headers": {},
        "request_body": None,
        "status": 200,
        "response_headers": {},
    }
    return Exchange.of(case | fields | {"response_json": answer})


def differences(recorded, actual, *, apart=False, numbering=None, answered=200, **fields):
    numbering = numbering or Numbering()
    comparison = Comparison(
        exchange=exchange(recorded, **fields),
        numbering=numbering,
        addresses=Addresses(PREFIX, numbering),
        apart=apart,
    )
    return [
        difference.at for difference in comparison.differences(Answer(answered, Headers(), actual))
    ]


@pytest.mark.parametrize(
    ("recorded", "actual"),
    [
        ({"all_day": False}, {"all_day": False, "language": "de"}),
        ({"title": "It&#8217;s &#038; more"}, {"title": "It's &amp; more"}),
        ({"description": "<p>Some <b>text</b></p>"}, {"description": "Some text"}),
        ({"slug": "concert-3"}, {"slug": "concert"}),
        ({"url": f"{REFERENCE_SITE}/event/a/"}, {"url": "https://calendar.example/x"}),
        ({"json_ld": {"@type": "Event"}}, {}),
        ({"date": "2026-11-21 08:25:56"}, {"date": "2026-11-21 10:00:00"}),
        ({"meta": []}, {"meta": {}}),
        ({"rest_url": f"{REFERENCE}/events/7"}, {"rest_url": f"http://localhost{PREFIX}/events/7"}),
        ({"width": 1200}, {"width": 1200.0}),
    ],
)
def test_equivalent_values_agree(recorded, actual):
    assert differences(recorded, actual) == []


@pytest.mark.parametrize(
    ("recorded", "actual", "at"),
    [
        ({"excerpt": ""}, {}, "excerpt"),
        ({"all_day": False}, {"all_day": None}, "all_day"),
        ({"author": "1"}, {"author": 1}, "author"),
        ({"sticky": True}, {"sticky": 1}, "sticky"),
        ({"title": "One"}, {"title": "Two"}, "title"),
        ({"slug": "concert"}, {"slug": "concerts"}, "slug"),
        ({"url": "http://a.example"}, {"url": ""}, "url"),
        ({"date": "2026-06-01 12:00:00"}, {"date": "2026-06-01 10:00:00"}, "date"),
        ({"venue": []}, {"venue": {"id": 3}}, "venue"),
        ({"venue": {"id": 3}}, {"venue": []}, "venue"),
        ({"organizer": [{"id": 3}]}, {"organizer": [{"id": 4}]}, "organizer ids"),
        ({"tags": [{"id": 3}, {"id": 4}]}, {"tags": [{"id": 4}, {"id": 3}]}, "tags ids (order)"),
        ({"image": {"id": 3, "width": 9}}, {"image": {"id": 3, "width": 8}}, "image.width"),
        (
            {"cost_details": {"values": ["1"]}},
            {"cost_details": {"values": []}},
            "cost_details.values",
        ),
    ],
)
def test_different_values_are_reported(recorded, actual, at):
    assert differences(recorded, actual) == [at]


REFUSAL = {
    "code": "rest_invalid_param",
    "message": "Invalid parameter(s): page",
    "data": {"status": 400, "params": {"page": "Invalid parameter."}},
}


@pytest.mark.parametrize(
    ("changed", "differing"),
    [
        ({"message": "In other words."}, []),
        ({"message": ""}, ["message"]),
        ({"code": "rest_forbidden"}, ["code"]),
        ({"data": {"status": 400, "params": {"page": "x", "per_page": "x"}}}, ["data.params"]),
        ({"data": {"params": {"page": "x"}}}, ["data.status"]),
    ],
)
def test_errors_agree_by_code_status_and_names(changed, differing):
    assert differences(REFUSAL, REFUSAL | changed, answered=400, status=400) == differing


def test_another_status_is_the_only_difference():
    assert differences(REFUSAL, {"id": 7}, answered=201, status=400) == ["status"]


def test_a_total_in_the_headers_is_compared_until_the_services_are_apart():
    recorded, headers = {"total": 5, "events": []}, {"X-TEC-Total": "5"}
    actual = {"total": 4, "events": []}
    assert differences(recorded, actual, response_headers=headers) == [
        "header X-TEC-Total",
        "total",
    ]
    assert differences(recorded, actual, response_headers=headers, apart=True) == []


def test_recorded_ids_are_renumbered_before_comparison():
    numbering = Numbering(records={7: 3}, terms={7: 5})
    assert differences({"id": 7}, {"id": 3}, numbering=numbering) == []
    recorded, actual = {"tags": [{"id": 7}]}, {"tags": [{"id": 5}]}
    assert differences(recorded, actual, numbering=numbering) == []


@pytest.mark.parametrize(
    ("recorded", "actual", "differing"),
    [
        ("page=2&search=a", "search=a&page=2", []),
        ("status=publish", "", ["next_rest_url"]),
        ("per_page=3", "per_page=4", ["next_rest_url"]),
        ("start_date=2027-03-01", "start_date=2027-03-01+00%3A00%3A00", []),
        ("start_date=2027-03-01", "start_date=2027-03-02", ["next_rest_url"]),
    ],
)
def test_page_links_keep_the_recorded_parameters(recorded, actual, differing):
    recorded = {"next_rest_url": f"{REFERENCE}/events/?{recorded}"}
    actual = {"next_rest_url": f"http://localhost{PREFIX}/events?{actual}"}
    assert differences(recorded, actual) == differing


def test_only_sent_fields_of_an_update_are_compared():
    request = {"method": "PATCH", "request_body": {"all_day": True}}
    recorded = {"id": 7, "title": "A", "all_day": True, "website": "http://a.example"}
    assert differences(recorded, recorded | {"website": ""}, **request) == []
    assert differences(recorded, recorded | {"all_day": False}, **request) == ["all_day"]


def test_markup_of_texts_is_ignored():
    assert words("<p>A &amp; B&#8230;</p>\n<br />C\u00a0D") == "A & B... C D"


@pytest.mark.parametrize(
    ("sent", "renumbered"),
    [
        (7, 3),
        (True, True),
        ("7", "3"),
        ("007", "003"),
        ("7, 8", "3, 8"),
        ("7,abc", "3,abc"),
        ("Some 7", "Some 7"),
        ([7, {"id": 7}, {"venue": "7"}], [3, {"id": 3}, {"venue": "7"}]),
        (None, None),
    ],
)
def test_sent_ids_are_renumbered(sent, renumbered):
    assert Numbering(records={7: 3}).value(sent) == renumbered


def test_numbering_learns_ids_of_created_records():
    numbering = Numbering()
    recorded = {"id": 7, "slug": "a", "venue": {"id": 8}, "tags": [{"id": 9, "slug": "t"}]}
    answered = {"id": 1, "slug": "a-2", "venue": {"id": 2}, "tags": [{"id": 3, "slug": "t"}]}
    numbering.learn(exchange(recorded, method="POST", status=201), answered)
    assert numbering.records == {7: 1, 8: 2}
    assert numbering.terms == {9: 3}
    assert numbering.slugs == {"a": "a-2"}


def test_a_decision_replaces_only_the_fields_that_it_names():
    decision = Decision(cases=["a *"], section="", why="", response_json={"cost": "Free"})
    expected = decision.expected(exchange({"id": 7, "cost": "", "title": "A"}))
    assert expected.answer == {"id": 7, "cost": "Free", "title": "A"}


def test_a_decision_replaces_an_error_by_another():
    decision = Decision(cases=["a *"], section="", why="", status=405, code="rest_no_route")
    expected = decision.expected(exchange({"code": "x", "data": {"status": 404}}, status=404))
    assert expected.status == 405
    assert expected.answer["code"] == "rest_no_route"
    assert expected.answer["data"] == {"status": 405}
