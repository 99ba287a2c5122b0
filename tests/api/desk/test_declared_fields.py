"""A text and a flag of events need a line each in the table of fields, and nothing else."""

from pathlib import Path

from declaring import run_with_lines

TESTS = Path(__file__).with_name("declared_fields.py")
TABLE = "domain/kinds/event_fields.py"
END = "\n)\nTEXTS = "
LINES = """
    KindField("dress_code", Message("Dress code"), Markup.NOTE, schema_org="backstory"),
    KindField("dogs_welcome", Message("Dogs are welcome"), schema_org="petsAllowed"),"""


def test_two_lines_of_the_table_reach_every_consumer(tmp_path):
    run_with_lines(tmp_path, TESTS, TABLE, LINES, END)
