"""Normalise texts and addresses of both services."""

import html
import re
from urllib.parse import urlsplit

from replaying.recording import REFERENCE_PREFIX, REFERENCE_SITE
from replaying.renumbering import Numbering

_SIMPLE = str.maketrans(
    {
        "\u2019": "'",
        "\u2018": "'",
        "\u201c": '"',
        "\u201d": '"',
        "\u2013": "-",
        "\u2014": "-",
        "\u2026": "...",
        "\u00d7": "x",
        "\u00a0": " ",
    }
)


def words(text: str) -> str:
    """Return the words of an HTML text, without tags, entities and typography."""
    bare = re.sub(r"<[^>]*>", " ", html.unescape(text))
    return " ".join(bare.translate(_SIMPLE).split())


def bare_slug(slug: str) -> str:
    """Return a slug without the number that told it from another one."""
    return re.sub(r"-\d+$", "", slug)


class Addresses:
    """Addresses of the reference and of the service, which stands below ``prefix``."""

    def __init__(self, prefix: str, numbering: Numbering) -> None:
        self._prefix = prefix
        self._numbering = numbering

    def recorded(self, url: str, *, terms: bool) -> str:
        """Return the path below the reference's namespace, in the ids of the service."""
        path = urlsplit(url.removeprefix(REFERENCE_SITE)).path.removeprefix(REFERENCE_PREFIX)
        return re.sub(
            r"(?<=/)\d+$",
            lambda match: self._numbering.digits(match[0], terms=terms),
            path.rstrip("/"),
        )

    def actual(self, url: str) -> str:
        """Return the path below the namespace of the service."""
        return urlsplit(url).path.removeprefix(self._prefix).rstrip("/")
