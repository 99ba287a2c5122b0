"""The site is made of plain pages: its sidebar of their index, its tabs of their blocks."""

import re
from pathlib import Path

from docs_site.markdown import (
    for_programs,
    keywords_of,
    navigation,
    with_index_entries,
    with_repository,
    with_tabs,
)

DOCS = Path(__file__).parents[3] / "docs"


def block(language, content="x\n"):
    return f"```{language}\n{content}```\n"


INDEX = """# Pages

## One

For all.

* [B](how-to/b.md): b
* [A](a.md)

## Two

* [C](c.md)
"""


def test_sidebar_has_a_caption_for_each_section_and_its_pages_in_order():
    sections = re.findall(r":caption: (.+)\n\n([^`]+)", navigation(INDEX))
    assert sections == [("One", "how-to/b\na\n"), ("Two", "c\n")]


def test_programs_find_every_page_of_the_latest_version():
    text = for_programs((DOCS / "README.md").read_text(encoding="utf-8"), "1.2.3")
    assert text.startswith("# Calendar\n\n> ")
    assert "[Errors](1.2.3/reference/errors.html)" in text
    assert ".md)" not in text


def test_every_page_has_its_place_in_the_sidebar():
    tree = navigation((DOCS / "README.md").read_text(encoding="utf-8"))
    pages = {str(page.relative_to(DOCS).with_suffix("")) for page in DOCS.rglob("*.md")}
    listed = re.findall(r"^[\w/-]+$", tree, re.MULTILINE)
    assert sorted(listed) == sorted(pages - {"README", "index"})


def test_same_request_in_several_languages_becomes_tabs():
    page = with_tabs(f"{block('sh')}\n{block('python')}\n{block('typescript')}\nAfter.\n")
    assert re.findall(r"\{tab-item\} (\w+)", page) == ["curl", "Python", "TypeScript"]
    assert page.endswith("::::\n\nAfter.\n")


def test_other_blocks_stay_as_they_are():
    for page in (
        block("sh") + "\n" + block("sh"),
        block("sh") + "\nText.\n\n" + block("python"),
        block("sh") + "\n" + block("json"),
        block("python"),
    ):
        assert with_tabs(page) == page


def test_every_page_names_the_words_that_people_search_for():
    pages = {page.name: page.read_text(encoding="utf-8") for page in DOCS.rglob("*.md")}
    without = {name for name, text in pages.items() if not keywords_of(text)}
    assert without == {"README.md", "index.md"}


def test_keywords_become_main_entries_of_the_index_and_words_of_the_page():
    page = with_index_entries("# Limits\n\n<!-- keywords: rate limit, quota -->\n\nText.\n")
    assert "\n   ! single: rate limit\n   ! single: quota\n" in page
    assert "\n   :keywords: rate, limit, quota\n" in page
    assert page.endswith("```\n\nText.\n")


def test_page_without_keywords_stays_as_it_is():
    assert with_index_entries("# Calendar\n\nText.\n") == "# Calendar\n\nText.\n"


def test_published_pages_name_the_repository_and_others_leave_it_open():
    page = "ghcr.io/OWNER/REPOSITORY:1.2.3"
    source = "https://github.com/valley/agenda"
    assert with_repository(page, source) == "ghcr.io/valley/agenda:1.2.3"
    assert with_repository(page, "") == page
