"""A page is light: what it loads at the first visit, without pictures."""

import subprocess
import sys
from pathlib import Path

SCRIPT = Path(__file__).parents[2] / "scripts" / "page_weights.py"
MOST = 60  # kilobytes, compressed


def test_every_view_is_light(site, record_property):
    weighed = subprocess.run(
        [sys.executable, SCRIPT, site], capture_output=True, text=True, check=True
    )
    rows = [line.strip("| ").split(" | ") for line in weighed.stdout.splitlines()]
    sums = {name: float(sum_) for name, *_, sum_, _ in rows}
    record_property("kilobytes", sums)
    assert len(sums) == 7
    assert {name: sum_ for name, sum_ in sums.items() if sum_ > MOST} == {}
