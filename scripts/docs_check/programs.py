"""Turn the programs of a page into commands of a shell that run them.

A program in TypeScript is compiled first, strictly, so that wrong types are noticed too.
"""

import json
import shlex

from docs_check.pages import Step

_END = "END OF THE PROGRAM"
_PYTHON = f".venv/bin/python - <<'{_END}'\n{{program}}\n{_END}\n"
_TYPESCRIPT = f"""cat > program.mts <<'{_END}'
{{program}}
{_END}
node_modules/.bin/tsc --strict --skipLibCheck --target es2022 --lib es2022,dom,dom.iterable \\
  --module nodenext --types node program.mts
node program.mjs
"""
_RUNNERS = {"python": _PYTHON, "typescript": _TYPESCRIPT}
# Shown where a reader is to put the password that the first start printed.
_TO_FILL_IN = {"": "'…'", "python": '"…"', "typescript": '"…"'}


def asks_for_password(step: Step) -> bool:
    """Return whether the step has a place for the password of the service."""
    return _TO_FILL_IN[step.program] in step.commands


def commands_of(step: Step, password: str) -> str:
    """Return the commands of a step, with the password in its place."""
    quoted = json.dumps(password) if step.program else shlex.quote(password)
    text = step.commands.replace(_TO_FILL_IN[step.program], quoted)
    return _RUNNERS[step.program].format(program=text.rstrip()) if step.program else text
