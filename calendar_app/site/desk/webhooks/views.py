"""The pages of webhooks: the list, one with its deliveries, its secrets, a test."""

from typing import Any

from flask import Response

from calendar_app.accounts.callers import Right
from calendar_app.api.http.request import current
from calendar_app.api.resources.webhooks import WebhookChangeSchema, add_webhook
from calendar_app.changes.webhooks.deliveries import (
    FAILED,
    REPLACED,
    STATES,
    TAKEN,
    WAITING,
    Delivery,
)
from calendar_app.changes.webhooks.explaining import ENDINGS, explain
from calendar_app.changes.webhooks.managing import Webhooks
from calendar_app.changes.webhooks.webhook import OVERLAP, Webhook
from calendar_app.errors import CalendarError, Message
from calendar_app.site.desk.rendering import (
    message_text,
    notify,
    render,
    render_list,
    see,
    sent_window,
)
from calendar_app.site.desk.routing import page
from calendar_app.site.desk.webhooks.form import (
    FIELDS,
    KIND_NAMES,
    body_of,
    form_of,
    new_form,
    sent_form,
    show,
    values_of,
)
from calendar_app.site.pages.forms import Form, load

_LIST = "/webhooks/"
_WEBHOOK_PATH = "/webhooks/<digits:webhook_id>"
_DELIVERY = f"{_WEBHOOK_PATH}/deliveries/<delivery>"
_PER_PAGE = 20
_BOTH = ("GET", "POST")
_FAILED_PRECONDITION = 412
STATE_NAMES = {
    WAITING: Message("waits"),
    TAKEN: Message("accepted"),
    FAILED: Message("not accepted"),
    REPLACED: Message("overtaken by a later one"),
}
_CHANGES = {
    "events.upsert": Message("Event {id} is new or has changed"),
    "events.delete": Message("Event {id} is gone"),
    "webhooks.test": Message("A test"),
    "changes.gone": Message("Changes were missed"),
}


@page(_LIST, needs=Right.MANAGE_USERS)
def webhooks() -> Response:
    """List webhooks, each with its last answer."""
    return render(
        "webhooks/list.html",
        listed=_webhooks().list(current.context().caller),
        explain=explain,
        endings=ENDINGS,
    )


@page("/webhooks/new", needs=Right.MANAGE_USERS, methods=_BOTH)
def new_webhook() -> Response:
    """Add a webhook, and show its secret."""
    if current.context().request.method != "POST":
        return show(new_form(), None)
    form = sent_form()
    try:
        values = load(WebhookChangeSchema(), body_of(form.values), form.problems)
        webhook = add_webhook(values)
    except CalendarError as error:
        return show(form, None, form.refuse(error))
    return _show_secret(webhook, webhook.secrets[0].value)


@page(_WEBHOOK_PATH, needs=Right.MANAGE_USERS)
def webhook(webhook_id: int) -> Response:
    """Show a webhook: how it stands, and its deliveries."""
    context = current.context()
    status = _webhooks().get(webhook_id, context.caller)
    state = context.request.args.get("state", "")
    state = state if state in STATES else ""
    listed = _webhooks().deliveries(webhook_id, context.caller, sent_window(_PER_PAGE), state)
    return render_list(
        "webhooks/one.html",
        webhook=status.webhook,
        waiting=status.waiting,
        deliveries=[Delivery.of(each) for each in listed.items],
        number=listed.window.number,
        pages=listed.pages,
        state=state,
        **_words(),
    )


@page(f"{_WEBHOOK_PATH}/settings", needs=Right.MANAGE_USERS, methods=_BOTH)
def webhook_settings(webhook_id: int) -> Response:
    """Show the settings of a webhook, or store the changed ones."""
    stored = _webhooks().get(webhook_id, current.context().caller).webhook
    if current.context().request.method != "POST":
        return show(form_of(stored), stored)
    return _change(sent_form(), stored)


def _change(form: Form, stored: Webhook) -> Response:
    before = values_of(stored)
    if both := form.merge(before, 0):
        rows = [
            (FIELDS[name].label, _text_of(before, name), _text_of(form.values, name))
            for name in both
        ]
        return show(form, stored, _FAILED_PRECONDITION, rows)
    body = body_of(form.values)
    changed = {name: body[name] for name in form.changed(before)}
    try:
        values = load(WebhookChangeSchema(partial=True), changed, form.problems)
        webhook = _webhooks().change(stored.id, values, current.context().caller)
    except CalendarError as error:
        return show(form, stored, form.refuse(error))
    notify(Message("{name} is saved.", name=webhook.name))
    return see(f"{_LIST}{stored.id}")


def _text_of(values: dict[str, object], name: str) -> str:
    parts = [values[control] for control in FIELDS[name].controls]
    lines = (", ".join(each) if isinstance(each, list) else str(each) for each in parts)
    return " ".join(filter(None, lines))


@page(f"{_WEBHOOK_PATH}/switch", needs=Right.MANAGE_USERS, methods=["POST"])
def switch_webhook(webhook_id: int) -> Response:
    """Switch a webhook off, or on again."""
    context = current.context()
    is_off = context.request.form.get("off") == "true"
    webhook = _webhooks().change(webhook_id, {"off": is_off}, context.caller)
    message = Message("{name} is sent nothing now.") if is_off else Message("{name} is on again.")
    notify(Message(message.pattern, name=webhook.name))
    return see(f"{_LIST}{webhook_id}")


@page(f"{_WEBHOOK_PATH}/secret", needs=Right.MANAGE_USERS, methods=["POST"])
def new_secret(webhook_id: int) -> Response:
    """Make a new secret, and show it this once."""
    context = current.context()
    keep = "at_once" not in context.request.form
    secret = _webhooks().rotate(webhook_id, context.caller, keep=keep)
    return _show_secret(_webhooks().get(webhook_id, context.caller).webhook, secret)


@page(f"{_WEBHOOK_PATH}/test", needs=Right.MANAGE_USERS, methods=["POST"])
def try_webhook(webhook_id: int) -> Response:
    """Send a test, and show the receiver's answer."""
    return _show_result(_webhooks().test(webhook_id, current.context().caller))


@page(_DELIVERY, needs=Right.MANAGE_USERS)
def webhook_delivery(webhook_id: int, delivery: str) -> Response:
    """Show a delivery: what is sent, and each answer."""
    caller = current.context().caller
    return render(
        "webhooks/delivery.html",
        webhook=_webhooks().get(webhook_id, caller).webhook,
        delivery=_webhooks().delivery(webhook_id, delivery, caller),
        **_words(),
    )


@page(f"{_DELIVERY}/send", needs=Right.MANAGE_USERS, methods=["POST"])
def send_again(webhook_id: int, delivery: str) -> Response:
    """Send a delivery again, and show the receiver's answer."""
    return _show_result(_webhooks().send_again(webhook_id, delivery, current.context().caller))


@page(f"{_WEBHOOK_PATH}/remove", needs=Right.MANAGE_USERS, methods=["POST"])
def remove_webhook(webhook_id: int) -> Response:
    """Remove a webhook with its deliveries."""
    webhook = _webhooks().remove(webhook_id, current.context().caller)
    notify(Message("{name} is removed.", name=webhook.name))
    return see(_LIST)


def _show_result(sent: Delivery) -> Response:
    attempt = sent.attempts[-1]
    if sent.state == TAKEN and not attempt["reason"]:
        notify(Message("The receiver has accepted it: {status}", status=attempt["status"]))
    else:
        notify(explain(attempt), "problem")
    return see(f"{_LIST}{sent.webhook}/deliveries/{sent.id}")


def _show_secret(webhook: Webhook, secret: str) -> Response:
    former = webhook.secrets[1].until if len(webhook.secrets) > 1 else None
    return render("webhooks/secret.html", webhook=webhook, secret=secret, former=former)


def _words() -> dict[str, Any]:
    return {
        "explain": explain,
        "endings": ENDINGS,
        "states": STATES,
        "state_names": STATE_NAMES,
        "kind_names": KIND_NAMES,
        "said": sentence,
        "hours": OVERLAP.total_seconds() // 3600,
    }


def sentence(each: Delivery) -> str:
    """Return the content of a delivery, in words."""
    return message_text(Message(_CHANGES[each.type].pattern, id=each.record))


def _webhooks() -> Webhooks:
    return current.context().services.webhooks
