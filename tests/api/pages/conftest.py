"""Pages as a browser reads them."""

import pytest
from calling import SITE, Answer
from flask.testing import FlaskClient
from lxml import html

BROWSER = {"Accept": "text/html,application/xhtml+xml,*/*;q=0.8"}


class Page:
    """A page, and what tests look for in it."""

    def __init__(self, answer):
        self.answer = answer
        self.status = answer.status_code
        self.headers = answer.headers
        self.tree = html.fromstring(answer.data) if answer.data else None

    @property
    def text(self):
        return " ".join(self.tree.text_content().split())

    @property
    def titles(self):
        """The titles of the events that the page lists, in its order."""
        return [" ".join(each.text_content().split()) for each in self.find("event-title")]

    def find(self, name):
        """Return the links of the elements of a class, or these themselves."""
        found = self.tree.xpath(f'//*[contains(concat(" ", @class, " "), " {name} ")]')
        return [(each.xpath(".//a") or [each])[0] for each in found]

    def link(self, relation, **attributes):
        """Return the addresses of the links of a relation in the head."""
        wanted = "".join(f'[@{name}="{value}"]' for name, value in attributes.items())
        return self.tree.xpath(f'//head/link[@rel="{relation}"]{wanted}/@href')


@pytest.fixture
def browse(app):
    """Return what opens a page as a browser does, without following redirects."""
    client = FlaskClient(app, Answer)

    def open_page(path, headers=(), method="GET", **options):
        sent = {**BROWSER, **dict(headers)}
        return Page(client.open(path.removeprefix(SITE), method=method, headers=sent, **options))

    return open_page
