"""Refusals that are hard to bring about from outside."""

import pytest

from calendar_app.errors import EditConflict, TooManyAttempts, Unavailable
from calendar_app.http.errors.refusals import refusal_of


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
