"""The check of the documentation reports wrong pages. The pages here need no service."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from docs_check.pages import Step, read_page
from docs_check.programs import commands_of

ROOT = Path(__file__).parents[2]


@pytest.fixture
def check(tmp_path):
    """Check a page with this text, in which ~~~ stands for a fence."""

    def checked(text):
        page = tmp_path / "page.md"
        page.write_text(text.replace("~~~", "```"), encoding="utf-8")
        return subprocess.run(
            [sys.executable, "-m", "docs_check", page],
            cwd=ROOT,
            env=os.environ | {"PYTHONPATH": "scripts"},
            capture_output=True,
            text=True,
            check=False,
        )

    return checked


def page(commands, answer="", language="json", mark=""):
    output_block = f"~~~{language}\n{answer}\n~~~\n" if answer else ""
    return f"# A page\n\n{mark}\n~~~sh\n{commands}\n~~~\n\n{output_block}"


def test_page_with_the_documented_output_passes(check):
    process = check(page("""echo '{"title": "Dorffest", "id": 7}'""", '{"title": "Dorffest"}'))
    assert process.returncode == 0
    assert process.stdout.splitlines()[-1] == "1 passed, 0 failed"


def test_a_command_that_fails_is_noticed(check):
    process = check(page("ls there/is/no/such/file"))
    assert process.returncode == 1
    assert "line 4: not done" in process.stdout
    assert process.stdout.splitlines()[-1] == "0 passed, 1 failed"


def test_a_command_that_fails_before_the_last_one_is_noticed(check):
    assert check(page("false\ntrue")).returncode == 1
    assert check(page("false | true")).returncode == 1


def test_commands_after_a_failed_one_are_skipped(check, tmp_path):
    marker = tmp_path / "left"
    process = check(page("false") + page(f"touch {marker}"))
    assert process.stdout.splitlines()[-1] == "0 passed, 2 failed"
    assert not marker.exists()


def test_every_wrong_answer_is_noticed(check):
    answers = [
        ('{"title": "Dorffest"}', '{"title": "Talfest"}'),
        ('{"title": "Dorffest"}', '{"title": "Dorffest", "slug": "dorffest"}'),
        ('{"venue": {"city": "Dorta"}}', '{"venue": {"city": "Runcalta"}}'),
        ('{"events": [{"id": 1}]}', '{"events": [{"id": 1}, {"id": 2}]}'),
        ('{"events": [{"id": 1}]}', '{"events": []}'),
        ('{"id": 1}', '{"id": "1"}'),
        ('{"featured": 1}', '{"featured": true}'),
        ('{"title": "Dorffest"}', '{"title": "Tal…"}'),
        ("Dorffest", '{"title": "Dorffest"}'),
    ]
    process = check("".join(page(f"echo '{real}'", expected) for real, expected in answers))
    assert process.returncode == 1
    assert process.stdout.splitlines()[-1] == f"0 passed, {len(answers)} failed", process.stdout


def test_an_answer_may_be_shown_shortened(check):
    answers = [
        ('{"id": 7, "title": "Dorffest"}', '{"id": "…", "title": "Dorf…"}'),
        ('{"events": [{"id": 1}, {"id": 2}]}', '{"events": [{"id": 1}]}'),
        ('{"events": []}', '{"events": []}'),
        ('{"id": 1} {"id": 2}', '{"id": 2}'),
    ]
    process = check("".join(page(f"echo '{real}'", expected) for real, expected in answers))
    assert process.returncode == 0, process.stdout


def test_a_missing_line_of_text_is_noticed(check):
    three = "printf 'one\\ntwo\\nthree\\n'"
    blocks = [page(three, lines, "text") for lines in ("one\nthree", "four", "two\none")]
    assert check("".join(blocks)).stdout.splitlines()[-1] == "1 passed, 2 failed"


def test_a_refusal_that_the_page_does_not_show_is_noticed(check):
    refusal = """echo '{"code": "x", "message": "No.", "data": {"status": 400}}'"""
    process = check(page(refusal, '{"code": "x"}') + page(refusal))
    assert "refused: No." in process.stdout
    assert process.stdout.splitlines()[-1] == "1 passed, 1 failed"


def test_programs_in_python_are_run_beside_the_same_commands(tmp_path):
    file = tmp_path / "page.md"
    blocks = (
        "~~~sh\necho 1\n~~~\n\n~~~python\nprint(1)\n~~~\n\n~~~json\n1\n~~~\n\n~~~sh\ntrue\n~~~\n"
    )
    file.write_text(blocks.replace("~~~", "```"), encoding="utf-8")
    steps = read_page(file, "page").steps
    assert [(step.program, len(step.answers)) for step in steps] == [
        ("", 1),
        ("python", 1),
        ("", 0),
    ]


@pytest.mark.parametrize(
    ("program", "password", "line"),
    [
        ("", "it's", """PASSWORD='it'"'"'s'"""),
        ("python", 'a"b', r'PASSWORD="a\"b"'),
        ("typescript", 'a"b', r'PASSWORD="a\"b"'),
    ],
)
def test_password_is_put_in_its_place_in_each_language(program, password, line):
    placeholder = '"…"' if program else "'…'"
    step = Step(f"PASSWORD={placeholder}", 1, program)
    assert line in commands_of(step, password).splitlines()


def test_variables_stay_from_block_to_block(check):
    process = check(page("NAME=Dorta") + page('echo "$NAME"', "Dorta", "text"))
    assert process.returncode == 0


def test_background_processes_of_a_command_are_ended(check, tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    end = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    assert check(page(f"exec 9>'{pipe}'\nsleep 1000 &")).returncode == 0
    # A pipe that somebody still could write to has no end: reading would have to wait.
    assert os.read(end, 1) == b""
    os.close(end)


def test_commands_with_other_requirements_are_not_run(check, tmp_path):
    marker = tmp_path / "left"
    assert check(page(f"touch {marker}", mark="<!-- needs: another site -->")).returncode == 0
    assert not marker.exists()


def unrun(commands):
    return "".join(page(command, mark="<!-- needs: a container engine -->") for command in commands)


def test_skipped_commands_may_name_existing_files_and_options(check):
    commands = [
        "docker compose up --detach",
        "docker compose exec -T calendar calendar-app users list",
        "docker compose run --rm -T calendar calendar-app restore - < backup",
        "docker compose stop proxy calendar > log",
        "calendar-app users add ursina --role editor > password",
        "make run",
        "cat calendar_app/defaults.toml > another.toml",
    ]
    process = check(unrun(commands))
    assert process.stdout.splitlines()[-1] == f"{len(commands)} passed, 0 failed", process.stdout


def test_skipped_program_must_be_one(check):
    right, wrong = "print(1)", "print(1"
    for program, status in ((right, 0), (wrong, 1)):
        text = f"# A page\n\n<!-- needs: another machine -->\n~~~python\n{program}\n~~~\n"
        assert check(text).returncode == status


def test_skipped_commands_with_absent_names_fail(check):
    commands = [
        "docker compose fly",
        "docker compose logs database",
        "docker compose exec calendar calendar-app users add ursina --color red",
        "docker compose run calendar calendar-app fly",
        "calendar-app fly",
        "calendar-app users add ursina --color red",
        "make coffee",
        "cat config/absent.toml",
    ]
    process = check(unrun(commands))
    assert process.returncode == 1
    assert process.stdout.splitlines()[-1] == f"0 passed, {len(commands)} failed", process.stdout
