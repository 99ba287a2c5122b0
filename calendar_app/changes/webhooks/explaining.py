"""Words for failed deliveries, and letters to the owners of ended webhooks."""

from collections.abc import Mapping

from calendar_app.accounts.profiles import Profiles
from calendar_app.changes.mail import Letter, Mailer, written
from calendar_app.changes.webhooks import sending
from calendar_app.changes.webhooks.managing import Webhooks
from calendar_app.changes.webhooks.webhook import (
    GONE,
    NO_FILTERS,
    NO_READER,
    REFUSED,
    UNREACHABLE,
    Webhook,
)
from calendar_app.domain.kind import Record
from calendar_app.errors import Message, NotFound
from calendar_app.settings import Settings

ENDINGS: Mapping[str, Message] = {
    GONE: Message("The receiver says that it is gone for good."),
    REFUSED: Message("The receiver has refused ten messages one after another."),
    UNREACHABLE: Message("The receiver has taken nothing for three days."),
    NO_READER: Message("The user as whom it reads no longer exists."),
    NO_FILTERS: Message("Its filters name something that is no longer there."),
}
_FAILURES: Mapping[str, Message] = {
    sending.NOT_PUBLIC: Message("The address is in a network that is not public."),
    sending.CERTIFICATE: Message("The certificate of the receiver does not hold: {detail}"),
    sending.NO_CONNECTION: Message("No connection to the receiver comes about."),
    sending.TOO_SLOW: Message("The receiver did not answer within 15 seconds."),
    sending.BROKEN: Message("The answer of the receiver breaks off."),
    sending.REDIRECT: Message("The receiver leads elsewhere, to {detail}"),
}
_ANSWERED = Message("Answered with {status}")


def explain(attempt: Record) -> Message:
    """Say how an attempt has ended."""
    pattern = _FAILURES.get(attempt["reason"], _ANSWERED).pattern
    gaps = {"detail": attempt["detail"], "status": attempt["status"]}
    return Message(pattern, **gaps)


_SUBJECT = Message("{site}: the webhook {name} has ended")
_ENDED = Message("The webhook {name} of {site} is sent nothing any more.")
_GO_ON = Message("At the desk it can be switched on again; it then goes on where it has ended:")


def tell_owners(webhooks: Webhooks, profiles: Profiles, mailer: Mailer, settings: Settings) -> None:
    """Send a letter to the owner of each webhook that has ended, once."""
    for webhook in webhooks.ended():
        try:
            owner = profiles.find(webhook.owner)
        except NotFound:
            continue  # The desk says it to all administrators.
        mailer.send(_letter(webhook, owner.email, settings))


def _letter(webhook: Webhook, email: str, settings: Settings) -> Letter:
    chain = settings.chain(settings.default_language)
    names = {"site": settings.site_name, "name": webhook.name}
    page = f"{settings.site_url.rstrip('/')}/desk/webhooks/{webhook.id}"
    return written(email, _SUBJECT, [_ENDED, ENDINGS[webhook.ended], _GO_ON, page], chain, **names)
