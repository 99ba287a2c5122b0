"""The costs of visitors' requests are measured; how high each is is not tested."""

import re

import pytest
from benchmarking import printed

pytestmark = pytest.mark.timeout(180)

REQUESTS = (
    ".ics",
    ".jsonld, 1 word",
    "RSS",
    "JSON, 20 words",
    "JSON, 1 word by relevance",
    "JSON, phrase of 2 words",
    "list page, 20 words",
    "list page, facets of a category",
    "month in a frame",
    "suggestions",
    "nearest",
    "deep in the list",
    "sitemap",
    "data set",
)


def test_every_request_of_a_visitor_has_a_cost():
    lines = printed("visitor_cost.py")
    for name in REQUESTS:
        (row,) = (line for line in lines if re.match(rf"{re.escape(name)}  ", line))
        assert re.search(r"\d+\.\d +\d+\.\d +\d+\.\d\d +\d+$", row)
