"""The benchmark of a busy service runs and prints its figures; their values are not tested."""

import re

import pytest
from benchmarking import printed

pytestmark = [
    pytest.mark.timeout(180),
]


def test_list_is_timed_alone_and_beside_all_the_rest():
    lines = printed("busy_service.py", "--seconds", "3")
    names = [re.split(r"\s{2,}", line)[0] for line in lines]
    assert names[:4] == [
        f"{figure} of {what}"
        for figure in ("p50", "p99")
        for what in ("a list of 12 events, alone", "the same, beside all the rest")
    ]
    assert re.search(r"<= 1\.30 +(ok|short)$", lines[3])
    deliveries = re.fullmatch(r"([\d,]+) deliveries of webhooks, in", names[4])
    assert int(deliveries[1].replace(",", "")) > 0
