"""Pages of lists: plain lists, with totals and links in the headers."""

from collections.abc import Iterator
from typing import Any

from flask import Response

from calendar_app.api.http.answers.answering import answer
from calendar_app.api.http.errors.refusals import Refusal
from calendar_app.api.http.lists.paging import link_parameters
from calendar_app.api.http.request import current
from calendar_app.api.http.views.loading import Refused
from calendar_app.errors import Message
from calendar_app.parts.wordpress.names import NAMESPACE
from calendar_app.readmodel.addresses import encode_query
from calendar_app.storage.query.list_query import Page

_NO_PAGE = Message("The page number requested is larger than the number of pages available.")


def answer_page(name: str, page: Page, items: list[Any], *, refuses_beyond: bool) -> Response:
    """Answer one page of the list of this ``name`` in addresses.

    Raises ``Refused`` for a page behind the last one, where the list is one of posts.
    """
    if refuses_beyond and page.total and page.window.number > max(page.pages, 1):
        raise Refused(Refusal(400, "rest_post_invalid_page_number", _NO_PAGE))
    totals = {"X-WP-Total": str(page.total), "X-WP-TotalPages": str(page.pages)}
    response = answer(items, headers=totals)
    for link in _links(name, page):
        response.headers.add("Link", link)
    return response


def _links(name: str, page: Page) -> Iterator[str]:
    """Yield the links to the pages beside this one, in the order of WordPress."""
    context = current.context()
    parameters = link_parameters(context)
    number, pages = page.window.skip // page.window.size + 1, page.pages
    beside = {"prev": min(number - 1, pages), "next": number + 1 if number < pages else 0}
    for relation, address in beside.items():
        if address > 0:
            query = encode_query(parameters | {"page": str(address)})
            yield f'<{context.addresses.index}{NAMESPACE}/{name}?{query}>; rel="{relation}"'
