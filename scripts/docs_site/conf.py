"""Settings of Sphinx for the site of the documentation; ``make docs`` builds it."""

import os
import sys
import tomllib
from pathlib import Path
from typing import Any

_HERE = Path(__file__).parent
sys.path.insert(0, str(_HERE.parent))

from docs_site.markdown import prepare  # noqa: E402 - Sphinx runs this file by its path

_ROOT = _HERE.parents[1]
_PROJECT = tomllib.loads((_ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]

project = "Calendar"
author = "The authors of Calendar"
copyright = "the authors of Calendar, MIT license"  # noqa: A001 - Sphinx names it
release = os.environ.get("DOCS_VERSION") or _PROJECT["version"]
version = release
language = "en"

extensions = ["myst_parser", "sphinx_design"]
root_doc = "index"
# Its lists become the sidebar; a site needs no second list of its pages.
exclude_patterns = ["README.md"]
myst_enable_extensions = ["colon_fence"]
myst_heading_anchors = 4
highlight_language = "none"
# Answers are shortened by "…", which is no JSON, and requests are written as they go over the wire.
suppress_warnings = ["misc.highlighting_failure"]
nitpicky = True

html_theme = "furo"
html_title = f"Calendar {release}"
html_baseurl = os.environ.get("DOCS_URL", "")
html_static_path = [str(_HERE / "static")]
templates_path = [str(_HERE / "templates")]
html_css_files = ["site.css"]
html_js_files = [("versions.js", {"defer": "defer"})]
html_favicon = str(_ROOT / "calendar_app" / "site" / "pages" / "static" / "favicon.svg")
html_copy_source = False
html_show_sphinx = False
html_last_updated_fmt = None
html_theme_options: dict[str, Any] = {
    "light_css_variables": {
        "color-brand-primary": "#0f5c63",
        "color-brand-content": "#0f5c63",
        "color-brand-visited": "#0f5c63",
    },
    "dark_css_variables": {
        "color-brand-primary": "#86d3d8",
        "color-brand-content": "#86d3d8",
        "color-brand-visited": "#86d3d8",
    },
}
if "Source" in _PROJECT.get("urls", {}):
    # Pages get "Edit this page".
    html_theme_options |= {
        "source_repository": _PROJECT["urls"]["Source"],
        "source_branch": "main",
        "source_directory": "docs/",
    }
html_sidebars = {
    "**": [
        "sidebar/brand.html",
        "sidebar/versions.html",
        "sidebar/search.html",
        "sidebar/scroll-start.html",
        "sidebar/navigation.html",
        "sidebar/scroll-end.html",
    ]
}


def setup(app: Any) -> None:
    """Prepare each page before Sphinx reads it."""
    app.add_config_value("project_source", _PROJECT.get("urls", {}).get("Source", ""), "env")
    app.connect("source-read", prepare)
