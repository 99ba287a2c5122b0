"""Parse the commands of a page and their documented output."""

import re
from dataclasses import dataclass, field
from pathlib import Path

_COMMANDS = ("sh", "bash", "shell", "console")
_ANSWERS = ("json", "text")
_MARK = re.compile(r"<!--\s*(foreground|needs:.*?)\s*-->\s*\Z")
_BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True, slots=True)
class Answer:
    """The output that a page documents; ``language`` is ``json`` or ``text``."""

    language: str
    text: str
    line: int


@dataclass(frozen=True, slots=True)
class Step:
    """One block of commands with the answers that are shown for it.

    It is run, unless it ``needs`` what a machine may lack; in the ``foreground`` it is one that
    lasts until Ctrl-C.
    """

    commands: str
    line: int
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
        texts = [step.commands for step in self.steps if not step.needs]
        return any("127.0.0.1" in text or ".venv/" in text for text in texts)


def read_page(file: Path, name: str) -> Page:
    """Read a page of Markdown."""
    text = file.read_text(encoding="utf-8")
    steps: list[Step] = []
    for block in _BLOCK.finditer(text):
        language, content = block.groups()
        line = text.count("\n", 0, block.start()) + 1
        if language in _COMMANDS:
            mark = _MARK.search(text[: block.start()])
            steps.append(_step(content, line, mark[1] if mark else ""))
        elif language in _ANSWERS and steps:
            steps[-1].answers.append(Answer(language, content, line))
    return Page(name, steps)


def _step(commands: str, line: int, mark: str) -> Step:
    needs = mark.removeprefix("needs:").strip() if mark.startswith("needs:") else ""
    return Step(commands, line, foreground=mark == "foreground", needs=needs)
