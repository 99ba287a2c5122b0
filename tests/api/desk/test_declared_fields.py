"""A text and a flag of events need a line each in the table of fields, and nothing else."""

import os
import subprocess
import sys
from pathlib import Path
from shutil import copytree, ignore_patterns

import calendar_app

TESTS = Path(__file__).with_name("declared_fields.py")
TABLE = "domain/kinds/event_fields.py"
END = "\n)\nTEXTS = "
LINES = """
    KindField("dress_code", Message("Dress code"), Markup.NOTE, schema_org="backstory"),
    KindField("dogs_welcome", Message("Dogs are welcome"), schema_org="petsAllowed"),"""


def test_two_lines_of_the_table_reach_every_consumer(tmp_path):
    package = tmp_path / "calendar_app"
    source = Path(calendar_app.__file__).parent
    copytree(source, package, ignore=ignore_patterns("__pycache__"))
    table = package / TABLE
    text = table.read_text(encoding="utf-8")
    assert text.count(END) == 1
    table.write_text(text.replace(END, LINES + END), encoding="utf-8")
    command = (sys.executable, "-P", "-m", "pytest", "-q", "-n", "0", str(TESTS))
    ended = subprocess.run(
        command,
        cwd=TESTS.parents[3],
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.returncode == 0, ended.stdout[-4000:] + ended.stderr[-1000:]
