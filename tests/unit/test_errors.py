"""Refusals are sentences, also where reports repeat them."""

import pytest

from calendar_app.errors import (
    InvalidParameters,
    NotAllowed,
    NotFound,
    NotReadable,
    RecordTooLarge,
    TermExists,
    Unavailable,
    UnknownUser,
)
from calendar_app.sources.results import reason_of


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (TermExists("category", 179), "A term with the name provided already exists with this"),
        (TermExists("tag", 3), "A term with the name provided already exists in this taxonomy."),
        (NotFound("venue", 7), "Not found."),
        (NotReadable("event"), "Not readable."),
        (RecordTooLarge(), "Record too large."),
        (NotAllowed(), "Not allowed."),
        (UnknownUser("There is no user Anna."), "There is no user Anna."),
        (Unavailable(), "The database cannot be reached."),
        (InvalidParameters({"cost": "Too long."}), "Too long."),
    ],
)
def test_reason_of_a_refusal_is_a_sentence(error, reason):
    assert reason_of(error).startswith(reason)
    assert "(" not in reason_of(error)
