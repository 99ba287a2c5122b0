"""A webhook: where changes are sent, which ones, and with which secrets they are signed."""

import base64
import secrets as randomness
from collections.abc import Callable, Collection, Mapping
from dataclasses import asdict, dataclass, field, fields
from datetime import datetime, timedelta
from typing import Any
from urllib.parse import urlsplit

from calendar_app.domain.addresses import has_credentials
from calendar_app.domain.kind import Record
from calendar_app.errors import InvalidParameters, Message

WEBHOOKS = "webhooks"
MOST_WEBHOOKS = 50
THIN, FULL = "thin", "full"
CONTENTS = (THIN, FULL)
ON, OFF, ENDED = "on", "off", "ended"
# Why a webhook is no longer sent anything; the owner is told.
GONE, REFUSED, UNREACHABLE = "gone", "refused", "unreachable"
NO_READER, NO_FILTERS = "no_reader", "no_filters"
# The type of the message that changes were missed.
GAP = "changes.gone"
# A former secret signs as well for so long.
OVERLAP = timedelta(hours=24)
_PREFIX = "whsec_"
_SECRET_BYTES = 24
_LONGEST = 2000
_SCHEMES = ("https", "http")


@dataclass(frozen=True, slots=True)
class Secret:
    """A secret that signs; a former one does ``until`` then."""

    value: str = field(repr=False)
    created: datetime
    until: datetime | None = None

    @classmethod
    def new(cls, now: datetime) -> "Secret":
        random = randomness.token_bytes(_SECRET_BYTES)
        return cls(f"{_PREFIX}{base64.b64encode(random).decode()}", now)

    def signs(self, now: datetime) -> bool:
        return self.until is None or now < self.until


@dataclass(frozen=True, slots=True)
class Standing:
    """How a receiver has answered since it last took something.

    ``failures`` follow each other without a delivery that was taken, ``refusals`` are those at
    their end that were answers. Nothing is sent before ``rests_until``.
    """

    failures: int = 0
    refusals: int = 0
    failing_since: datetime | None = None
    rests_until: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Webhook:
    """A webhook with its settings, which ``docs/reference/webhooks.md`` explains.

    ``token`` is how far the changes are queued, ``number`` that of the last delivery. ``due`` is
    when the next delivery that waits may be sent. ``counts`` are attempts by their result.
    """

    id: int
    name: str
    address: str
    kinds: tuple[str, ...]
    filters: Mapping[str, Any] = field(default_factory=dict)
    language: str = ""
    content: str = THIN
    reads_as: int = 0
    owner: int = 0
    off: bool = False
    secrets: tuple[Secret, ...] = ()
    token: str = field(default="", repr=False)
    number: int = 0
    due: datetime | None = None
    standing: Standing = Standing()
    ended: str = ""
    ended_at: datetime | None = None
    last: Record = field(default_factory=dict)
    counts: Mapping[str, int] = field(default_factory=dict)

    @classmethod
    def of(cls, document: Record) -> "Webhook":
        """Return a webhook from its document."""
        names = {each.name for each in fields(cls)}
        own = {name: value for name, value in document.items() if name in names}
        own["kinds"] = tuple(own["kinds"])
        own["secrets"] = tuple(Secret(**each) for each in own["secrets"])
        own["standing"] = Standing(**own["standing"])
        return cls(id=document["_id"], **own)

    @property
    def document(self) -> Record:
        """Return the document of the webhook."""
        own = asdict(self)
        return {"_id": own.pop("id"), **own, "kinds": list(self.kinds)}

    @property
    def state(self) -> str:
        return ENDED if self.ended else OFF if self.off else ON

    def signing(self, now: datetime) -> list[str]:
        """Return the secrets that sign now, the latest first."""
        return [each.value for each in self.secrets if each.signs(now)]

    def rotated(self, now: datetime, *, keep: bool) -> tuple[Secret, ...]:
        """Return the secrets with a new one; ``keep`` lets the present one sign for a day."""
        former = Secret(self.secrets[0].value, self.secrets[0].created, now + OVERLAP)
        return (Secret.new(now), *((former,) if keep else ()))


@dataclass(frozen=True, slots=True)
class WebhookReferences:
    """Checks for the references of settings: languages, users, and the address of the site."""

    languages: Collection[str]
    is_user: Callable[[int], bool]
    site_url: str


_NO_SITE_URL = Message(
    "Webhooks need the setting site_url: the addresses in their messages begin with it."
)
SETTINGS = (
    *("name", "address", "kinds", "filters", "language", "content"),
    *("reads_as", "owner", "off"),
)


def checked(webhook: Webhook, existing: WebhookReferences) -> Webhook:
    """Return a webhook with settings that can be; raise ``InvalidParameters`` for others."""
    reasons: dict[str, str] = {}
    for name in ("name", "address"):
        if len(getattr(webhook, name)) > _LONGEST:
            reasons[name] = Message("Must be a text of up to {most} characters.", most=_LONGEST)
    if "address" not in reasons and not _is_address(webhook.address):
        reasons["address"] = Message("Must be an address that begins with https:// or http://.")
    elif "address" not in reasons and has_credentials(webhook.address):
        reasons["address"] = Message("Must not contain a name or a password before the host.")
    if not (existing.site_url or webhook.off):
        # Messages are sent when nobody calls, so no request tells the address of the site.
        reasons["address"] = _NO_SITE_URL
    if webhook.language not in existing.languages:
        languages = ", ".join(existing.languages)
        reasons["language"] = Message(
            "Must be a language of the site: {languages}.", languages=languages
        )
    for name in ("reads_as", "owner"):
        user = getattr(webhook, name)
        if user and not existing.is_user(user):
            reasons[name] = Message("There is no such user.")
    if reasons:
        raise InvalidParameters(reasons)
    return webhook


def _is_address(address: str) -> bool:
    try:
        parts = urlsplit(address)
        is_whole = parts.scheme.lower() in _SCHEMES and bool(parts.hostname) and parts.port != 0
    except ValueError:
        return False
    return is_whole and address.isascii() and not any(map(str.isspace, address))
