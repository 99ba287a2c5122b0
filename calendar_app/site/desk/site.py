"""The settings of the site that the operator leaves to administrators."""

from http import HTTPStatus

from flask import Response
from werkzeug.datastructures import FileStorage
from wtforms import BooleanField, FileField, TextAreaField

from calendar_app.accounts.callers import Right
from calendar_app.api.http.errors.refusals import refusal_of
from calendar_app.api.http.request import current
from calendar_app.changes.mail import Letter
from calendar_app.domain.kind import Record
from calendar_app.errors import CalendarError, Message
from calendar_app.settings import is_footer_link
from calendar_app.site.desk import sessions
from calendar_app.site.desk.forms import DeskForm, read_upload
from calendar_app.site.desk.rendering import language, message_text, notify, render, see
from calendar_app.site.desk.routing import page

_PATH = "/settings/"
_LONGEST = 2000
_MOST_LINKS = 20
_SWITCHES = ("submissions", "mistake_reports")
_TOO_LONG = Message("This is too long.")
_TOO_MANY = Message("Write {most} links at most.", most=_MOST_LINKS)


class SiteForm(DeskForm):
    logo_file = FileField(Message("New logo"))
    logo_remove = BooleanField(Message("Show the name of the site instead"))
    footer_links = TextAreaField(Message("Links, one a line"))
    submissions = BooleanField(Message("Visitors may send events"))
    mistake_reports = BooleanField(Message("Visitors may report mistakes in events"))


@page(_PATH, needs=Right.MANAGE_USERS, methods=["GET", "POST"])
def site() -> Response:
    """Show the settings of the site, or store the open ones."""
    context = current.context()
    texts = dict(context.site.footer_text)
    present = "\n".join(context.site.footer_links)
    switches = {name: getattr(context.site, name) for name in _SWITCHES}
    form = SiteForm(data={"footer_links": present, **switches})
    if context.request.method != "POST":
        return _show(form, texts)
    sent = context.request.form
    typed = {tag: sent.get(f"footer_text-{tag}", "") for tag in context.settings.languages}
    texts = {tag: text.replace("\r\n", "\n").strip() for tag, text in typed.items() if text.strip()}
    if any(len(text) > _LONGEST for text in texts.values()):
        form.add_problem("", _TOO_LONG)
        return _show(form, texts, HTTPStatus.BAD_REQUEST)
    links = _lines(form.footer_links.data)
    if problem := _problem_of(links):
        form.add_problem("footer_links", problem)
        return _show(form, texts, HTTPStatus.BAD_REQUEST)
    try:
        logo = _logo(form)
    except CalendarError as error:
        form.add_problem("logo_file", _reason(error))
        return _show(form, texts, HTTPStatus.BAD_REQUEST)
    values = {
        "footer_links": links,
        "footer_text": texts,
        **{name: bool(form[name].data) for name in _SWITCHES},
        **logo,
    }
    context.services.site_settings.change(values)
    notify(Message("The settings are saved and take effect at once."))
    return see(_PATH)


@page("/settings/letter", needs=Right.MANAGE_USERS, methods=["POST"])
def try_mail() -> Response:
    """Send a letter to the administrator, to see whether letters arrive."""
    context = current.context()
    profile = context.services.profiles.find(sessions.caller().id)
    site = context.settings.site_name
    subject = message_text(Message("{site}: e-mails arrive", site=site))
    text = message_text(Message("This is sent from the desk to see whether e-mails arrive."))
    if context.services.mailer.send(Letter(profile.email, subject, f"{text}\n", language())):
        notify(Message("The e-mail to {email} is on its way.", email=profile.email))
    else:
        notify(Message("The e-mail could not be sent. The log says why."), "problem")
    return see(_PATH)


def _lines(text: str | None) -> list[str]:
    """Return the lines of a text that say something."""
    return [line.strip() for line in (text or "").splitlines() if line.strip()]


def _problem_of(links: list[str]) -> Message | None:
    """Return why links cannot stand at the foot of pages; ``None`` if they can."""
    if len(links) > _MOST_LINKS:
        return _TOO_MANY
    if max(map(len, links), default=0) > _LONGEST:
        return _TOO_LONG
    wrong = next((link for link in links if not is_footer_link(link)), None)
    if wrong is None:
        return None
    return Message(
        "“{text}” is no link. Write a name and an address: Imprint=https://www.example.org/imprint",
        text=wrong,
    )


def _logo(form: SiteForm) -> Record:
    """Return the change of the logo: a new picture, none, or nothing."""
    context = current.context()
    file = form.logo_file.data
    if form.logo_remove.data:
        return {"logo": ""}
    if not isinstance(file, FileStorage) or not file.filename:
        return {}
    services, caller = context.services, context.caller
    picture = services.pictures.upload(read_upload(file, {}), caller, context.language)
    folder = context.addresses.picture_folder(picture).removeprefix(context.addresses.root)
    return {"logo": f"{context.addresses.root_path}{folder}/{picture['filename']}"}


def _reason(error: CalendarError) -> str:
    reasons = getattr(error, "reasons", None)
    return next(iter(reasons.values())) if reasons else refusal_of(error).message


def _show(form: SiteForm, texts: Record, status: int = HTTPStatus.OK) -> Response:
    context = current.context()
    return render(
        "site.html",
        status,
        form=form,
        texts=texts,
        present=context.site,
        open=context.settings.open_at_desk,
        mail=context.services.mailer.enabled,
        own_email=context.services.profiles.find(sessions.caller().id).email,
    )
