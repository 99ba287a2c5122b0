"""Says on a terminal why something was refused."""

from calendar_app.errors import CalendarError, InvalidParameters


def in_one_line(error: CalendarError | OSError) -> str:
    """Return why ``error`` was raised, as one line."""
    message = str(error)
    if isinstance(error, OSError) and error.strerror:
        message = ": ".join(filter(None, (error.filename and str(error.filename), error.strerror)))
    if isinstance(error, InvalidParameters):
        message = "; ".join(f"{name}: {reason}" for name, reason in error.reasons.items())
    return " ".join((message or type(error).__doc__ or "").split())
