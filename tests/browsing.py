"""Pages as a browser reads them."""

from calling import SITE, Answer
from flask.testing import FlaskClient
from lxml import html

BROWSER = {"Accept": "text/html,application/xhtml+xml,*/*;q=0.8"}


class Page:
    """An HTML page with its parsed tree and text."""

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
        elements = self.tree.xpath(f'//*[contains(concat(" ", @class, " "), " {name} ")]')
        return [(each.xpath(".//a") or [each])[0] for each in elements]

    def link(self, relation, **attributes):
        """Return the addresses of the links of a relation in the head."""
        conditions = "".join(f'[@{name}="{value}"]' for name, value in attributes.items())
        return self.tree.xpath(f'//head/link[@rel="{relation}"]{conditions}/@href')


class Browser:
    """Opens pages as a browser does, without following redirects."""

    def __init__(self, app):
        self.client = FlaskClient(app, Answer)

    def __call__(self, path, headers=(), method="GET", **options):
        sent = {**BROWSER, **dict(headers)}
        path = path.removeprefix(SITE)
        answer = self.client.open(path, method=method, headers=sent, **options)
        # A large form is in a file, which the client leaves open.
        answer.request.environ["wsgi.input"].close()
        return Page(answer)


def labels_above(page):
    """Return the labels of a summary, and those above the refused fields."""
    named, above = [], []
    for link in page.tree.xpath("//*[@role='alert']//li//a"):
        own = link.get("href")[1:]
        labels = page.tree.xpath("//label[@for=$own]", own=own)
        if labels:
            named.append(_words(link).partition(":")[0].rpartition(", ")[2])
            above.append(_words(labels[0]).removesuffix(_aside(labels[0])).strip())
    return named, above


def _words(element):
    return " ".join(element.text_content().split())


def _aside(label):
    """Return the mark behind a label: that it is needed, or may be empty."""
    return "".join(label.xpath("span[@class='field-must' or @class='optional']//text()")).strip()
