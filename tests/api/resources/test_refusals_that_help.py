"""Errors for common mistakes name the correct parameter."""

import pytest

pytestmark = pytest.mark.without_mongodb


@pytest.mark.parametrize(
    ("name", "value", "help_"),
    [
        ("start_date", 1799600000000, "Sekunden, nicht Millisekunden"),
        ("start_date", "1799600000000", "Sekunden, nicht Millisekunden"),
        ("start_date", "22/11/2030", "steht der Monat zuerst"),
        ("timezone", "W. Europe Standard Time", "Europe/Zurich oder UTC+1"),
    ],
)
def test_refused_event_field_gets_a_hint(as_admin, name, value, help_):
    sent = {"title": "Concert", "start_date": "2030-11-22", "end_date": "2030-11-22", name: value}
    answer = as_admin.post("/events", **sent)
    assert (answer.status_code, answer.invalid_params) == (400, [name])
    assert help_ in answer.json["data"]["params"][name]


@pytest.mark.parametrize(
    ("name", "value", "help_"),
    [
        ("starts_after", "1799600000000", "Sekunden, nicht Millisekunden"),
        ("starts_after", "22/11/2030", "steht der Monat zuerst"),
        ("status", "all", "any"),
    ],
)
def test_refused_list_parameter_gets_a_hint(as_admin, name, value, help_):
    answer = as_admin.get("/events", **{name: value})
    assert (answer.status_code, answer.invalid_params) == (400, [name])
    assert help_ in answer.json["data"]["params"][name]
