"""The form of a source: its values, its errors, and the source that it makes."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from flask import Response

from calendar_app.accounts.policy import names_keepers, role_allows
from calendar_app.api.http.request import current
from calendar_app.domain.kind import Record
from calendar_app.domain.kinds import CATEGORY, TAG
from calendar_app.domain.numbers import parse_digits
from calendar_app.domain.statuses import DRAFT, PENDING, PUBLISH
from calendar_app.errors import InvalidParameters, Message, TermExists
from calendar_app.site.desk.choices import (
    authors,
    category_tree,
    chosen_tags,
    chosen_terms,
    find_by_name,
    keepers,
    names_of,
    suggest,
    tags_by_name,
    timezones,
)
from calendar_app.site.desk.records.kinds import STATUSES
from calendar_app.site.desk.rendering import language, message_text, render
from calendar_app.site.desk.sources.fields import (
    CHOSEN_BY_NAME,
    COLUMNS,
    DAILY,
    FIELDS,
    KEEPERS,
    LEFT_OUT,
    NEW_TERM,
    OPEN,
    TAXONOMIES,
    empty_values,
    settings_of,
    values_of,
)
from calendar_app.site.desk.sources.rules import (
    FEATURED,
    OUTCOMES,
    PART_NAMES,
    PART_STATES,
    RULES,
    pressed_rules,
    rules_of,
    stored_rules,
)
from calendar_app.site.desk.sources.words import FIELD_NAMES, KIND_NAMES, every_in_words, kind_name
from calendar_app.site.html import wording
from calendar_app.site.pages.forms import ControlValues, Form, FormField, digests_of
from calendar_app.sources.merging import FIELDS as OF_EVENTS
from calendar_app.sources.overview import SourceStatus
from calendar_app.sources.planning import CANCEL, KEEP, TRASH
from calendar_app.sources.source import (
    ASK,
    COPY,
    CREATE,
    LEAVE_OUT,
    LINK,
    LIST,
    PUSH,
    SHOW,
    UNITE,
    WAIT,
    Source,
)

_TERM_KINDS = {kind.name: kind for kind in (CATEGORY, TAG)}
_MOST_NAMES = 500
_USUAL_MINUTES = (1, 15, 30, 60, 180, 360, 720, 1440)
_NO_TAG = Message("Nothing here is called «{text}».")
_VANISHED = (
    (KEEP, Message("stay as they are")),
    (CANCEL, Message("are called off after a day")),
    (TRASH, Message("go to the trash after a day")),
)
_PICTURES = (
    (LINK, Message("are shown from their address there")),
    (COPY, Message("are copied here, with credit and license")),
)
_DOUBLES = (
    ("", Message("as everywhere here")),
    (SHOW, Message("are shown at once")),
    (WAIT, Message("wait until somebody decides")),
)
_CERTAIN_DOUBLES = (
    ("", Message("as everywhere here")),
    (ASK, Message("wait for an answer as others do")),
    (UNITE, Message("become one with the other event")),
)
_UNKNOWN = (
    (LIST, Message("ask me")),
    (LEAVE_OUT, Message("leave them out")),
    (CREATE, Message("make them terms here")),
)
# The choices of the controls, by the names that the form has for them.
_CHOICES = {
    "unknown": _UNKNOWN,
    "vanished": _VANISHED,
    "pictures": _PICTURES,
    "doubles": _DOUBLES,
    "certain_doubles": _CERTAIN_DOUBLES,
}


@dataclass(slots=True)
class SourceForm(Form):
    """The form of a ``stored`` source, or of a new one."""

    stored: SourceStatus | None = None
    # The number of the rule of which a button was pressed.
    pressed: str = ""

    @property
    def source(self) -> Source | None:
        return self.stored.source if self.stored else None

    @classmethod
    def of(cls, stored: SourceStatus, fields: Mapping[str, FormField]) -> "SourceForm":
        values = stored_values(stored)
        return cls(fields, values, base=digests_of(fields, values), stored=stored)

    @classmethod
    def new(cls) -> "SourceForm":
        """Return the form of a new source, with usual values."""
        context = current.context()
        author_id = str(context.caller.id)
        usual: ControlValues = {
            "kind": "ics",
            "status": PENDING,
            "every": "60",
            "language": context.settings.default_language,
            "timezone": context.settings.timezone,
            "unknown_terms": LIST,
            "vanished": KEEP,
            "author": author_id,
            "responsible": author_id,
            "show_provenance": "1",
            "pictures": LINK,
        }
        return cls(fields_here(), empty_values() | usual)

    def press(self, button: str) -> None:
        """Add, move or remove a rule, as one of their buttons says; nothing is stored."""
        self.values[RULES], self.pressed = pressed_rules(self.values[RULES], button)

    def settings(self, names: set[str]) -> Record:
        """Return the values of these fields to store; create chosen terms.

        Raises ``InvalidParameters`` where nothing here has a name.
        """
        values, problems = dict(self.values), {}
        for name in names.intersection(CHOSEN_BY_NAME):
            try:
                values[name] = self._chosen(name)
            except ValueError as error:
                problems[name] = error.args[0]
        if problems:
            raise InvalidParameters(problems)
        for name in TAXONOMIES:
            values[f"terms.{name}"] = _created_terms(name, values[f"terms.{name}"])
        if RULES in names:
            values[RULES] = rules_of(values[RULES], _term_ids)
        return settings_of(self._fitting(values), names, self.source)

    def _chosen(self, name: str) -> Any:
        typed, member = self.values[name], name.partition(".")[2]
        if member == "tags":
            return _tag_ids(typed)
        source = self.source
        if source and typed == labels_of(source)[name]:
            return str(source.defaults.get(member) or "")
        return str(find_by_name(member, typed)) if typed else ""

    def _fitting(self, values: ControlValues) -> ControlValues:
        """Return values that fit the kind and the address: what is hidden is not sent."""
        if values["kind"] == PUSH:
            values = values | {"address": ""}
        return values if values["address"] else values | {"every": "0"}


def fields_here() -> Mapping[str, FormField]:
    """Return the fields of the form that the caller may change."""
    if names_keepers(current.context().caller):
        return FIELDS
    return {name: each for name, each in FIELDS.items() if name != KEEPERS}


def fields_of_words() -> Mapping[str, FormField]:
    """Return the fields for the words of a source."""
    return {name: FIELDS[name] for name in (f"terms.{each}" for each in TAXONOMIES)}


def stored_values(stored: SourceStatus) -> ControlValues:
    unknown = stored.state.get("unknown") or {}
    values = values_of(stored.source, unknown, labels_of(stored.source))
    return values | {RULES: stored_rules(stored.source.rules, _term_names)}


def labels_of(source: Source) -> dict[str, str]:
    """Return the names of the defaults that are found by their names."""
    defaults = source.defaults
    labels = {
        f"defaults.{name}": next(
            (each.label for each in names_of(name, [str(defaults.get(name) or 0)])), ""
        )
        for name in ("venue", "organizer")
    }
    tag_ids = [str(each) for each in defaults.get("tags", ())]
    names = {each.id: each.name for each in chosen_tags(tag_ids)}
    tags = (names.get(each, f"#{each}") for each in tag_ids)
    return labels | {"defaults.tags": ", ".join(tags)}


def _term_names(taxonomy: str, ids: Sequence[int]) -> dict[int, str]:
    """Return the names of terms in the language of the desk."""
    terms = chosen_terms(_TERM_KINDS[taxonomy], map(str, ids))
    return {int(each.id): each.name for each in terms}


def _term_ids(taxonomy: str, names: Sequence[str]) -> Mapping[str, int]:
    """Return the ids of terms by their names; ``#5`` is one without a name here."""
    numbers = {name: parse_digits(name[1:]) for name in names if name.startswith("#")}
    by_name = current.context().services.sources.terms_named(taxonomy, names)
    return {name: number for name, number in numbers.items() if number} | dict(by_name)


def _tag_ids(typed: str) -> list[str]:
    """Return the ids of typed tags; raise ``ValueError`` with an unknown one."""
    words = [word.strip() for word in typed.split(",") if word.strip()]
    term_ids = current.context().services.sources.terms_named("tags", words)
    tag_ids = {each.name: each.id for each in tags_by_name()}
    ids = [tag_ids.get(word) or str(term_ids.get(word, "")) for word in words]
    unknown = next((word for word, tag_id in zip(words, ids, strict=True) if not tag_id), None)
    if unknown is not None:
        raise ValueError(Message(_NO_TAG.pattern, text=unknown))
    return ids


def _created_terms(taxonomy: str, terms: Mapping[str, str]) -> dict[str, str]:
    """Return the terms of words; create the ones marked as new."""
    return {
        word: str(_make(taxonomy, word)) if term == NEW_TERM else term
        for word, term in terms.items()
    }


def _make(taxonomy: str, word: str) -> int:
    context = current.context()
    tag = context.language
    texts = {"variants": {tag: {"name": word}}}
    try:
        term = context.services.editor.create(_TERM_KINDS[taxonomy], texts, context.caller, tag)
    except TermExists as error:
        return error.term_id
    term_id: int = term["_id"]
    return term_id


# The page.


def show(form: SourceForm, status: int = 200, differences: Sequence[Any] = ()) -> Response:
    context, values = current.context(), form.values
    return render(
        "sources/form.html",
        status,
        form=form,
        status_of=form.stored,
        values=values,
        labels=form.labels,
        control_id=form.id_of,
        differences=differences,
        kinds=[(kind, kind_name(kind)) for kind in _kinds()],
        statuses=[each for each in STATUSES if each[0] in (DRAFT, PENDING, PUBLISH)],
        rhythms=_rhythms(values["every"]),
        daily=DAILY,
        users=authors(values["responsible"]),
        authors=authors(values["author"]),
        keepers=keepers(values[KEEPERS]) if KEEPERS in form.fields else (),
        keeper_names=_keeper_names(form.source),
        categories=category_tree(values["defaults.categories"]),
        tags=tags_by_name(),
        venues=suggest("venue", most=_MOST_NAMES),
        organizers=suggest("organizer", most=_MOST_NAMES),
        languages=[
            (tag, wording.language_name(tag, language())) for tag in context.settings.languages
        ],
        timezones=timezones(),
        columns=COLUMNS,
        part_names=_part_names(),
        part_states=PART_STATES,
        rule_outcomes=OUTCOMES,
        rule_featured=FEATURED,
        word_choices=_word_choices(values),
        **_CHOICES,
        of_events={name: FIELD_NAMES[name] for name in OF_EVENTS},
        unasked=_unasked(form),
    )


def show_words(form: SourceForm, status: int = 200, differences: Sequence[Any] = ()) -> Response:
    """Show the words of a source, and none of its other settings."""
    return render(
        "sources/words.html",
        status,
        form=form,
        status_of=form.stored,
        values=form.values,
        labels=form.labels,
        control_id=form.id_of,
        differences=differences,
        word_choices=_word_choices(form.values),
        unasked=_unasked(form),
    )


def _keeper_names(source: Source | None) -> list[str]:
    ids = source.keepers if source else ()
    names = current.context().services.profiles.shown_names(ids)
    return [names.get(each, f"#{each}") for each in ids]


def _part_names() -> dict[str, str]:
    """Return the parts of an event in words: its parts, and titles in languages."""
    parts = {name: message_text(words) for name, words in PART_NAMES.items()}
    languages = current.context().settings.languages
    names = {tag: wording.language_name(tag, language()) for tag in languages}
    titles = {
        tag: message_text(Message("Title in {language}", language=name))
        for tag, name in names.items()
    }
    return parts | titles


def _kinds() -> list[str]:
    """Return the kinds that can be read here, those of plug-ins last."""
    readable = current.context().services.sources.parts.readers
    return [*KIND_NAMES, *(kind for kind in readable if kind not in KIND_NAMES)]


def _rhythms(chosen: str) -> list[tuple[str, str]]:
    """Return the choices of reading intervals, with the present one."""
    minutes = {*_USUAL_MINUTES, parse_digits(chosen) or 0} - {0}
    listed = [(str(each), every_in_words(each)) for each in sorted(minutes)]
    daily = (DAILY, message_text(Message("daily at a time of its own")))
    never = ("0", message_text(Message("only when somebody clicks the button")))
    return [*listed, daily, never]


def _word_choices(values: ControlValues) -> dict[str, list[tuple[str, str]]]:
    """Return the choices for a word of the source, by taxonomy."""
    first = [
        (OPEN, message_text(Message("not decided"))),
        (LEFT_OUT, message_text(Message("leave it out"))),
    ]
    new_term = (NEW_TERM, message_text(Message("make it a term here")))
    caller = current.context().caller
    of_makers = {
        name: [new_term] if role_allows(caller, "create", kind.singular) else []
        for name, kind in _TERM_KINDS.items()
    }
    terms = {
        "categories": category_tree(values["terms.categories"].values()),
        "tags": tags_by_name(values["terms.tags"].values()),
    }
    return {
        name: [
            *first,
            *of_makers[name],
            *((each.id, "\u2003" * each.depth + each.name) for each in own),
        ]
        for name, own in terms.items()
    }


def _unasked(form: SourceForm) -> int:
    """Return the number of further unknown words."""
    unknown = form.stored.state.get("unknown") or {} if form.stored else {}
    answers = {name: form.values[f"terms.{name}"] for name in TAXONOMIES}
    return sum(word not in answers[name] for name in TAXONOMIES for word in unknown.get(name, ()))
