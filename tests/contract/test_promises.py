"""A later version keeps the promises of a release: it adds names, and takes none away."""

import pytest
from promises import present, promised, with_added

PRESENT = present()


@pytest.mark.parametrize("operation", promised())
def test_operation_keeps_its_parameters_and_fields(operation):
    for part, names in promised()[operation].items():
        assert sorted(set(names) - set(PRESENT[operation][part])) == [], part


def test_release_adds_to_the_promises_and_takes_none():
    former = {"GET /events": {"answered": ["id", "title"]}, "GET /tags": {"answered": ["id"]}}
    added = {"GET /events": {"answered": ["id", "venue"]}, "GET /media": {"answered": ["url"]}}
    assert with_added(former, added) == {
        "GET /events": {"answered": ["id", "title", "venue"]},
        "GET /media": {"answered": ["url"]},
        "GET /tags": {"answered": ["id"]},
    }
