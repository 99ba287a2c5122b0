"""The figures for Prometheus."""

import dataclasses
import re

import pytest
from calling import BASE


@pytest.fixture
def settings(settings):
    return dataclasses.replace(settings, metrics=True)


@pytest.fixture
def counted(app):
    """Return what tells how many answers were given, by method and route."""

    def figures():
        text = app.test_client().get("/metrics").get_data(as_text=True)
        line = r'calendar_requests_total\{method="(\w+)",route="([^"]+)",status="\d+"\} (\d+)'
        return {(method, route): int(many) for method, route, many in re.findall(line, text)}

    return figures


def test_invented_methods_are_one_in_the_figures(app, counted):
    for method in ("BREW", "WHEN"):
        assert app.test_client().open(f"{BASE}/tags", method=method).status_code == 405
    methods = {method for method, _ in counted()}
    assert "other" in methods
    assert methods <= {"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "other"}


@pytest.mark.parametrize(("metrics", "more"), [(True, 1), (False, 0)])
def test_answers_are_counted_where_figures_are_wanted(worker, counted, metrics, more):
    before = counted().get(("GET", f"{BASE}/organizers"), 0)
    assert worker(metrics=metrics).get("/organizers").status_code == 200
    assert counted().get(("GET", f"{BASE}/organizers"), 0) == before + more
