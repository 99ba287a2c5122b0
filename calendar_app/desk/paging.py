"""Pages of the desk's lists: the one that the address asks for, and those beside it."""

from urllib.parse import urlencode

from calendar_app.domain.numbers import parse_digits
from calendar_app.http.request import current
from calendar_app.query.list_query import Window


def sent_window(size: int) -> Window:
    """Return the page that the query asks for; the first one for what is no number."""
    return Window(parse_digits(current.request().args.get("page", "")) or 1, size)


def page_link(number: int) -> str:
    """Return a link to another page of the same list."""
    query = current.request().args.to_dict(flat=False) | {"page": [str(number)]}
    return f"?{urlencode(query, doseq=True)}"
