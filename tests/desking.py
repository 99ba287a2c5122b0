"""A browser at the desk: it keeps cookies and sends the forms of pages."""

from browsing import BROWSER, Page
from calling import SITE, Answer
from flask.testing import FlaskClient
from werkzeug.datastructures import MultiDict

PASSWORD = "correct horse battery"


class Desk:
    """Opens pages of the desk, and sends their forms as a browser does."""

    def __init__(self, app):
        self.client = FlaskClient(app, Answer)

    def get(self, path="/", headers=(), **options):
        return self._open("GET", path, headers, **options)

    def post(self, path, headers=(), **fields):
        """Send a form to a page as it stands, with nothing but these fields."""
        return self._open("POST", path, headers, data=fields)

    def send(self, page_path, action=None, **fields):
        """Open a page, fill in its form with this ``action``, and send it."""
        form = form_of(self.get(page_path), action)
        sent = MultiDict(_typed(form))
        for name, value in fields.items():
            sent.setlist(name, value if isinstance(value, list) else [value])
        return self._open("POST", form.action or f"/desk{page_path}", (), data=sent)

    def log_in(self, name, password=PASSWORD):
        return self.send("/login", name=name, password=password)

    def token(self, page_path="/me/"):
        """Return the token that the forms of this session carry."""
        return self.get(page_path).tree.xpath('//input[@name="csrf_token"]/@value')[0]

    def cookie(self, name="desk_session"):
        return self.client.get_cookie(name, path="/desk")

    def _open(self, method, path, headers, **options):
        whole = path.removeprefix(SITE)
        if not whole.startswith("/desk"):
            whole = f"/desk{whole}"
        sent = {**BROWSER, **dict(headers)}
        answer = self.client.open(whole, method=method, headers=sent, **options)
        # A large form is in a file, which the client leaves open.
        answer.request.environ["wsgi.input"].close()
        return Page(answer)


def form_of(page, action=None):
    """Return the form of a page: the one with this end of its action, else that of the content."""
    forms = page.tree.xpath("//main//form[@method='post']")
    fitting = [form for form in forms if not action or (form.action or "").endswith(action)]
    assert fitting, page.text
    return fitting[0]


def values_of(form):
    """Return the values of a form as a browser sends them."""
    return dict(_typed(form))


def _typed(form):
    # A line break behind <textarea> is no part of its text (HTML, section 13.1.2.5).
    typed = [(name, text.removeprefix("\n")) for name, text in form.form_values()]
    return [*typed, *_first_options(form)]


def _first_options(form):
    """Yield what a browser sends of lists in which nothing is selected."""
    for select in form.xpath(".//select[@name][not(@multiple)][not(@disabled)]"):
        options = select.xpath(".//option")
        if options and not select.xpath(".//option[@selected]"):
            yield select.name, options[0].get("value", options[0].text_content())
