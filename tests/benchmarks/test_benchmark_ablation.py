"""The ablation runs and prints a line for each mechanism; how much each gains is not tested."""

import re

import pytest
from benchmarking import printed

pytestmark = pytest.mark.timeout(180)

MECHANISMS = (
    "values of one edition",
    "editions, not cluster times",
    "totals carried over a write",
    "totals among them",
    "assumptions about look-ups",
    "choices of filters on pages",
    "unjournaled ids and words",
    "verified passwords",
    "words known to be stored",
)


def test_every_mechanism_has_a_gain():
    lines = printed("ablation.py")
    for name in MECHANISMS:
        rows = [line for line in lines if line.startswith(name)]
        assert rows, name
        assert all(re.search(r"\d+\.\d\d$", row) for row in rows)
