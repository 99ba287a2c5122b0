"""The forms of the desk about accounts and decisions, and the files of all its forms."""

from collections.abc import Iterable, Mapping
from typing import Any

from flask import request
from flask_wtf import FlaskForm
from markupsafe import escape
from werkzeug.datastructures import FileStorage
from wtforms.fields.choices import SelectChoice  # type: ignore[attr-defined]  # newer than its types
from wtforms.validators import InputRequired, Length

from calendar_app.api.http.errors.refusals import Refusal, refusal_of
from calendar_app.api.http.request import current
from calendar_app.api.http.views.loading import Refused
from calendar_app.calendar.auditing import Door
from calendar_app.calendar.pictures.uploads import Upload
from calendar_app.domain.kind import Kind, Record
from calendar_app.errors import CalendarError, InvalidParameters, Message
from calendar_app.site.desk.rendering import message_text, saved_in_words, texts
from calendar_app.site.desk.sessions import FIELD, SessionCSRF
from calendar_app.site.html.texts import CatalogTexts
from calendar_app.site.pages.refusals import in_words, placed

_UNREAD = {FIELD}
_FILE = "image_file"
# A picture out of those that are here already.
_PICK, _NONE = "image_pick", "0"
_MEGABYTE = 1 << 20


class _Label(str):
    """A label that is translated when its page is made."""

    __slots__ = ()

    def __html__(self) -> str:
        return str(escape(message_text(Message(str(self)))))


class DeskForm(FlaskForm):
    """A form; labels, hints and refusals are ``Message``."""

    class Meta:
        csrf = True
        csrf_class = SessionCSRF
        csrf_field_name = FIELD

        def get_translations(self, form: Any) -> CatalogTexts:
            """Return the messages of WTForms, in the user's language."""
            del form
            return texts()

    def refuse(self, error: CalendarError | Refused) -> int:
        """Put the reasons of a refusal beside their fields; return its status.

        What names no field of the form stands above it.
        """
        refusal = error.refusal if isinstance(error, Refused) else refusal_of(error)
        for name, reason in reasons_of(refusal).items():
            self.add_problem(name, reason)
        return refusal.status

    def add_problem(self, name: str, reason: str) -> None:
        """Add a problem to a field, by its name or its first member's."""
        name, reason = placed(name, reason)
        reason = in_words(reason)
        group = name.partition("[")[0].partition(".")[0]
        form_field = self._fields.get(name) or self._fields.get(group)
        if form_field is None or name in _UNREAD:
            self.form_errors.append(reason)
        else:
            form_field.errors = [*form_field.errors, reason]

    @property
    def problems(self) -> list[tuple[str, str, str]]:
        """Id, label and reason of all that is wrong, in the order of the form."""
        of_fields = [
            (field.id, field.label.text, reason)
            for field in self
            if field.name not in _UNREAD
            for reason in _flat(field.errors)
        ]
        return [("", "", reason) for reason in self.form_errors] + of_fields

    @property
    def summary(self) -> list[tuple[str, tuple[str, ...], str]]:
        """Id, labels and reason of all that is wrong, as the summary above the form lists it."""
        return [(own_id, (label,), reason) for own_id, label, reason in self.problems]


def reasons_of(refusal: Refusal) -> Mapping[str, str]:
    """Return the reason for each parameter of a refusal; its message where it names none."""
    params = refusal.data.get("params")
    if isinstance(params, Mapping):
        return params
    if isinstance(params, list):
        return dict.fromkeys(params, Message("This has to be filled in."))
    return {"": refusal.message}


def choices(pairs: Iterable[tuple[str, str]]) -> list[Any]:
    """Return values and their labels as the choices of a field; messages are translated."""
    labeled = ((value, _Label(t) if isinstance(t, Message) else t) for value, t in pairs)
    return [SelectChoice(value=value, label=label) for value, label in labeled]


def required() -> InputRequired:
    return InputRequired(Message("This has to be filled in."))


def longest(characters: int) -> Length:
    return Length(max=characters, message=Message("This is too long."))


def _flat(errors: Any) -> list[str]:
    """Return the reasons of a field, those of its members too."""
    if isinstance(errors, Mapping):
        errors = list(errors.values())
    if isinstance(errors, str):
        return [errors]
    return [reason for each in errors for reason in _flat(each)]


# Who has saved meanwhile

_VISITOR, _CALENDAR = Message("A visitor"), Message("The calendar itself")


def saver_name(entry: Record, names: Mapping[int, str]) -> str:
    """Return who made an entry of the history; ``names`` are the present ones of users."""
    nobody = _VISITOR if entry["door"] == Door.SUBMISSION else _CALENDAR
    return names.get(entry["user"]) or entry["name"] or nobody


def saved_meanwhile(kind: Kind, record: Record, then: Message) -> Message:
    """Say who has saved a record last; ``then`` has a gap ``saved`` for it."""
    services = current.context().services
    entry = record and services.history.entry(kind, record["_id"], record["revision"])
    if not entry:
        return Message(then.pattern, saved=saved_in_words("", None))
    name = saver_name(entry, services.profiles.shown_names([entry["user"]]))
    return Message(then.pattern, saved=saved_in_words(message_text(name), entry["date"]))


# Files: read up to the limit, and stored as pictures


def received_image(image: str, language: str, texts: Record | None = None) -> tuple[str, str]:
    """Return the picture that a form names, and why another one is refused.

    A new one is stored at once, so that the form names it, whatever else is refused.
    """
    sent = request.form
    picked = sent.get(_PICK, _NONE)
    image = "" if sent.get("image_remove") else image if picked == _NONE else picked
    file = request.files.get(_FILE)
    if file is None or not file.filename:
        return image, ""
    try:
        upload = read_upload(file, texts or {})
        context = current.context()
        picture = context.services.pictures.upload(upload, context.caller, language)
    except InvalidParameters as error:
        return image, next(iter(error.reasons.values()))
    except CalendarError as error:
        return image, refusal_of(error).message
    return str(picture["_id"]), ""


def read_upload(file: FileStorage, changes: Record) -> Upload:
    """Return a file of a form; raise ``InvalidParameters`` where it is too large."""
    most = current.context().settings.max_upload
    data = file.stream.read(most + 1)
    file.close()
    if len(data) > most:
        reason = Message("The picture has more than {most} MB.", most=most // _MEGABYTE)
        raise InvalidParameters({"file": reason})
    return Upload(data, file.filename or "", changes)
