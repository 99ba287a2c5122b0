"""Frames in HTML texts: those that show a page of this site may stay.

See "Writing" in docs/reference/interface.md.
"""

import re

ATTRIBUTES = {"allow", "allowfullscreen", "height", "loading", "sandbox", "src", "width"}

_FRAME = re.compile(
    r'(?P<opening><iframe(?P<attributes>(?: [^\s"=<>]+="[^"]*")*)>).*?</iframe>', re.DOTALL
)
# Browsers pass over some of these in addresses, and take others for slashes.
_MISLEADING = re.compile(r"[\x00-\x20\x7f\\]")
_PATH = re.compile(r"/(?!/)")


def is_own(address: str, site: str) -> bool:
    """Return whether an address leads to a page of ``site``, which may be empty."""
    if _MISLEADING.search(address):
        return False
    root = site.rstrip("/")
    return bool(_PATH.match(address)) or (bool(root) and f"{address}/".startswith(f"{root}/"))


def without_empty_frames(html: str) -> str:
    """Drop frames without an address, and the contents of all others."""
    return _FRAME.sub(_without_content, html) if "<iframe" in html else html


def _without_content(frame: re.Match[str]) -> str:
    return f"{frame['opening']}</iframe>" if ' src="' in frame["attributes"] else ""
