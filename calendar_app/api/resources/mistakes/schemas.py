"""Request schemas of mistakes that readers report."""

from typing import Any

from calendar_app.api.http.errors.problems import refuse
from calendar_app.api.http.fields.scalars import Email, Name, OneOf, PositiveInteger, Text
from calendar_app.api.http.fields.schema import RequestSchema
from calendar_app.api.resources.mistakes.handling import LONGEST_EMAIL, LONGEST_REPORT
from calendar_app.calendar.mistakes import ANSWERS
from calendar_app.errors import Message


def _at_most(most: int) -> Any:
    """Return a validator of the length of a text."""

    def validate(text: str) -> None:
        if len(text) > most:
            refuse(Message("This may be {most} characters long at most.", most=most))

    return validate


class MistakeSchema(RequestSchema):
    """A reported mistake in an event."""

    text = Name(
        required=True,
        validate=_at_most(LONGEST_REPORT),
        description=f"What is wrong, as plain text of {LONGEST_REPORT} characters at most.",
    )
    email = Email(
        validate=_at_most(LONGEST_EMAIL),
        description="Where the answer is sent; shown to nobody, and kept only where mail is set.",
    )


class MistakeAnswerSchema(RequestSchema):
    """The answer to a report."""

    answer = OneOf(ANSWERS, required=True, description="Whether it is corrected, or no mistake.")
    words = Text(
        blank=True,
        load_default="",
        validate=_at_most(LONGEST_REPORT),
        description="A word to the reader, for the e-mail.",
    )


class MistakeListSchema(RequestSchema):
    """Which page of the reports."""

    page = PositiveInteger(load_default=1, description="Counted from 1.")
    per_page = PositiveInteger(description="How many each page has.")
