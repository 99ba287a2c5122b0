"""The page on which one record is translated into one language."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from http import HTTPStatus
from json import dumps
from typing import Any, Self

from flask import Response, request

from calendar_app.accounts.callers import Right
from calendar_app.accounts.policy import has_owner, may_edit, require_role
from calendar_app.api.http.fields.changes import ChangeSchema
from calendar_app.api.http.request import current
from calendar_app.api.http.request.negotiation import named_language
from calendar_app.api.resources.events.schemas import EventChangeSchema
from calendar_app.api.resources.linked import OrganizerChangeSchema, VenueChangeSchema
from calendar_app.api.resources.media import MediaChangeSchema
from calendar_app.api.resources.series import SeriesChangeSchema
from calendar_app.api.resources.terms import CategoryChangeSchema, TagChangeSchema
from calendar_app.calendar.translation import NoProposal, Text
from calendar_app.domain.addresses import whole_address
from calendar_app.domain.glossary import missed
from calendar_app.domain.kind import Kind, Markup, Record
from calendar_app.domain.ledger import MACHINE
from calendar_app.domain.numbers import parse_digits
from calendar_app.domain.texts.composing import has_own_texts
from calendar_app.domain.translations import CURRENT, OUTDATED, source_language
from calendar_app.errors import CalendarError, Message, NotAllowed, NotFound, PreconditionFailed
from calendar_app.site.desk.forms import saved_meanwhile
from calendar_app.site.desk.languages import notify_missed_terms, origin_from
from calendar_app.site.desk.rendering import notify, notify_other_slug, render, see
from calendar_app.site.desk.routing import page
from calendar_app.site.desk.translating.rows import (
    KIND_NAMES,
    TranslationRow,
    as_typed,
    body_of,
    detail_rows,
    name_of,
    rows,
    slug_row,
)
from calendar_app.site.desk.translating.waiting import KINDS, Queue, queue_of_request
from calendar_app.site.desk.translation_aid import form_aid
from calendar_app.site.pages.forms import (
    ControlValues,
    Form,
    FormField,
    digests_of,
    load,
    read_digests,
)

_SCHEMAS: Mapping[str, ChangeSchema] = {
    schema.kind.name: schema(partial=True)
    for schema in (
        EventChangeSchema,
        SeriesChangeSchema,
        VenueChangeSchema,
        OrganizerChangeSchema,
        CategoryChangeSchema,
        TagChangeSchema,
        MediaChangeSchema,
    )
}
_SEEN_SOURCE, _PROPOSAL, _SOURCE = "seen_source.", "proposal.", "source."
# Where a text comes from that is taken over.
_ORIGIN, _MEMORY = "origin.", "memory"
_MEANWHILE = Message("{saved} Look at it again, then save once more.")
_RULE = f"/<any({','.join(KINDS)}):kind>/<digits:id>/translate/<language>"


@dataclass(frozen=True, slots=True)
class Translation:
    """A record that is translated from a ``source`` into a language, and the way it was reached.

    ``made_from`` is the source whose changes the service knows; empty for the first language.
    """

    kind: Kind
    record: Record
    language: str
    source: str
    made_from: str
    rows: list[TranslationRow]
    queue: Queue

    @property
    def other_sources(self) -> list[str]:
        """Return the other languages that it could be translated from."""
        variants = self.record["variants"]
        chosen = (self.source, self.language)
        languages = current.context().settings.languages
        return [tag for tag in languages if tag in variants and tag not in chosen]

    @property
    def fields(self) -> Mapping[str, FormField]:
        return {row.name: FormField(row.name, row.label, row.name) for row in self.rows}

    @property
    def stored(self) -> ControlValues:
        return {row.name: _plain(row.target) for row in self.rows}

    @property
    def tells_changes(self) -> bool:
        return self.source == self.made_from

    @property
    def path(self) -> str:
        return f"/{self.kind.name}/{self.record['_id']}/translate/{self.language}?{self.query}"

    @property
    def next_path(self) -> str:
        place = f"{self.kind.name}.{self.record['_id']}"
        return f"/translations/next?{self.query}&after={place}"

    @property
    def query(self) -> str:
        return self.queue.query


@dataclass(slots=True)
class TranslationForm(Form):
    """The texts of one language, which of them are still right, and proposals for them."""

    translation: Translation | None = None
    press: str = ""
    right: list[str] = field(default_factory=list)
    proposals: dict[str, str] = field(default_factory=dict)
    origins: dict[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, translation: Translation) -> Self:
        """Return the form that shows a translation, with the proposals that wait for it."""
        fields, stored = translation.fields, translation.stored
        revision = translation.record["revision"]
        form = cls(fields, stored, revision, digests_of(fields, stored), translation=translation)
        form.proposals |= _waiting_proposals(translation)
        return form

    @classmethod
    def sent(cls, translation: Translation) -> Self:
        """Return the form as it came."""
        sent = request.form
        names = [row.name for row in translation.rows]
        return cls(
            translation.fields,
            {name: _plain(sent.get(name, "")) for name in names},
            parse_digits(sent.get("revision", "")) or 0,
            read_digests(sent.get("base", "")),
            translation=translation,
            press=sent.get("press", ""),
            right=_still_right(translation.rows),
            proposals={
                name: sent[f"{_PROPOSAL}{name}"] for name in names if f"{_PROPOSAL}{name}" in sent
            },
            origins={name: text for name in names if (text := sent.get(f"{_ORIGIN}{name}"))},
        )

    @property
    def is_untouched(self) -> bool:
        """Whether the form came back as it was shown."""
        return not self.right and digests_of(self.fields, self.values) == self.base

    def control_of(self, place: str, _reason: str) -> str:
        """Return the control of a text; of a further detail its first one."""
        name = place.rpartition("[")[2].removesuffix("]")
        return next((each for each in self.fields if each.partition(".")[0] == name), "")

    def body(self, translation: Translation) -> dict[str, Any]:
        """Return the changed and the confirmed texts as the body of a write."""
        changed = self.changed(translation.stored)
        texts = {name: self.values[name] for name in self.fields if name in changed}
        if "website" in texts:
            texts["website"] = whole_address(texts["website"])
        body: dict[str, Any] = {}
        if texts:
            body["variants"] = {translation.language: body_of(texts)}
        origins = {
            name: origin
            for name in texts
            if "." not in name and (origin := origin_from(self.origins.get(name, "")))
        }
        if origins:
            body["translation_origin"] = {translation.language: origins}
        written_fields = {row.field for row in translation.rows if row.name in texts}
        right = [row for row in translation.rows if row.name in self.right]
        statements: Mapping[str, Mapping[str, Any]] = {
            "translation_status": {r.field: CURRENT for r in right if r.state == OUTDATED},
            "translation_reviewed": {r.field: True for r in right if r.unchecked},
        }
        for parameter, of_fields in statements.items():
            if rest := {
                name: of_fields[name] for name in sorted(of_fields.keys() - written_fields)
            }:
                body[parameter] = {translation.language: rest}
        return body

    def origin_of_machine(self, name: str) -> str:
        """Return the origin of a machine's proposal, as forms send it."""
        author = form_aid().author
        if not author or name not in self.proposals:
            return ""
        origin = {"origin": MACHINE, "by": author, "proposal": self.proposals[name]}
        return dumps(origin, ensure_ascii=False)

    def take(self, translation: Translation) -> str:
        """Take over a source or a proposal into a field; return its name, empty for none."""
        sent = request.form
        origin, _, name = sent.get("take", "").partition(".")
        row = next((row for row in translation.rows if row.name == name), None)
        if row is None:
            return ""
        if origin.startswith(_MEMORY):
            self.values[name] = _plain(sent.get(f"{origin}.{name}", ""))
            self.origins[name] = sent.get(f"{_ORIGIN}{origin}.{name}", "")
            return name
        if f"{origin}." == _PROPOSAL:
            self.origins[name] = self.origin_of_machine(name)
        text = self.proposals.get(name, "")
        proposed = text if row.is_rich else as_typed(row.markup, text)
        self.values[name] = row.source_as_typed if f"{origin}." == _SOURCE else proposed
        return name


def _plain(text: str) -> str:
    return "\n".join(text.strip().splitlines())


def _waiting_proposals(translation: Translation) -> dict[str, str]:
    """Return the proposals of a job for missing or outdated texts."""
    if not translation.tells_changes:
        return {}
    record, source = translation.record, translation.source
    sources = record["variants"].get(source, {})
    texts = form_aid().waiting(translation.kind, record, translation.language, sources)
    return {
        row.name: texts[row.name] for row in translation.rows if row.waits and row.name in texts
    }


def _still_right(listed: list[TranslationRow]) -> list[str]:
    """Return the fields that are said to be right, of the source that was shown."""
    sent = request.form
    everything, confirmed = sent.get("press") == "right", {*sent.getlist("right")}
    return [
        row.name
        for row in listed
        if (everything or row.name in confirmed)
        and row.can_be_right
        and sent.get(f"{_SEEN_SOURCE}{row.name}", row.of_source) == row.of_source
    ]


@page(_RULE, needs=Right.EDIT, methods=["GET", "POST"])
def translate(kind: str, id: int, language: str) -> Response:  # noqa: A002  # as in the route
    """Show source and translation side by side, and save the translation."""
    record = _record(KINDS[kind], id)
    tag = named_language(language, current.context().settings.languages)
    if tag is None:
        raise NotFound(KINDS[kind].singular, id)
    if record.get("series") and not has_own_texts(record):
        return see(f"/series/{record['series']}/translate/{tag}?{queue_of_request(tag).query}")
    translation = _translation(KINDS[kind], record, tag)
    if request.method != "POST":
        return _show(translation, TranslationForm.of(translation))
    return _act(translation, TranslationForm.sent(translation))


def _act(translation: Translation, form: TranslationForm) -> Response:
    """Perform the action of the pressed button."""
    submitted = form.take(translation)
    if submitted:
        return _show(translation, form, focus=submitted)
    if form.press == "propose":
        return _propose(translation, form)
    return _save(translation, form)


def _save(translation: Translation, form: TranslationForm) -> Response:
    kind, record, language = translation.kind, translation.record, translation.language
    if form.revision != record["revision"] and not form.is_untouched:
        return _show_conflict(translation, form)
    body = {} if form.is_untouched else form.body(translation)
    if body:
        try:
            stored = _write(translation, body)
        except PreconditionFailed:
            present = _record(kind, record["_id"])
            return _show_conflict(_translation(kind, present, language), form)
        except CalendarError as error:
            return _show(translation, form, form.refuse(error))
        texts = body.get("variants", {}).get(language, {})
        form_aid().forget(kind, record, language, texts)
        notify(Message("“{name}” is saved.", name=name_of(kind, record)))
        notify_missed_terms(kind, record, stored)
        slug = stored["variants"].get(language, {}).get("slug")
        typed = form.values.get("slug") or slug
        if slug and slug != typed:
            notify_other_slug(typed, slug)
    is_done = form.press in ("next", "right")
    return see(translation.next_path if is_done else translation.path)


def _write(translation: Translation, body: Mapping[str, Any]) -> Record:
    """Store a translation; a first one remembers the language that it was made from."""
    context = current.context()
    kind, language = translation.kind, translation.language
    changes = load(_SCHEMAS[kind.name], body)
    is_first = language not in translation.record["variants"]
    if is_first and translation.made_from and not translation.tells_changes:
        changes["translated_from"] = translation.source
    record, caller = translation.record, context.caller
    return context.services.editor.change(
        kind, record["_id"], changes, caller, language, revision=record["revision"]
    )


def _show_conflict(translation: Translation, form: TranslationForm) -> Response:
    """Show both the typed texts and the texts that somebody else saved meanwhile."""
    both = form.merge(translation.stored, translation.record["revision"])
    form.problems[""] = saved_meanwhile(translation.kind, translation.record, _MEANWHILE)
    theirs = {name: translation.stored[name] for name in both}
    return _show(translation, form, HTTPStatus.PRECONDITION_FAILED, theirs=theirs)


def _propose(translation: Translation, form: TranslationForm) -> Response:
    """Show proposals of the machine beside the fields; nothing is saved."""
    waiting = {
        row.name: Text(row.source, row.is_html)
        for row in translation.rows
        if row.waits and row.source and row.markup is not Markup.URL
    }
    try:
        form.proposals |= form_aid().by_machine(waiting, translation.source, translation.language)
    except NoProposal as error:
        form.problems[""] = error.reason
    return _show(translation, form)


def _show(
    translation: Translation,
    form: TranslationForm,
    status: int = HTTPStatus.OK,
    *,
    theirs: Mapping[str, str] | None = None,
    focus: str = "",
) -> Response:
    waiting = next((row.name for row in translation.rows if row.waits or row.unchecked), "")
    aid = form_aid()
    terms = aid.terms(translation.rows, translation.source, translation.language)
    return render(
        "translate.html",
        status,
        kind_names=KIND_NAMES,
        translation=translation,
        form=form,
        theirs=theirs or {},
        focus="" if form.problems else focus or waiting,
        name=name_of(translation.kind, translation.record),
        machine=aid.machine,
        remembered=aid.remembered(
            translation.kind, translation.rows, translation.source, translation.language
        ),
        terms=terms,
        misses={
            name: missed((term for term, _ in terms.get(name, ())), text)
            for name, text in form.proposals.items()
        },
    )


def _record(kind: Kind, record_id: int) -> Record:
    """Return a record that the user may change."""
    context = current.context()
    caller = context.caller
    require_role(caller, "edit", kind.singular)
    record = context.reader.find(kind, record_id)
    if record is None:
        raise NotFound(kind.singular, record_id)
    if has_owner(kind.singular) and not may_edit(caller, record):
        raise NotAllowed
    return record


def _translation(kind: Kind, record: Record, language: str) -> Translation:
    queue = queue_of_request(language)
    made_from = source_language(record, language) or ""
    is_there = queue.source in record["variants"] and queue.source != language
    source = queue.source if is_there else made_from
    earlier = {}
    if source and source == made_from:
        earlier = current.context().services.history.source_texts(kind, record, language)
    part = (kind, record, source, language)
    fields = [*rows(*part, earlier), *detail_rows(*part, earlier), *slug_row(*part)]
    return Translation(kind, record, language, source, made_from, fields if source else [], queue)
