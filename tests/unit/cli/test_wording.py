"""Why a command was refused, in one line."""

import pytest

from calendar_app.cli.main import in_one_line
from calendar_app.errors import ConfigurationError, InvalidParameters, NotAllowed, Unavailable


@pytest.mark.parametrize(
    ("error", "line"),
    [
        (ConfigurationError("Do this\nand  that."), "Do this and that."),
        (Unavailable(), "The database cannot be reached."),
        (Unavailable("The database is busy.", retry_after=1), "The database is busy."),
        (InvalidParameters({"name": "Too long.", "id": "Taken."}), "name: Too long.; id: Taken."),
    ],
)
def test_error_is_reported_in_a_single_line(error, line):
    assert in_one_line(error) == line


def test_error_without_a_message_has_a_default():
    line = in_one_line(NotAllowed())
    assert line
    assert "\n" not in line
