"""Rules of a source at the desk: written in its form, moved and removed, shown in a preview."""

import io

import pytest
from calendars import calendar, vevent

SOURCE = {"name": "Club", "kind": "ics", "address": "", "every": "0", "status": "publish"}
LEAVE_OUT = {"rule": "0", "rules.0.words": "Ausverkauf, Sale", "rules.0.outcome": "leave_out"}
MUSIC = {
    "rules.1.categories": "Konzerte",
    "rules.1.parts.place": "has",
    "rules.1.parts.picture": "lacks",
    "rules.1.then.categories": "Musik",
    "rules.1.featured": "yes",
}


@pytest.fixture
def editor(desk):
    return desk("editor")


@pytest.fixture
def music(make_category):
    return make_category(name="Musik")["id"]


def rules(page):
    """Return the words of the title and the outcome of each rule in a form."""
    words = page.tree.xpath(
        "//input[contains(@name, '.words') and contains(@name, 'rules.')]/@value"
    )
    return list(map(str, words))


def stored(as_editor):
    return as_editor.get("/sources").json["sources"][0]["rules"]


def test_rules_of_the_form_are_stored_in_their_order(editor, as_editor, music):
    fields = SOURCE | LEAVE_OUT | MUSIC | {"rule": ["0", "1"]}
    assert editor.send("/sources/new", **fields).status == 303
    conditions = {"categories": ["Konzerte"], "has": ["place"], "lacks": ["picture"]}
    assert stored(as_editor) == [
        {"if": {"words": ["Ausverkauf", "Sale"]}, "then": {"leave_out": True}},
        {"if": conditions, "then": {"categories": [music], "featured": True}},
    ]
    page = editor.get("/sources/1/settings")
    assert rules(page) == ["Ausverkauf, Sale", ""]
    assert page.tree.xpath("//input[@name='rules.1.then.categories']/@value") == ["Musik"]
    chosen = "//select[@name='rules.1.parts.picture']/option[@selected]/@value"
    assert page.tree.xpath(chosen) == ["lacks"]


@pytest.mark.parametrize(
    ("button", "words"),
    [
        ("add", ["a", "b", "c", ""]),
        ("earlier 1", ["b", "a", "c"]),
        ("later 1", ["a", "c", "b"]),
        ("remove 1", ["a", "c"]),
        ("remove 7", ["a", "b", "c"]),
        ("earlier 0", ["a", "b", "c"]),
    ],
)
def test_buttons_of_rules_store_nothing_and_keep_what_was_typed(editor, as_editor, button, words):
    fields = {"rule": ["0", "1", "2"], "rules.0.words": "a", "rules.1.words": "b"}
    fields |= {"rules.2.words": "c", "rules": button}
    page = editor.send("/sources/new", **SOURCE | fields)
    assert page.status == 200
    assert rules(page) == words
    assert page.tree.xpath("//input[@name='name']/@value") == ["Club"]
    assert page.tree.xpath("//details[@id='rules']/@open")
    assert as_editor.get("/sources").json["total"] == 0


def test_a_rule_on_a_category_that_nobody_knows_says_so(editor, as_editor):
    fields = LEAVE_OUT | {"rules.0.then.categories": "Musik"}
    page = editor.send("/sources/new", **SOURCE | fields)
    assert page.status == 400
    assert "Musik" in page.tree.xpath("string(//*[@id='source-rules-problem'])")
    assert as_editor.get("/sources").json["total"] == 0


def test_preview_says_which_rule_decided(editor):
    editor.send("/sources/new", **SOURCE | LEAVE_OUT)
    content = calendar(vevent("1@club", title="Sale", start="20300301T190000")).encode()
    page = editor.post(
        "/sources/1/read",
        csrf_token=editor.token(),
        press="preview",
        file=(io.BytesIO(content), "club.ics"),
    )
    (row,) = page.tree.xpath("//tbody/tr")
    assert "1" in row.xpath("string(td[2])")
