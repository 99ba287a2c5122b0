"""The page of machine translation: the amount of missing texts, and the progress of a job."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any

from flask import Response, abort, jsonify, request

from calendar_app.accounts.callers import Right
from calendar_app.accounts.policy import may_translate, may_translate_all
from calendar_app.api.http.request import current
from calendar_app.api.http.request.negotiation import named_language
from calendar_app.domain.numbers import parse_digits
from calendar_app.errors import Message, NotAllowed
from calendar_app.parts.memory.jobs import Job, JobRuns, TranslationJobs
from calendar_app.parts.memory.lacking import GapScope
from calendar_app.parts.memory.machine import Machine
from calendar_app.parts.memory.of_request import requested_services
from calendar_app.site.desk.rendering import language, message_text, notify, render, see
from calendar_app.site.desk.routing import PartPage
from calendar_app.site.html import wording

PATH = "/translations/machine"
# How far ahead, in days; 0: all that is to come.
PERIODS: Mapping[int, Message] = {
    7: Message("The next 7 days"),
    30: Message("The next 30 days"),
    90: Message("The next 90 days"),
    0: Message("All that is to come"),
}
_USUAL_DAYS = 30


@dataclass(frozen=True, slots=True)
class MachineService:
    """The machine of the site with its jobs, for a user who may use it for everything."""

    machine: Machine
    jobs: TranslationJobs

    @property
    def languages(self) -> list[str]:
        """Return the languages into which it translates, as far as is known."""
        languages = current.context().settings.languages
        lacks = self.machine.lacks(languages)
        return [tag for tag in languages if tag not in lacks]


def machine_of_caller() -> Machine | None:
    """Return the machine translator, if there is one and the user may use it."""
    context = current.context()
    may_use = may_translate(context.caller, context.settings.translator_roles)
    return requested_services().machine if may_use else None


def service_of_caller() -> MachineService | None:
    """Return the machine and its jobs, if the user may let it translate everything."""
    context = current.context()
    services = requested_services()
    may_use = may_translate_all(context.caller, context.settings.translator_roles)
    machine, jobs = services.machine, services.jobs
    return MachineService(machine, jobs) if machine and jobs and may_use else None


def machine() -> Response:
    """Show how much lacks and how far a job is; begin one, or stop it."""
    service = _service()
    if request.method != "POST":
        return _show(service)
    if request.form.get("press") == "stop":
        service.jobs.stop()
        notify(Message("The translation stops after the text that is being translated."))
        return see(PATH)
    scope = _scope(service, request.form)
    try:
        service.jobs.begin(scope, current.context().caller)
    except JobRuns:
        notify(Message("A translation is running already."), "warning")
    return see(PATH)


def machine_progress() -> Response:
    """Return how far the job is, for a script of the page."""
    job = _service().jobs.last()
    if job is None:
        return jsonify({"open": False})
    return jsonify(
        {"open": job.is_open, "done": job.done.texts + job.left_out, "text": progress_text(job)}
    )


def progress_text(job: Job) -> str:
    """Return in words how far a job is."""
    progress, of_all = job.done.texts + job.left_out, job.all.texts
    numbers = {"done": _number(progress), "all": _number(max(of_all, progress))}
    return message_text(Message("{done} of {all} texts", **numbers))


def _show(service: MachineService) -> Response:
    job = service.jobs.last()
    scope = _scope(service, request.args)
    is_open = job is not None and job.is_open
    return render(
        "machine.html",
        service=service,
        job=job,
        use=service.machine.use,
        scope=scope,
        periods=PERIODS,
        amount=None if is_open else service.jobs.amount(scope),
        lacking=[tag for tag in _languages() if tag not in service.languages],
        publishes=current.context().settings.translator_publishes,
        number=_number,
        named=_language_names,
        progress_text=progress_text,
    )


def _number(value: int) -> str:
    return wording.number(value, language())


def _language_names(tags: Iterable[str]) -> str:
    names = [wording.language_in_text(tag, language()) for tag in tags]
    return wording.enumeration(names, language())


def _languages() -> tuple[str, ...]:
    return current.context().settings.languages


def _service() -> MachineService:
    """Return the machine and its jobs; raise where there are none, or not for the user."""
    if requested_services().machine is None:
        abort(HTTPStatus.NOT_FOUND)
    service = service_of_caller()
    if service is None:
        raise NotAllowed
    return service


def _scope(service: MachineService, sent: Any) -> GapScope:
    """Return the requested texts, completed by defaults."""
    tags = (named_language(tag, _languages()) for tag in sent.getlist("language"))
    supported = [tag for tag in tags if tag in service.languages]
    default = current.context().settings.default_language
    usual = [tag for tag in service.languages if tag != default] or service.languages
    days = parse_digits(sent.get("days", ""))
    return GapScope(
        languages=tuple(dict.fromkeys(supported or usual)),
        days=_USUAL_DAYS if days is None or days not in PERIODS else days,
        others=bool(sent.get("others")),
        outdated=bool(sent.get("outdated")),
    )


PAGES = (
    PartPage(PATH, machine, Right.EDIT, ("GET", "POST")),
    PartPage(f"{PATH}/progress", machine_progress, Right.EDIT),
)
