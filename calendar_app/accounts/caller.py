"""Who is calling."""

import unicodedata
from dataclasses import dataclass

from calendar_app.accounts.roles import RIGHTS, SENDER_ROLE, Right


@dataclass(frozen=True, slots=True)
class Caller:
    """A person or program; anonymous ones have id 0."""

    id: int = 0
    name: str = ""
    role: str = ""

    @property
    def known(self) -> bool:
        return self.id > 0 or self.role == SENDER_ROLE

    def may(self, right: Right) -> bool:
        """Return whether the role gives this right; a role that does not exist gives none."""
        return self.known and right in RIGHTS.get(self.role, frozenset())


ANYONE = Caller()
# On whose behalf contributions are stored; no user has the id 0.
SENDER = Caller(role=SENDER_ROLE)


def name_key(name: str) -> str:
    """Return a user's name as names are compared: letter case does not count."""
    return unicodedata.normalize("NFKC", name).casefold()
