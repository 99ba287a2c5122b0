"""Pages of lists: the links from one to the next, and what every list says of itself."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from flask import Response

from calendar_app.accounts.roles import Right
from calendar_app.domain.kind import Kind, Record
from calendar_app.http.answers.answering import answer
from calendar_app.http.answers.feed_links import alternates, feeds_of_list
from calendar_app.http.presentation.presenting import date_text
from calendar_app.http.request import current
from calendar_app.http.request.addresses import query_of
from calendar_app.query.list_query import Page, Window

# In the order in which the reference repeats them; all others follow as they were sent.
_FIRST = (
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
_NEVER = frozenset({"page", "password"})


def echo(values: Record, window: Window, *, with_status: bool) -> dict[str, str]:
    """Return the parameters that page links repeat: what was sent, and resolved defaults."""
    sent = current.sent_parameters()
    dates = {name: date_text(v) for name, v in values.items() if isinstance(v, datetime)}
    texts = {name: text(value) for name, value in sent.items() if name not in _NEVER}
    echoed = {name: value for name, value in texts.items() if value is not None} | dates
    if with_status:
        editor = current.caller().may(Right.EDIT)
        echoed |= {"per_page": str(window.size)}
        echoed.setdefault("status", "any" if editor else "publish")
    elif "per_page" in echoed:
        echoed["per_page"] = str(window.size)
    first = {name: echoed[name] for name in _FIRST if name in echoed}
    return first | echoed


def repeated() -> dict[str, str]:
    """Return the parameters that were sent, as links to the same selection repeat them."""
    sent = ((name, text(value)) for name, value in current.sent_parameters().items())
    return {name: value for name, value in sent if value is not None and name not in _NEVER}


def text(value: Any) -> str | None:
    """Return a parameter as a query repeats it; what cannot be said in one is left out."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list):
        members = [text(member) for member in value]
        # One text with commas is decoded once more, where it is read, and a list is not.
        return ",".join(member.replace("%", "%25") for member in members if member is not None)
    return str(value) if isinstance(value, str | int | float) else None


def answer_page(
    kind: Kind, page: Page, shown: Sequence[object], echoed: Mapping[str, str]
) -> Response:
    """Answer a list: its records, links to its neighbours, totals in body and headers."""
    links = _links(kind, page, echoed)
    totals: dict[str, Any] = {"total": page.total, "total_pages": page.pages}
    if kind.fed:
        totals["feeds"] = feeds_of_list(kind, repeated())
    if kind.has_status:
        body = {kind.name: shown, **links, **totals}
    else:
        own = {"rest_url": links.pop("rest_url")}
        body = {**own, **totals, kind.name: shown, **links}
    return answer(body, headers=_total_headers(page) | alternates(totals))


def _links(kind: Kind, page: Page, echoed: Mapping[str, str]) -> dict[str, str]:
    number = page.window.number
    collection = f"{current.addresses().collection(kind.name)}/"
    repeated = query_of(echoed)
    always = f"page={number}" if kind.has_status or number > 1 else ""
    links = {"rest_url": _link(collection, repeated, always)}
    if number < page.pages:
        links["next_rest_url"] = _link(collection, repeated, f"page={number + 1}")
    if number > 1:
        # Page 1 needs no number.
        before = f"page={number - 1}" if number > _SECOND else ""
        links["previous_rest_url"] = _link(collection, repeated, before)
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
