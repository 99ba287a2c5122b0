"""Refusals that are hard to bring about from outside."""

import pytest

from calendar_app.api.http.errors.problems import INVALID, Missing, wrong_type
from calendar_app.api.http.errors.refusals import refusal_of, refused_parameters
from calendar_app.errors import EditConflict, TooManyAttempts, Unavailable


@pytest.mark.parametrize(
    ("error", "status", "code", "headers"),
    [
        (EditConflict(), 409, "edit_conflict", {}),
        (TooManyAttempts(17), 429, "too_many_requests", {"Retry-After": "17"}),
        (Unavailable(retry_after=5), 503, "service_unavailable", {"Retry-After": "5"}),
    ],
)
def test_temporary_refusal_has_retry_after(error, status, code, headers):
    refusal = refusal_of(error)

    assert (refusal.status, refusal.body["code"], refusal.headers) == (status, code, headers)
    assert refusal.body["data"]["status"] == status
    assert refusal.body["message"]


_LACKING, _TYPE = Missing("Missing."), wrong_type("image", "integer")


@pytest.mark.parametrize(
    ("reasons", "code", "params", "details"),
    [
        ({"end_date": _LACKING}, "rest_missing_callback_param", ["end_date"], None),
        (
            {"start_date": INVALID, "end_date": _LACKING, "image": _TYPE},
            "rest_missing_callback_param",
            ["end_date"],
            {"start_date": "rest_invalid_param", "image": "rest_invalid_type"},
        ),
        ({"start_date": INVALID}, "rest_invalid_param", {"start_date": INVALID}, {}),
        ({"page": INVALID, "image": _TYPE}, "rest_invalid_param", {"page": INVALID}, {}),
        ({"image": _TYPE}, "rest_invalid_param", {"image": _TYPE}, {"image": "rest_invalid_type"}),
    ],
)
def test_what_is_missing_does_not_hide_what_is_wrong(reasons, code, params, details):
    body = refused_parameters(reasons).body

    assert (body["code"], body["data"]["params"]) == (code, params)
    if details is None:
        assert "details" not in body["data"]
    else:
        sent_details = dict(body["data"]["details"])
        assert {name: each["code"] for name, each in sent_details.items()} == details
