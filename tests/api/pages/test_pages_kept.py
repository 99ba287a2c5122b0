"""Caches may keep pages as long as the operator lets them."""

import dataclasses

import pytest


@pytest.fixture
def settings(settings):
    return dataclasses.replace(settings, cache_control=("events: max-age=60", "*: max-age=600"))


@pytest.mark.parametrize(
    ("path", "directives"),
    [
        ("/events/list/", "max-age=60"),
        ("/events/list/?page=0", "no-cache"),
        ("/event/nowhere/", "no-cache"),
        ("/events/list/?password=sesame", "private, no-store"),
    ],
)
def test_pages_are_kept_as_the_operator_says(browse, path, directives):
    assert browse(path).headers["Cache-Control"] == directives
