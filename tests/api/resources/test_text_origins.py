"""Writes say where a text comes from, and who has checked it."""

import pytest


@pytest.mark.parametrize(
    ("parameter", "value"),
    [
        ("translation_origin", "robot"),
        ("translation_origin", 7),
        ("translation_origin", {"xx": "machine"}),
        ("translation_origin", {"rm": 7}),
        ("translation_origin", {"rm": {"website": "machine"}}),
        ("translation_origin", {"rm": {"title": 7}}),
        ("translation_origin", {"rm": {"title": {"origin": "machine", "by": 7}}}),
        ("translation_origin", {"rm": {"title": {"origin": "machine", "proposal": 7}}}),
        ("translation_origin", {"rm": {"title": {"origin": "machine", "reviewed": "so"}}}),
        ("translation_reviewed", "so"),
        ("translation_reviewed", {"xx": True}),
        ("translation_reviewed", {"rm": {"slug": True}}),
        ("translation_reviewed", {"rm": {"title": "so"}}),
        ("translation_reviewed", {"fr": True}),
    ],
)
def test_what_says_nothing_of_a_text_is_refused(as_admin, make_event, parameter, value):
    event = make_event(title="Konzert", variants={"rm": {"title": "Concert"}})
    refused = as_admin.post(f"/events/{event['id']}", **{parameter: value})
    assert refused.status_code == 400
    assert parameter in refused.json["data"]["params"]
