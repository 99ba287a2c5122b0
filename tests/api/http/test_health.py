"""Liveness and readiness probes."""

import dataclasses

import pytest


@pytest.fixture
def settings(settings):
    return dataclasses.replace(settings, metrics=True)


@pytest.mark.parametrize(
    ("path", "expected"), [("/livez", 200), ("/readyz", 200), ("/metrics", 200)]
)
@pytest.mark.needs_mongodb
def test_health_paths_answer_with_and_without_a_slash(app, path, expected):
    web = app.test_client()
    assert [web.get(path).status_code, web.get(f"{path}/").status_code] == [expected, expected]
