"""The rules for the name, the role, the e-mail and the secrets of a user."""

import re
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from calendar_app.accounts.roles import ROLES
from calendar_app.accounts.secrets import SHORTEST_SECRET, bare
from calendar_app.domain.iris import is_email
from calendar_app.errors import InvalidParameters, Message

LARGEST_ID = 2**53 - 1  # what JSON clients can still count to
# HTTP Basic ends the name at the first colon.
_NAME = re.compile(r"(?! )[^:\x00-\x1f\x7f\ud800-\udfff]{1,60}(?<! )")
_RULES: Mapping[str, tuple[Callable[[Any], bool], Message]] = MappingProxyType(
    {
        "name": (
            lambda name: _NAME.fullmatch(name) is not None,
            Message("A name has 1 to 60 characters, no colon, and no space at its ends."),
        ),
        "role": (
            lambda role: role in ROLES,
            Message("A role is one of {roles}.", roles=", ".join(ROLES)),
        ),
        "id": (
            lambda number: number is None or 0 < number <= LARGEST_ID,
            Message("An id is a number from 1 to {largest}.", largest=LARGEST_ID),
        ),
        "email": (
            lambda email: not email or is_email(email, public=False),
            Message("An address of e-mail looks like name@example.org."),
        ),
        "application_password": (
            lambda secret: secret is None or len(bare(secret)) >= SHORTEST_SECRET,
            Message(
                "An application password has at least {shortest} characters, without spaces.",
                shortest=SHORTEST_SECRET,
            ),
        ),
    }
)


def refuse_wrong(profile: Mapping[str, Any]) -> None:
    """Raise ``InvalidParameters`` for invalid values; fields without a rule pass."""
    wrong = {
        name: _RULES[name][1]
        for name, value in profile.items()
        if name in _RULES and not _RULES[name][0](value)
    }
    if wrong:
        raise InvalidParameters(wrong)
