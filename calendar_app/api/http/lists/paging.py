"""Pages of lists: links between them, and totals."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from flask import Response

from calendar_app.accounts.callers import Right
from calendar_app.api.http.answers.answering import answer_encoded, encoded
from calendar_app.api.http.answers.headers import feed_link_header, feeds_of_list
from calendar_app.api.http.request.current import Context
from calendar_app.api.presentation.records import date_text
from calendar_app.domain.kind import Kind, Record
from calendar_app.readmodel.addresses import encode_query
from calendar_app.storage.query.list_query import Page, Window

# The order of the reference; other parameters follow in the order of the request.
_ECHO_ORDER = (
    "per_page",
    "start_date",
    "end_date",
    "search",
    "geoloc",
    "geoloc_lat",
    "geoloc_lng",
    "status",
    "post_parent",
    "include",
    "starts_before",
    "starts_after",
    "ends_before",
    "ends_after",
    "ticketed",
    "venue",
    "organizer",
    "featured",
)
_SECOND = 2
_NOT_ECHOED = frozenset({"page", "password"})
# Returns what rendering gives, which may have been kept.
Keep = Callable[[Callable[[], bytes]], bytes]


def echo(values: Record, window: Window, context: Context, *, with_status: bool) -> dict[str, str]:
    """Return the parameters for page links, with resolved defaults."""
    sent = context.parameters
    dates = {name: date_text(v) for name, v in values.items() if isinstance(v, datetime)}
    texts = {name: as_query_text(value) for name, value in sent.items() if name not in _NOT_ECHOED}
    echoed = {name: value for name, value in texts.items() if value is not None} | dates
    if with_status:
        editor = context.caller.may(Right.EDIT)
        echoed |= {"per_page": str(window.size)}
        echoed.setdefault("status", "any" if editor else "publish")
    elif "per_page" in echoed:
        echoed["per_page"] = str(window.size)
    first = {name: echoed[name] for name in _ECHO_ORDER if name in echoed}
    return first | echoed


def link_parameters(context: Context) -> dict[str, str]:
    """Return the parameters for links to the same selection."""
    sent = ((name, as_query_text(value)) for name, value in context.parameters.items())
    return {name: value for name, value in sent if value is not None and name not in _NOT_ECHOED}


def as_query_text(value: Any) -> str | None:
    """Return a parameter as query text, or ``None`` if it has none."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list):
        members = [as_query_text(member) for member in value]
        # A comma-separated text is decoded twice when it is read, a list once.
        return ",".join(member.replace("%", "%25") for member in members if member is not None)
    return str(value) if isinstance(value, str | int | float) else None


@dataclass(frozen=True, slots=True)
class ListAddress:
    """Where the pages of a list are: at a path below the base, with the parameters ``echoed``."""

    path: str
    echoed: Mapping[str, str]
    context: Context


def list_address(kind: Kind, context: Context) -> ListAddress:
    """Return the address of the list of a kind, with the parameters as they were sent."""
    return ListAddress(kind.name, link_parameters(context), context)


def answer_page(
    kind: Kind,
    page: Page,
    items: Callable[[], Sequence[object]],
    address: ListAddress,
    keep: Keep = lambda render: render(),
) -> Response:
    """Answer a page: records, links to its neighbors, totals in body and headers.

    ``keep`` returns the body, perhaps without rendering it again, nor asking for its ``items``.
    """
    feeds = feeds_of_list(kind, link_parameters(address.context)) if kind.fed else {}

    def render() -> bytes:
        return encoded(_body(kind, page, items(), address, feeds))

    return answer_encoded(keep(render), headers=_total_headers(page) | feed_link_header(feeds))


def _body(
    kind: Kind,
    page: Page,
    items: Sequence[object],
    address: ListAddress,
    feeds: Mapping[str, str],
) -> Record:
    links = _links(kind, page, address)
    totals: Record = {"total": page.total, "total_pages": page.pages}
    if kind.fed:
        totals["feeds"] = feeds
    if kind.has_status:
        return {kind.name: items, **links, **totals}
    own = {"rest_url": links.pop("rest_url")}
    return {**own, **totals, kind.name: items, **links}


def _links(kind: Kind, page: Page, address: ListAddress) -> dict[str, str]:
    number = page.window.number
    collection = f"{address.context.addresses.collection(address.path)}/"
    query = encode_query(address.echoed)
    always = f"page={number}" if kind.has_status or number > 1 else ""
    links = {"rest_url": _link(collection, query, always)}
    if number < page.pages:
        links["next_rest_url"] = _link(collection, query, f"page={number + 1}")
    if number > 1:
        # Page 1 needs no number.
        before = f"page={number - 1}" if number > _SECOND else ""
        links["previous_rest_url"] = _link(collection, query, before)
    return links


def _link(collection: str, repeated: str, page: str) -> str:
    query = "&".join(part for part in (repeated, page) if part)
    return f"{collection}?{query}" if query else collection


def _total_headers(page: Page) -> dict[str, str]:
    return {
        f"X-{origin}-{name}": str(value)
        for origin in ("TEC", "WP")
        for name, value in (("Total", page.total), ("TotalPages", page.pages))
    }
