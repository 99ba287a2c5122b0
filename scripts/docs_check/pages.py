"""Parse the commands of a page and their documented output."""

import re
from dataclasses import dataclass, field
from pathlib import Path

_COMMANDS = ("sh", "bash", "shell", "console")
_PROGRAMS = ("python", "typescript")
_ANSWERS = ("json", "text")
_MARK = re.compile(r"<!--\s*(foreground|needs:.*?)\s*-->\s*\Z")
_BETWEEN = re.compile(r"\s*(?:<!--[^>]*-->\s*)?")
_BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True, slots=True)
class Answer:
    """The output that a page documents; ``language`` is ``json`` or ``text``."""

    language: str
    text: str
    line: int


@dataclass(frozen=True, slots=True)
class Step:
    """One block of commands, or a program, with the answers that are shown for it.

    It is run, unless it ``needs`` what a machine may lack; in the ``foreground`` it is one that
    lasts until Ctrl-C. ``program`` is the language of a program, empty for commands of a shell.
    """

    commands: str
    line: int
    program: str = ""
    foreground: bool = False
    needs: str = ""
    answers: list[Answer] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Page:
    """A page under the name that a person knows it by, and its steps in order."""

    name: str
    steps: list[Step]

    @property
    def wants_service(self) -> bool:
        """Whether any step needs the service or its virtual environment."""
        steps = [step for step in self.steps if not step.needs]
        return any(
            step.program == "python" or "127.0.0.1" in step.commands or ".venv/" in step.commands
            for step in steps
        )


def read_page(file: Path, name: str) -> Page:
    """Read a page of Markdown.

    An answer belongs to the block before it, and to those of other languages right above that.
    """
    text = file.read_text(encoding="utf-8")
    steps: list[Step] = []
    group: list[Step] = []
    end, answered = 0, False
    for block in _BLOCK.finditer(text):
        language, content = block.groups()
        line = text.count("\n", 0, block.start()) + 1
        if language in (*_COMMANDS, *_PROGRAMS):
            mark = _MARK.search(text[: block.start()])
            program = language if language in _PROGRAMS else ""
            step = _step(content, line, program, mark[1] if mark else "")
            is_alone = answered or _BETWEEN.fullmatch(text[end : block.start()]) is None
            group = [step] if is_alone or not program else [*group, step]
            steps.append(step)
            answered = False
        elif language in _ANSWERS:
            for step in group:
                step.answers.append(Answer(language, content, line))
            answered = True
        end = block.end()
    return Page(name, steps)


def _step(commands: str, line: int, program: str, mark: str) -> Step:
    needs = mark.removeprefix("needs:").strip() if mark.startswith("needs:") else ""
    return Step(commands, line, program, foreground=mark == "foreground", needs=needs)
