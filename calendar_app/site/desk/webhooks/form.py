"""The form of a webhook: its fields, what is shown in them, and the body that they make."""

from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit

from flask import Response

from calendar_app.api.http.request import current
from calendar_app.api.resources.webhooks import KINDS
from calendar_app.changes.webhooks.webhook import FULL, THIN, Webhook
from calendar_app.domain.kind import Record
from calendar_app.domain.kinds import CATEGORY
from calendar_app.errors import Message
from calendar_app.site.desk.choices import authors, category_tree, chosen_terms
from calendar_app.site.desk.rendering import language, message_text, render
from calendar_app.site.html import wording
from calendar_app.site.pages.forms import ControlValues, Form, FormField, digests_of, read_digests

KIND_NAMES: Mapping[str, Message] = {
    "events.upsert": Message("of events that are new or have changed"),
    "events.delete": Message("of events that are gone"),
}
_CONTENTS = (
    (THIN, Message("which event has changed, by its number")),
    (FULL, Message("the whole event as well")),
)
# The parts of the filters; what has no control of its own stands in a line, as in an address.
_CATEGORIES, _SEARCH, _FURTHER = "categories", "search", "others"
_LINE_OF_QUERY = Message("Further filters")
FIELDS: Mapping[str, FormField] = {
    each.name: each
    for each in (
        FormField("name", Message("Name"), "name"),
        FormField("address", Message("Address of the receiver"), "address"),
        FormField("kinds", Message("It is told"), "kinds"),
        FormField("content", Message("A message says"), "content"),
        FormField(
            "filters",
            Message("Only events"),
            "filters",
            {
                "filters": None,
                _CATEGORIES: Message("in these categories"),
                _SEARCH: Message("with these words"),
                _FURTHER: _LINE_OF_QUERY,
            },
        ),
        FormField("language", Message("Language of the events"), "language"),
        FormField("reads_as", Message("It is told what may be read by"), "reads_as"),
        FormField("owner", Message("Who is notified when it ends"), "owner"),
    )
}


def new_form() -> Form:
    """Return the form of a new webhook, with usual values."""
    context = current.context()
    empty = dict.fromkeys(("name", "address", "filters", _SEARCH, _FURTHER), "")
    usual: ControlValues = {
        "kinds": [*KINDS],
        "content": THIN,
        _CATEGORIES: [],
        "language": context.settings.default_language,
        "reads_as": "0",
        "owner": str(context.caller.id),
    }
    return Form(FIELDS, empty | usual)


def form_of(webhook: Webhook) -> Form:
    """Return the form of a webhook with its settings."""
    values = values_of(webhook)
    return Form(FIELDS, values, base=digests_of(FIELDS, values))


def sent_form() -> Form:
    """Return the form as it was sent."""
    sent = current.context().request.form
    lists = {name: sent.getlist(name) for name in ("kinds", _CATEGORIES)}
    controls = [name for field in FIELDS.values() for name in field.controls]
    lines = {name: sent.get(name, "").strip() for name in controls if name not in lists}
    return Form(FIELDS, lines | lists, base=read_digests(sent.get("base", "")))


def values_of(webhook: Webhook) -> ControlValues:
    filters = dict(webhook.filters)
    categories = [each for each in filters.pop(_CATEGORIES, "").split(",") if each]
    listed = {each.id for each in chosen_terms(CATEGORY, categories)}
    # By their slugs, or deleted: the list of categories has no box for them.
    if unlisted := [each for each in categories if each not in listed]:
        filters[_CATEGORIES] = ",".join(unlisted)
    return {
        "name": webhook.name,
        "address": webhook.address,
        "kinds": [*webhook.kinds],
        "content": webhook.content,
        "filters": "",
        _CATEGORIES: [each for each in categories if each in listed],
        _SEARCH: filters.pop(_SEARCH, ""),
        _FURTHER: urlencode(filters, safe=","),
        "language": webhook.language,
        "reads_as": str(webhook.reads_as),
        "owner": str(webhook.owner),
    }


def body_of(values: ControlValues) -> Record:
    """Return the values of a form as the body of a write."""
    names = ("name", "address", "kinds", "content", "language", "reads_as", "owner")
    return {name: values[name] for name in names} | {"filters": _filters(values)}


def _filters(values: ControlValues) -> dict[str, Any]:
    """Return the filters; those in the line may come with the address of a list."""
    line = values[_FURTHER]
    query = urlsplit(line).query if "?" in line else line
    further = dict(parse_qsl(query, keep_blank_values=True)) if "=" in query else {}
    if query and not further:
        further = {query: "?"}  # refused by its name
    categories = [*values[_CATEGORIES], further.get(_CATEGORIES, "")]
    own = {_CATEGORIES: ",".join(filter(None, categories)), _SEARCH: values[_SEARCH]}
    return further | {name: text for name, text in own.items() if text}


def show(
    form: Form, webhook: Webhook | None, status: int = 200, differences: Sequence[Any] = ()
) -> Response:
    """Show the form of a webhook, or of a new one."""
    stranger = ("0", message_text(Message("anybody: what is public")))
    reader = form.values["reads_as"]
    return render(
        "webhooks/form.html",
        status,
        form=form,
        webhook=webhook,
        values=form.values,
        labels=form.labels,
        control_id=form.id_of,
        differences=differences,
        kinds=[(name, KIND_NAMES[name]) for name in KINDS],
        contents=_CONTENTS,
        categories=category_tree(form.values["categories"]),
        languages=[
            (tag, wording.language_name(tag, language()))
            for tag in current.context().settings.languages
        ],
        readers=[stranger, *authors("" if reader == stranger[0] else reader)],
        owners=authors(form.values["owner"]),
    )
