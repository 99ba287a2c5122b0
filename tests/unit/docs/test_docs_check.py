"""What the check of the documentation notices. The pages here need no service."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]


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
    shown = f"~~~{language}\n{answer}\n~~~\n" if answer else ""
    return f"# A page\n\n{mark}\n~~~sh\n{commands}\n~~~\n\n{shown}"


def test_a_page_whose_commands_answer_as_shown_passes(check):
    done = check(page("""echo '{"title": "Dorffest", "id": 7}'""", '{"title": "Dorffest"}'))
    assert done.returncode == 0
    assert done.stdout.splitlines()[-1] == "1 passed, 0 failed"


def test_a_command_that_fails_is_noticed(check):
    done = check(page("ls there/is/no/such/file"))
    assert done.returncode == 1
    assert "line 4: not done" in done.stdout
    assert done.stdout.splitlines()[-1] == "0 passed, 1 failed"


def test_a_command_that_fails_before_the_last_one_is_noticed(check):
    assert check(page("false\ntrue")).returncode == 1
    assert check(page("false | true")).returncode == 1


def test_what_follows_a_broken_command_is_not_run(check, tmp_path):
    left = tmp_path / "left"
    done = check(page("false") + page(f"touch {left}"))
    assert done.stdout.splitlines()[-1] == "0 passed, 2 failed"
    assert not left.exists()


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
    done = check("".join(page(f"echo '{real}'", shown) for real, shown in answers))
    assert done.returncode == 1
    assert done.stdout.splitlines()[-1] == f"0 passed, {len(answers)} failed", done.stdout


def test_an_answer_may_be_shown_shortened(check):
    answers = [
        ('{"id": 7, "title": "Dorffest"}', '{"id": "…", "title": "Dorf…"}'),
        ('{"events": [{"id": 1}, {"id": 2}]}', '{"events": [{"id": 1}]}'),
        ('{"events": []}', '{"events": []}'),
        ('{"id": 1} {"id": 2}', '{"id": 2}'),
    ]
    done = check("".join(page(f"echo '{real}'", shown) for real, shown in answers))
    assert done.returncode == 0, done.stdout


def test_a_missing_line_of_text_is_noticed(check):
    three = "printf 'one\\ntwo\\nthree\\n'"
    shown = [page(three, lines, "text") for lines in ("one\nthree", "four", "two\none")]
    assert check("".join(shown)).stdout.splitlines()[-1] == "1 passed, 2 failed"


def test_a_refusal_that_the_page_does_not_show_is_noticed(check):
    refusal = """echo '{"code": "x", "message": "No.", "data": {"status": 400}}'"""
    done = check(page(refusal, '{"code": "x"}') + page(refusal))
    assert "refused: No." in done.stdout
    assert done.stdout.splitlines()[-1] == "1 passed, 1 failed"


def test_variables_stay_from_block_to_block(check):
    done = check(page("NAME=Dorta") + page('echo "$NAME"', "Dorta", "text"))
    assert done.returncode == 0


def test_what_a_command_leaves_running_is_ended(check, tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    end = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    assert check(page(f"exec 9>'{pipe}'\nsleep 1000 &")).returncode == 0
    # A pipe that somebody still could write to has no end: reading would have to wait.
    assert os.read(end, 1) == b""
    os.close(end)


def test_what_needs_more_than_this_machine_is_not_run(check, tmp_path):
    left = tmp_path / "left"
    assert check(page(f"touch {left}", mark="<!-- needs: another site -->")).returncode == 0
    assert not left.exists()


def unrun(commands):
    return "".join(page(one, mark="<!-- needs: a container engine -->") for one in commands)


def test_what_is_not_run_may_name_what_exists(check):
    commands = [
        "docker compose up --detach",
        "docker compose exec -T calendar calendar-app users list",
        "calendar-app users add ursina --role editor > password",
        "make run",
        "cat calendar_app/defaults.toml",
    ]
    done = check(unrun(commands))
    assert done.stdout.splitlines()[-1] == f"{len(commands)} passed, 0 failed", done.stdout


def test_what_is_not_run_may_name_nothing_that_does_not_exist(check):
    commands = [
        "docker compose fly",
        "docker compose logs database",
        "docker compose exec calendar calendar-app users add ursina --colour red",
        "calendar-app fly",
        "calendar-app users add ursina --colour red",
        "make coffee",
        "cat config/absent.toml",
    ]
    done = check(unrun(commands))
    assert done.returncode == 1
    assert done.stdout.splitlines()[-1] == f"0 passed, {len(commands)} failed", done.stdout
