"""The documentation: OpenAPI for programs, Swagger UI for people.

All files of the page are served from here, so that it works offline.
"""

from html import escape
from importlib.resources import files
from pathlib import Path
from string import Template

import flask
from flask import Response, request, send_from_directory

from calendar_app.http.answers.answering import JSON, add_vary, answer
from calendar_app.http.openapi.document import base_path
from calendar_app.http.openapi.interface import interface
from calendar_app.http.openapi.operations import HTML
from calendar_app.http.request import current
from calendar_app.http.views.blueprint import Blueprint

_DIRECTORY = Path(__file__).parent
_SCRIPT = "documentation.js"
_SWAGGER_UI = str(files("flask_swagger_ui").joinpath("dist"))
_PAGE = Template((_DIRECTORY / "documentation.html").read_text(encoding="utf-8"))
# Swagger UI writes styles into its elements, and has pictures in its stylesheet.
_POLICY = (
    "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; "
    "font-src 'self' data:; frame-ancestors 'self'; connect-src 'self' {}"
)

blueprint = Blueprint("doc", __name__, description="How the interface is used")
pages = flask.Blueprint("documentation", __name__, url_prefix="/doc")


@blueprint.route("/doc")
@blueprint.response(200, {"type": "object"})
def document() -> Response:
    """Describe the interface as OpenAPI; as a page where the client prefers HTML."""
    current.chain()
    media_type = request.accept_mimetypes.best_match([JSON, HTML], default=JSON)
    response = page() if media_type == HTML else _document_response()
    add_vary(response, "Accept")
    return response


@pages.get("")
def page() -> Response:
    """Show the document with Swagger UI."""
    settings = current.settings()
    # Relative, since a proxy may have stripped a path prefix.
    root = "../" * (request.path.count("/") - 1)
    texts = {
        "title": settings.site_name,
        "files": f"{root}doc",
        "document": f"{root}{base_path(settings).removeprefix('/')}/doc",
    }
    escaped = {name: escape(text) for name, text in texts.items()}
    response = Response(_PAGE.substitute(escaped), mimetype=HTML)
    # A source with a trailing slash matches all paths below it.
    site = f"{settings.site_url.rstrip('/')}/" if settings.site_url else ""
    response.headers["Content-Security-Policy"] = _POLICY.format(site).strip()
    response.headers["X-Content-Type-Options"] = "nosniff"
    return response


@pages.get("/<name>")
def file(name: str) -> Response:
    """Serve a file of Swagger UI, or the script that starts it."""
    return send_from_directory(_DIRECTORY if name == _SCRIPT else _SWAGGER_UI, name, max_age=3600)


def _document_response() -> Response:
    return answer({**interface().document, "servers": [{"url": f"{current.addresses().base}/"}]})
