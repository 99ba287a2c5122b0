"""Addresses of routes are built by their names, as Flask builds them."""

import pytest
from flask import url_for

from calendar_app.api.http.views.service import Service


@pytest.fixture
def app():
    app = Service("service")
    app.add_url_rule("/halls/<int:number>", "hall")
    return app


def test_address_has_its_values_in_the_path_and_the_others_in_the_query(app):
    with app.test_request_context():
        assert url_for("hall", number=3) == "/halls/3"
        assert url_for("hall", number=4, lang="rm") == "/halls/4?lang=rm"


def test_address_without_other_values_leaves_them_out(app):
    adapter = app.url_map.bind("calendar.example")
    values = {"number": 3, "lang": "rm"}
    assert adapter.build("hall", values, append_unknown=False) == "/halls/3"
