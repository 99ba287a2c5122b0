"""A filter of events is declared once, and nothing else names it."""

from pathlib import Path

from declaring import run_with_lines

TESTS = Path(__file__).with_name("declared_filter.py")
DECLARATIONS = "api/resources/events/filters.py"
BEFORE = "    ticketed = Flag("
LINES = """    sticky = Flag(
        metadata=by(
            lambda flag, _: equals("sticky", flag),
            "Events on top, or others.",
            FilterDisplay(Message("On top"), FilterFacet(choice="true")),
        )
    )
    linked = Flag(
        metadata=by(
            lambda flag, _: given("website"),
            "Events with a website.",
            FilterDisplay(Message("With a website")),
        )
    )
"""


def test_declared_filters_reach_every_consumer(tmp_path):
    run_with_lines(tmp_path, TESTS, DECLARATIONS, LINES, BEFORE)
