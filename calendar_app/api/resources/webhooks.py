"""Webhooks: receivers that are told of changes, and what became of each delivery."""

from collections.abc import Mapping
from datetime import datetime
from types import MappingProxyType
from typing import Any

import marshmallow as ma
from flask import Response

from calendar_app.accounts.policy import require_webhook_manager
from calendar_app.api.http.answers.answering import answer
from calendar_app.api.http.errors.problems import first_failed_stage, refuse, refuse_type
from calendar_app.api.http.fields.scalars import (
    Flag,
    OneOf,
    SomeOf,
    Text,
    whole_number,
)
from calendar_app.api.http.fields.schema import Parameter, RequestSchema, RequestValues, Values
from calendar_app.api.http.lists.filtering import page_window
from calendar_app.api.http.lists.paging import (
    answer_page,
    as_query_text,
)
from calendar_app.api.http.presentation import page_of
from calendar_app.api.http.request import current
from calendar_app.api.http.request.current import Context
from calendar_app.api.http.views.blueprint import Blueprint
from calendar_app.api.http.views.guarding import managed
from calendar_app.api.presentation.records import date_text
from calendar_app.api.presentation.shapes import Field, JSONObject, Shape, ShapeFields, by_name
from calendar_app.api.resources.changes import DELETE, UPSERT, ChangesSchema
from calendar_app.api.resources.managed import (
    Managed,
    PageSchema,
    SingleReadSchema,
    UncachedView,
    add_managed,
    list_address,
    page_of_all,
)
from calendar_app.changes.webhooks.deliveries import STATES, Delivery, type_of
from calendar_app.changes.webhooks.managing import RESULTS, Webhooks, WebhookStatus
from calendar_app.changes.webhooks.webhook import CONTENTS, WEBHOOKS, Secret, Webhook
from calendar_app.domain.kind import Kind, Record
from calendar_app.domain.kinds import EVENT
from calendar_app.errors import Message

# As lists of them are paged.
_WEBHOOK = Kind(name=WEBHOOKS, singular="webhook", label="name", texts={}, has_status=False)
_DELIVERY = Kind(name="deliveries", singular="delivery", label="", texts={}, has_status=False)


# What is sent.

# What happens, as types of messages.
KINDS = tuple(type_of(EVENT.name, each) for each in (UPSERT, DELETE))
# What says how changes are told, and not of which events.
FILTERS = tuple(sorted(ChangesSchema().fields.keys() - {"since", "wait", "per_page", "password"}))


class ListFilters(Parameter):
    """Filters of the list of events by their names, kept as a query has them."""

    schema: Mapping[str, Any] = MappingProxyType({"type": "object", "additionalProperties": True})

    def read(self, value: Any, context: Context) -> dict[str, str]:
        if not isinstance(value, Mapping):
            refuse_type(self.sent_name, "object")
        texts = {str(name): as_query_text(each) for name, each in value.items()}
        filters = {name: text for name, text in texts.items() if text}
        for name in filters:
            if name not in FILTERS:
                words = ", ".join(FILTERS)
                refuse(Message("{name} is none of the filters {words}.", name=name, words=words))
        try:
            ChangesSchema().load(Values(filters, context))
        except ma.ValidationError as error:
            _, reasons = first_failed_stage(error.messages_dict)
            refuse(next(iter(reasons.values())))
        return filters


class UserId(Parameter):
    """The id of a user, or 0."""

    schema: Mapping[str, Any] = MappingProxyType({"type": "integer", "minimum": 0})

    def read(self, value: Any, _context: Context) -> int:
        number = whole_number(value)
        if number is None or number < 0:
            refuse(Message("There is no such user."))
        return number


class WebhookChangeSchema(RequestSchema):
    """Request body of a webhook; read-only fields are ignored."""

    name = Text(required=True, description="The name of the source.")
    address = Text(required=True, description="Where messages are sent, by https or http.")
    kinds = SomeOf(KINDS, description="The kinds of changes it receives; all by default.")
    filters = ListFilters(
        description="Filters of the list of events: the events it is notified of."
    )
    language = Text(description="The language of the records; by default that of the site.")
    content = OneOf(
        CONTENTS,
        description="thin: messages name the record; full: they have all of it.",
    )
    reads_as = UserId(description="It receives what this user may read; 0: a visitor.")
    owner = UserId(
        description="The user who is notified when it ends; by default the one who adds it."
    )
    off = Flag(description="Whether sending is paused.")


class RotationSchema(RequestSchema):
    """Request body of a new secret."""

    keep = Flag(description="Whether the former secret also signs for another day.")


class DeliveryListSchema(PageSchema):
    """Parameters of the list of deliveries."""

    state = OneOf(STATES, description="Only deliveries with this result.")


class NoBodySchema(RequestSchema):
    """An empty request body."""


# What is answered.


def _moment(value: datetime | None) -> str | None:
    return date_text(value) if value else None


_ATTEMPT = Shape[Record](
    "WebhookAttempt",
    {
        "at": Field("string", lambda it: date_text(it["at"]), "In UTC."),
        "seconds": Field("number", lambda it: it["seconds"], "The duration of the attempt."),
        "status": Field("integer", lambda it: it["status"], "0 without an answer."),
        "reason": Field("string", lambda it: it["reason"], "Why there was no valid answer."),
        "detail": Field(
            "string",
            lambda it: it["detail"],
            "What the receiver answered, or why there was no answer.",
        ),
        "answer": Field("string", lambda it: it["answer"], "The beginning of the answer."),
    },
)
_DELIVERY_FIELDS: ShapeFields[Delivery] = {
    "id": Field("string", lambda it: it.id, "Its `webhook-id`."),
    "type": Field("string", lambda it: it.type, "What happened to the record."),
    "kind": Field("string", lambda it: it.kind, "The kind of the record."),
    "record": Field("integer", lambda it: it.record, "The id of the record."),
    "state": Field(
        STATES,
        lambda it: it.state,
        "Whether the delivery has arrived, will be tried again, or was given up.",
    ),
    "created": Field("string", lambda it: date_text(it.created), "In UTC."),
    "due": Field("string|null", lambda it: _moment(it.due), "When it is tried next, in UTC."),
    "tried": Field("integer", lambda it: it.tried, "The number of attempts."),
    "attempts": Field(
        [_ATTEMPT], lambda it: [_ATTEMPT.present(each) for each in it.attempts], "The last 20."
    ),
}
_PRESENTED_DELIVERY = Shape("WebhookDelivery", _DELIVERY_FIELDS)
_WHOLE_DELIVERY = Shape[Delivery](
    "WholeWebhookDelivery",
    {**_DELIVERY_FIELDS, "body": Field("string", lambda it: it.body, "What is sent.")},
)
_SECRET = Shape[Secret](
    "WebhookSecret",
    {
        "created": Field("string", lambda it: date_text(it.created), "In UTC."),
        "until": Field("string|null", lambda it: _moment(it.until), "When it stops signing."),
    },
)
_LAST = Shape[Record](
    "WebhookLast",
    {
        "at": Field("string|null", lambda it: _moment(it.get("at")), "In UTC."),
        "status": Field(
            "integer",
            lambda it: it.get("status", 0),
            "The status code of the last answer; 0 where there was none.",
        ),
        "reason": Field("string", lambda it: it.get("reason", ""), "Why the last delivery failed."),
        "detail": Field("string", lambda it: it.get("detail", ""), "What the receiver answered."),
    },
)
_WEBHOOK_FIELDS: ShapeFields[WebhookStatus] = {
    "id": Field("integer", lambda it: it.webhook.id, "The id of the webhook."),
    "name": Field("string", lambda it: it.webhook.name, "The name of the webhook."),
    "address": Field("string", lambda it: it.webhook.address, "Where the changes are sent."),
    "kinds": Field(
        ["string"],
        lambda it: list(it.webhook.kinds),
        "The kinds of records whose changes are sent.",
    ),
    "filters": Field(
        "object",
        lambda it: dict(it.webhook.filters),
        "The filters of lists that its records match.",
    ),
    "language": Field(
        "string", lambda it: it.webhook.language, "The language of the records that are sent."
    ),
    "content": Field(
        CONTENTS,
        lambda it: it.webhook.content,
        "Whether whole records are sent, or only their ids.",
    ),
    "reads_as": Field(
        "integer",
        lambda it: it.webhook.reads_as,
        "The id of the user with whose rights the records are read.",
    ),
    "owner": Field("integer", lambda it: it.webhook.owner, "The id of the user who made it."),
    "off": Field("boolean", lambda it: it.webhook.off, "Whether it is switched off."),
    "state": Field("string", lambda it: it.webhook.state, "on, off or ended."),
    "ended": Field("string", lambda it: it.webhook.ended, "Why it has ended."),
    "ended_at": Field("string|null", lambda it: _moment(it.webhook.ended_at), "In UTC."),
    "last": Field(_LAST, lambda it: _LAST.present(it.webhook.last), "The last answer."),
    "failures": Field("integer", lambda it: it.webhook.standing.failures, "One after another."),
    "failing_since": Field(
        "string|null",
        lambda it: _moment(it.webhook.standing.failing_since),
        "When deliveries began to fail; null if they arrive.",
    ),
    "rests_until": Field(
        "string|null",
        lambda it: _moment(it.webhook.standing.rests_until),
        "When sending resumes; null if it is not paused.",
    ),
    "waiting": Field("integer", lambda it: it.waiting, "The number of waiting deliveries."),
    "counts": Field(
        by_name({"type": "integer"}),
        lambda it: {name: it.webhook.counts.get(name, 0) for name in RESULTS},
        "Attempts by their result.",
    ),
    "secrets": Field(
        [_SECRET],
        lambda it: [_SECRET.present(each) for each in it.webhook.secrets],
        "The secrets that sign, without their values.",
    ),
    "rest_url": Field(
        "string", lambda it: _address(it.webhook), "The address of the webhook in this interface."
    ),
}
_PRESENTED = Shape("Webhook", _WEBHOOK_FIELDS)
_WITH_SECRET = Shape[WebhookStatus](
    "NewWebhook",
    {
        **_WEBHOOK_FIELDS,
        "secret": Field("string", lambda it: it.webhook.secrets[0].value, "Shown only once."),
    },
)


# The routes.


blueprint = Blueprint(
    WEBHOOKS, __name__, description="Webhooks: receivers that are notified of changes"
)
for_administrators = managed(require_webhook_manager)


def _webhooks() -> Webhooks:
    return current.context().services.webhooks


def add_webhook(sent: RequestValues) -> Webhook:
    """Add a webhook for all changes from now on."""
    context = current.context()
    changes = context.services.changes
    values = {"language": context.settings.default_language, "kinds": KINDS, **sent}
    return _webhooks().add(values, changes.token(changes.now()), context.caller)


def _add(sent: RequestValues) -> tuple[int, JSONObject]:
    webhook = add_webhook(sent)
    return webhook.id, _WITH_SECRET.present(WebhookStatus(webhook))


add_managed(
    blueprint,
    Managed(
        _WEBHOOK,
        lambda _action: for_administrators,
        _webhooks,
        page_of_all(lambda caller: _webhooks().list(caller)),
        adds=WebhookChangeSchema(),
        changes=WebhookChangeSchema(partial=True),
        answers=_PRESENTED,
        added=_WITH_SECRET,
        add=_add,
        words={
            "list": "List webhooks by name, with their last answer.\n\nFor administrators.",
            "create": "Add a webhook, which is notified of changes from now on.\n\n"
            "The answer has its secret, which is shown only once.",
            "read": "Read a webhook: its settings and its state.",
            "change": "Change the settings of a webhook that are sent.\n\n"
            "`off: false` restarts a webhook that has ended.",
            "remove": "Remove a webhook with its deliveries.",
        },
    ),
)


@blueprint.route("/webhooks/<digits:id>/secret")
class WebhookSecret(UncachedView):
    @for_administrators
    @blueprint.arguments(RotationSchema)
    @blueprint.response(200, _WITH_SECRET)
    def post(self, sent: RequestValues, **path: int) -> Response:
        """Make a new secret, which is shown only once.

        The former secret also signs for another day, unless `keep` is false.
        """
        caller = current.context().caller
        _webhooks().rotate(path["id"], caller, keep=sent.get("keep", True))
        return answer(_WITH_SECRET.present(_webhooks().get(path["id"], caller)))


@blueprint.route("/webhooks/<digits:id>/test")
class WebhookTest(UncachedView):
    @for_administrators
    @blueprint.arguments(NoBodySchema)
    @blueprint.response(200, _WHOLE_DELIVERY)
    def post(self, _sent: RequestValues, **path: int) -> Response:
        """Send a test, and return the receiver's response."""
        return _answer_delivery(_webhooks().test(path["id"], current.context().caller))


@blueprint.route("/webhooks/<digits:id>/deliveries")
class WebhookDeliveries(UncachedView):
    @for_administrators
    @blueprint.arguments(DeliveryListSchema, location="query")
    @blueprint.response(200, page_of(_PRESENTED_DELIVERY, "deliveries"))
    def get(self, sent: RequestValues, **path: int) -> Response:
        """List the deliveries of 30 days with their answers, the latest first."""
        context = current.context()
        window = page_window(dict(sent), context.settings)
        state = sent.get("state", "")
        page = _webhooks().deliveries(path["id"], context.caller, window, state)
        items = [_PRESENTED_DELIVERY.present(Delivery.of(each)) for each in page.items]
        address = list_address(f"{WEBHOOKS}/{path['id']}/deliveries", context)
        return answer_page(_DELIVERY, page, lambda: items, address)


@blueprint.route("/webhooks/<digits:id>/deliveries/<delivery>")
class OneDelivery(UncachedView):
    @for_administrators
    @blueprint.arguments(SingleReadSchema, location="query")
    @blueprint.response(200, _WHOLE_DELIVERY)
    def get(self, _sent: RequestValues, **path: Any) -> Response:
        """Read a delivery: what is sent, and all its answers."""
        caller = current.context().caller
        return _answer_delivery(_webhooks().delivery(path["id"], path["delivery"], caller))


@blueprint.route("/webhooks/<digits:id>/deliveries/<delivery>/send")
class RepeatedDelivery(UncachedView):
    @for_administrators
    @blueprint.arguments(NoBodySchema)
    @blueprint.response(200, _WHOLE_DELIVERY)
    def post(self, _sent: RequestValues, **path: Any) -> Response:
        """Send a delivery again unchanged, and return the receiver's response."""
        caller = current.context().caller
        return _answer_delivery(_webhooks().send_again(path["id"], path["delivery"], caller))


def _answer_delivery(delivery: Delivery) -> Response:
    return answer(_WHOLE_DELIVERY.present(delivery))


def _address(webhook: Webhook) -> str:
    return current.context().addresses.record(WEBHOOKS, webhook.id)
