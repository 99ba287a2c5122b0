"""Records of another site that cannot be taken in, and why."""

from collections.abc import Iterator
from contextlib import contextmanager

from calendar_app.catalogue.bulk.foreign import Outcome, Taken
from calendar_app.errors import InvalidParameters, TermExists


@contextmanager
def judging(source: str, taken: dict[str, Taken]) -> Iterator[None]:
    """Note what is refused in the block."""
    try:
        yield
    except (InvalidParameters, TermExists, ValueError) as error:
        taken[source] = Taken(Outcome.REFUSED, _reason(error))


def _reason(error: Exception) -> str:
    if isinstance(error, InvalidParameters):
        return " ".join(error.reasons.values())
    if isinstance(error, TermExists):
        return f"There is a {error.kind} of this name at this place, {error.term_id}."
    return str(error) or "It cannot be read."
