"""What list boxes offer: names that begin with a text first, then words, then middles."""

import pytest

PATH = "/events/suggestions"


def offered(browser, text, kind="venue"):
    page = browser.get(PATH, query_string={"kind": kind, "text": text})
    assert page.status == 200
    return [each["label"] for each in page.answer.json]


@pytest.fixture
def venues(make_venue, as_editor):
    for name in ("Konzertsaal", "Alter Saal", "Saal 2", "Saal 10", "Säulenhalle"):
        make_venue(by=as_editor, venue=name)
    make_venue(by=as_editor, venue="Kirche", address="Saalweg 3", city="Chur")


@pytest.mark.usefixtures("venues")
def test_names_that_begin_so_come_first_then_words_then_middles(desk):
    expected = ["Saal 10", "Saal 2", "Alter Saal", "Konzertsaal", "Kirche, Saalweg 3, Chur"]
    assert offered(desk(), "saal") == expected
    assert offered(desk(), "SAAL ") == expected


@pytest.mark.usefixtures("venues")
@pytest.mark.parametrize(
    ("text", "first"),
    [("saul", "Säulenhalle"), ("chur", "Kirche, Saalweg 3, Chur"), ("saal 1", "Saal 10")],
)
def test_accents_and_places_find_a_venue_too(desk, text, first):
    assert offered(desk(), text)[0] == first


@pytest.mark.usefixtures("venues")
@pytest.mark.parametrize("text", [".*", "^", "(", "\\", "$where", "a" * 300])
def test_signs_of_expressions_stand_for_themselves(desk, text):
    assert offered(desk(), text) == []


@pytest.mark.parametrize("kind", ["categories", "tags"])
def test_terms_are_offered_by_their_names(desk, as_editor, kind):
    for name in ("Musik", "Blasmusik", "Alte Musik"):
        as_editor.post(f"/{kind}", name=name)
    assert offered(desk(), "musik", kind) == ["Musik", "Alte Musik", "Blasmusik"]


def test_larger_events_are_offered_by_their_titles(desk, make_event, as_editor):
    for title in ("Das Fest der Musik", "Musikfest", "Fest"):
        make_event(by=as_editor, title=title)
    labels = offered(desk(), "fest", "post_parent")
    assert labels[0].startswith("Fest,")
    assert len(labels) == 3


def test_drafts_of_others_are_not_offered(desk, make_venue, as_editor):
    make_venue(by=as_editor, venue="Saal der Geheimnisse", status="draft")
    assert offered(desk("contributor"), "saal") == []
