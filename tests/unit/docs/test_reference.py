"""The reference has every route of the service, as the OpenAPI document describes it."""

import re
from pathlib import Path

from calendar_app.app import openapi_document
from calendar_app.settings import Settings

REFERENCE = Path(__file__).parents[3] / "docs" / "reference"
ROUTES = REFERENCE / "interface.md"
METHODS = {"get", "post", "put", "patch", "delete"}
# What is only there with a setting is documented too.
EVERYTHING = {"submissions": True, "mistake_reports": True}


def operations_of_the_service():
    paths = openapi_document(Settings.load(environment={}, **EVERYTHING))["paths"]
    return {
        (path, method.upper()) for path, item in paths.items() for method in METHODS & item.keys()
    }


def operations_of_the_page():
    rows = re.findall(r"^\| (`/.*?) \| ([A-Z, ]+) \|", ROUTES.read_text("utf-8"), re.MULTILINE)
    return [
        (path, method)
        for paths, methods in rows
        for path in re.findall(r"`([^`]+)`", paths)
        for method in methods.split(", ")
    ]


def test_every_route_of_the_service_is_in_the_tables_and_no_other_is():
    assert set(operations_of_the_page()) == operations_of_the_service()


def test_no_route_stands_twice():
    rows = operations_of_the_page()
    assert sorted(rows) == sorted(set(rows))
