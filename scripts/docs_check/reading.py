"""Run the steps of a page and compare their output."""

import re
from collections.abc import Iterator
from pathlib import Path

from docs_check.answers import difference, documents
from docs_check.foreground import START, Foreground
from docs_check.pages import Page, Step
from docs_check.programs import asks_for_password, commands_of
from docs_check.static_check import static_fault
from docs_check.surroundings import DOCUMENTED_ADDRESS
from docs_check.terminal import Terminal

# Without an address it listens at the one of the pages, which another service may use.
_SERVE = re.compile(r"calendar-app serve(?!.*--bind)")
_REFUSED = 400


def check_page(page: Page, clone: Path, service: Foreground) -> list[str]:
    """Return a complaint for each step of the page that is wrong."""
    if page.wants_service and (fault := service.start(START, service.environment)):
        return [f"line {step.line}: {fault}" for step in page.steps]
    with Terminal(clone, service.environment) as terminal:
        return list(_complaints(page, clone, service, terminal))


def _complaints(page: Page, clone: Path, service: Foreground, terminal: Terminal) -> Iterator[str]:
    broken = 0
    for step in page.steps:
        if step.needs:
            fault = static_fault(step, clone)
        elif broken:
            fault = f"not run, since line {broken} was not done"
        else:
            succeeded, fault = _do(step, service, terminal)
            broken = 0 if succeeded else step.line
        if fault:
            yield f"line {step.line}: {fault}"


def _do(step: Step, service: Foreground, terminal: Terminal) -> tuple[bool, str]:
    """Return whether the commands succeeded, and the fault in them or their output."""
    password = service.password if asks_for_password(step) else ""
    commands = commands_of(step, password).replace(DOCUMENTED_ADDRESS, service.address)
    if step.foreground:
        commands = _SERVE.sub(rf"\g<0> --bind {service.address}", commands)
        fault = service.start(commands, terminal.environment())
        return not fault, fault or _output_fault(step, service.output, service.address)
    outcome = terminal.run(commands)
    if not outcome.succeeded:
        # Compilers say what is wrong where others print their results.
        reason = outcome.errors.strip() or outcome.output.strip() or "no reason given"
        return False, f"not done: {reason[-400:]}"
    return True, _output_fault(step, outcome.output, service.address)


def _output_fault(step: Step, output: str, address: str) -> str:
    output = output.replace(address, DOCUMENTED_ADDRESS)
    if not step.answers and (refusal := _refusal(output)):
        return f"refused: {refusal}"
    faults = (difference(answer.language, answer.text, output) for answer in step.answers)
    return next(filter(None, faults), "")


def _refusal(output: str) -> str:
    """Return the refusal by the service that the page says nothing about."""
    for answer in documents(output):
        data = answer.get("data") if isinstance(answer, dict) else None
        if isinstance(data, dict) and data.get("status", 0) >= _REFUSED:
            return str(answer.get("message"))
    return ""
