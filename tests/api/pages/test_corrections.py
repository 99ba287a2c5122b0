"""A search without a result proposes a corrected one."""

import pytest
from keeping import kept


def proposed(page):
    """Return the searches that a page proposes, with their results."""
    links = page.tree.xpath("//ul[contains(@class, 'wider')]//a[contains(., 'Meinten Sie')]")
    return {" ".join(link.text_content().split()): link.get("href") for link in links}


@kept
def concert(make_event):
    return make_event(title="Orgelkonzert in Müstair", description="Mit Chören")


@pytest.mark.usefixtures("concert")
@pytest.mark.parametrize(
    ("search", "meant"),
    [
        ("Orgelkonzrt", "Orgelkonzert"),  # a letter is missing
        ("orgellkonzert", "Orgelkonzert"),  # one is too many
        ("Orgelkonzetr", "Orgelkonzert"),  # two are in the wrong order
        ("Irgelkonzerd", "Orgelkonzert"),  # two are others
        ("Mustajr", "Müstair"),
        ("Chorem", "Chören"),
        ("konzrt", "konzert"),  # the end of a word
        ("ustajr", "üstair"),
        ("orgelkonzrt mustair", "Orgelkonzert mustair"),
        ("Orgelkonzrt Mustajr", "Orgelkonzert Müstair"),
    ],
)
def test_word_with_mistakes_leads_to_the_one_that_is_there(browse, search, meant):
    page = browse(f"/events/list/?search={search}")
    (text,) = proposed(page)
    assert text == f"Meinten Sie «{meant}»? 1 Veranstaltung"
    assert browse(proposed(page)[text]).titles == ["Orgelkonzert in Müstair"]


@pytest.mark.usefixtures("concert")
@pytest.mark.parametrize("search", ["Zirkus", "Org", "kzt", "Orgelbauverein", "-orgelkonzrt", '"'])
def test_nothing_is_proposed_that_is_not_like_what_was_typed(browse, search):
    assert proposed(browse(f"/events/list/?search={search}")) == {}


@pytest.mark.usefixtures("concert")
def test_search_that_finds_something_is_left_alone(browse):
    assert proposed(browse("/events/list/?search=orgelkonzert")) == {}


@pytest.mark.parametrize("hidden", [{"status": "draft"}, {"status": "private"}])
def test_words_that_the_reader_may_not_see_are_not_proposed(browse, make_event, hidden):
    make_event(title="Orgelkonzert", **hidden)
    assert proposed(browse("/events/list/?search=orgelkonzrt")) == {}


@pytest.mark.usefixtures("concert")
@pytest.mark.parametrize(
    "titles",
    [["Orgelkonzrt"], ["Orgelkonzrte", "Orgelkonzrts", "Orgelkonzrta", "Orgelkonzrto"]],
)
def test_hidden_words_change_nothing_of_what_is_proposed(browse, make_event, titles):
    for title in titles:
        make_event(title=title, status="draft")
    (text,) = proposed(browse("/events/list/?search=Orgelkonzrt"))
    assert text == "Meinten Sie «Orgelkonzert»? 1 Veranstaltung"


def test_words_behind_a_password_are_not_proposed(browse, make_event):
    make_event(title="Fest", description="Orgelkonzert", password="tor")
    assert proposed(browse("/events/list/?search=orgelkonzrt")) == {}


def test_words_of_another_language_are_not_proposed(browse, make_event):
    variants = {"rm": {"title": "Concert d'orgel", "description": "Baselgia"}}
    make_event(title="Orgelkonzert", description="Kirche", variants=variants)
    assert proposed(browse("/events/list/?search=baselgja")) == {}


def test_other_filters_stay(browse, make_event, concert):
    make_event(title="Orgelkonzert", cost="Free")
    page = browse("/events/month/2030-03/?search=orgelkonzrt&free=true")
    (text,) = proposed(page) or [""]
    assert (text, concert["cost"]) == ("Meinten Sie «Orgelkonzert»? 1 Veranstaltung", "")
    assert "free=true" in proposed(page)[text]


def test_month_proposes_what_it_has(browse, make_event):
    make_event(title="Orgelkonzert", start_date="2030-05-01 19:00", end_date="2030-05-01 20:00")
    assert proposed(browse("/events/month/2030-03/?search=orgelkonzrt")) == {}
    assert proposed(browse("/events/month/2030-05/?search=orgelkonzrt"))


@pytest.mark.usefixtures("concert")
def test_what_is_proposed_while_somebody_types_forgives_mistakes(browse):
    titles = browse("/events/suggestions?search=orgelkonzert").answer.json
    assert titles == ["Orgelkonzert in Müstair"]
    assert browse("/events/suggestions?search=orgelkonzrt").answer.json == ["Orgelkonzert"]
    assert browse("/events/suggestions?search=zirkus").answer.json == []
