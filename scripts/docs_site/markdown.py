"""Adds to pages of Markdown what a site has and a repository shows otherwise.

The pages stay plain Markdown: the sidebar comes from the lists of ``docs/README.md``, blocks of
code in several languages that follow each other become tabs, and the keywords in the comment of a
page become entries of the index, which the search puts before all other hits.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

_SECTION = re.compile(r"^## (.+)$", re.MULTILINE)
_PAGE = re.compile(r"^\* \[[^\]]+\]\(([\w/-]+)\.md\)", re.MULTILINE)
_LINK = re.compile(r"\]\(([\w/-]+)\.md\)")
_LANGUAGES = {"sh": "curl", "python": "Python", "typescript": "TypeScript"}
_CONTENT = r"\n(?:(?!```).*\n)*```\n"
# A block of the same request in another language follows.
_TABS = re.compile(
    rf"^```(?:sh|python|typescript){_CONTENT}(?:\n```(?:python|typescript){_CONTENT})+",
    re.MULTILINE,
)
_KEYWORDS = re.compile(r"^<!-- keywords: (.+) -->$", re.MULTILINE)
_CODE = re.compile(rf"^```(\w+){_CONTENT}", re.MULTILINE)


def prepare(app: Any, name: str, source: list[str]) -> None:
    """Change the source of a page in place, as Sphinx asks for."""
    if name == app.config.root_doc:
        index = Path(app.srcdir) / "README.md"
        # The sidebar is made anew when the lists have changed.
        app.env.note_dependency(str(index), docname=name)
        source[0] += navigation(index.read_text(encoding="utf-8"))
    source[0] = with_repository(source[0], app.config.project_source)
    source[0] = with_index_entries(with_tabs(source[0]))


def with_repository(page: str, source: str) -> str:
    """Return the page with the owner and name of the repository at ``source``, if there is one."""
    repository = urlsplit(source).path.strip("/")
    return page.replace("OWNER/REPOSITORY", repository) if repository else page


def navigation(index: str) -> str:
    """Return the sidebar: a caption for each section of ``index``, and the pages that it lists."""
    _, *parts = _SECTION.split(index)
    return "".join(_toctree(*section) for section in zip(parts[::2], parts[1::2], strict=True))


def _toctree(caption: str, section: str) -> str:
    pages = "\n".join(_PAGE.findall(section))
    return f"\n```{{toctree}}\n:hidden:\n:caption: {caption}\n\n{pages}\n```\n"


def for_programs(index: str, version: str) -> str:
    """Return the index with the addresses of a version, for programs (https://llmstxt.org)."""
    pages = _LINK.sub(rf"]({version}/\1.html)", index)
    about = "> A calendar of public events in several languages: pages, a desk, and an interface.\n"
    return pages.replace("# Documentation\n", f"# Calendar\n\n{about}", 1)


def keywords_of(page: str) -> list[str]:
    """Return the words by which people look for the page, or none."""
    comment = _KEYWORDS.search(page)
    return comment[1].split(", ") if comment else []


def with_index_entries(page: str) -> str:
    """Return the page with its keywords as main entries of the index, and as words of its text.

    The search compares a whole query with an entry; ``meta`` makes each word of it count.
    """
    keywords = keywords_of(page)
    if not keywords:
        return page
    words = dict.fromkeys(word for keyword in keywords for word in keyword.split())
    entries = "".join(f"   ! single: {keyword}\n" for keyword in keywords)
    meta = f".. meta::\n   :keywords: {', '.join(words)}\n"
    directives = f"```{{eval-rst}}\n.. index::\n{entries}\n{meta}```"
    return _KEYWORDS.sub(lambda _: directives, page, count=1)


def with_tabs(page: str) -> str:
    """Return the page with a tab for each language of a request, in place of several blocks."""
    return _TABS.sub(lambda match: _tab_set(match[0]), page)


def _tab_set(blocks: str) -> str:
    return "".join(["::::{tab-set}\n:sync-group: language\n\n", *_tabs(blocks), "::::\n"])


def _tabs(blocks: str) -> Iterator[str]:
    for block in _CODE.finditer(blocks):
        label = _LANGUAGES[block[1]]
        yield f":::{{tab-item}} {label}\n:sync: {block[1]}\n\n{block[0]}:::\n\n"
