"""What is to become of the records of a site in its second language."""

from dataclasses import dataclass, field
from enum import Enum


class How(Enum):
    """By what it is known to which record a text belongs."""

    LINKS = "by links"
    FILE = "by file"
    LIKENESS = "by likeness"


@dataclass(slots=True)
class Plan:
    """All by source; nothing is planned in the first language of a site.

    ``ids`` are the records here to which texts belong, ``how`` says of those that join them only
    now by what that is known, ``left`` why a person is to decide.
    """

    second: bool = False
    ids: dict[str, int] = field(default_factory=dict)
    how: dict[str, How] = field(default_factory=dict)
    left: dict[str, str] = field(default_factory=dict)

    def join(self, source: str, record_id: int, how: How) -> None:
        self.ids[source] = record_id
        self.how[source] = how
