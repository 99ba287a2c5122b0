"""Chips and views of the table of events: what they list, and who has which."""

from datetime import timedelta
from urllib.parse import parse_qsl

import pytest

VIEWS = "/events/views"


def titles(page):
    return [link.text_content().strip() for link in page.tree.xpath("//td[@class='title']/*[1]")]


def links_of(page):
    """Return the views of a page of the table: their names with the queries of their addresses."""
    links = page.tree.xpath("//*[@id='filter-views']//ul//a")
    return {link[0].text: link.get("href").partition("?")[2] for link in links}


def numbers_of(page):
    """Return how many events a page of the table says that each view has."""
    links = page.tree.xpath("//*[@id='filter-views']//ul//a")
    return {link[0].text: link.findtext("span[@class='number']") for link in links}


def chips(page):
    """Return the names of the filters that are set, with the queries that take them away."""
    links = page.tree.xpath("//a[@class='filter-off']")
    return {link.get("title").partition(": ")[2]: link.get("href").lstrip("?") for link in links}


def save(browser, name, query="lacks=place"):
    return browser.post(VIEWS, csrf_token=browser.token(), name=name, query=query)


def change(browser, button, view, name=""):
    fields = {"button": button, "view": view, "name": name}
    return browser.post(f"{VIEWS}/change", csrf_token=browser.token(), **fields)


# Given views.


def test_my_drafts_are_those_of_any_time_that_nobody_else_wrote(
    desk, make_event, as_editor, as_author
):
    make_event(by=as_editor, title="Mine", status="draft")
    make_event(
        by=as_editor,
        title="Mine of once",
        status="draft",
        start_date="2001-05-01 19:00:00",
        end_date="2001-05-01 21:00:00",
    )
    make_event(by=as_editor, title="Mine, out already")
    make_event(by=as_author, title="Of another", status="draft")
    browser = desk()
    query = links_of(browser.get("/events/"))["Meine Entwürfe"]
    page = browser.get(f"/events/?{query}")
    assert sorted(titles(page)) == ["Mine", "Mine of once"]
    assert page.tree.xpath("//*[@id='filter-views']//a[@aria-current]/span[1]/text()") == [
        "Meine Entwürfe"
    ]


def test_this_week_has_its_days_and_no_others(desk, as_admin, clock):
    monday = clock().date() - timedelta(days=clock().date().weekday())
    for title, days in (("Before", -1), ("Monday", 0), ("Sunday", 6), ("After", 7)):
        day = monday + timedelta(days=days)
        times = {"start_date": f"{day} 12:00:00", "end_date": f"{day} 13:00:00"}
        as_admin.post("/events", title=title, status="publish", **times)
    browser = desk()
    query = links_of(browser.get("/events/"))["Diese Woche"]
    assert titles(browser.get(f"/events/?{query}")) == ["Monday", "Sunday"]


def test_each_further_language_has_a_view_of_what_lacks_it(desk, make_event):
    make_event(title="Without")
    make_event(title="With", variants={"rm": {"title": "Cun"}})
    browser = desk()
    views = links_of(browser.get("/events/"))
    assert titles(browser.get(f"/events/?{views['Nicht auf Rätoromanisch']}")) == ["Without"]
    assert "lacks=de" not in views.values()


def test_each_view_says_how_many_events_it_has(desk, make_event, as_editor, as_author):
    for title in ("Mine", "Mine too"):
        make_event(by=as_editor, title=title, status="draft")
    make_event(by=as_author, title="Of another", variants={"rm": {"title": "Cun"}})
    browser = desk()
    save(browser, "By the editor", query="author=me&period=all")
    save(browser, "Refused", query="author=nobody")
    save(browser, "Trash", query="status=trash")
    assert numbers_of(browser.get("/events/")) == {
        "Meine Entwürfe": "2",
        "Diese Woche": "0",
        "Nicht auf Rätoromanisch": "2",
        "By the editor": "2",
        "Refused": None,
        "Trash": "0",
    }


# The filter by author, in the list and in joint changes.


@pytest.fixture
def drafts(make_event, as_editor, as_author):
    own = make_event(by=as_editor, title="Mine", status="draft")["id"]
    return own, make_event(by=as_author, title="Of another", status="draft")["id"]


def apply_to_all(browser, query, **fields):
    sent = {"csrf_token": browser.token(), "query": query, "all": "1", **fields}
    return browser.post("/events/several", **sent)


def statuses(api, ids):
    return [api.get(f"/events/{number}").json["status"] for number in ids]


def test_all_that_match_are_those_of_the_author_alone(desk, as_editor, drafts):
    browser = desk()
    page = browser.get("/events/?author=me&per_page=1")
    [query] = page.tree.xpath("//form[@data-several]//input[@name='query']/@value")
    assert titles(page) == ["Mine"]
    apply_to_all(browser, query, action="publish")
    assert statuses(as_editor, drafts) == ["publish", "draft"]


def test_form_of_many_is_about_those_of_the_author_alone(desk, drafts):
    browser = desk()
    sent = {"csrf_token": browser.token(), "query": "author=me", "all": "1"}
    page = browser.post("/events/together", **sent)
    assert page.tree.xpath("//input[@name='id']/@value") == [str(drafts[0])]


@pytest.mark.parametrize(
    ("name", "author"), [("author", "2"), ("author", "anybody"), ("author", "ME"), ("editor", "ME")]
)
def test_author_that_may_not_be_chosen_is_refused_and_matches_nothing(
    desk, as_editor, drafts, name, author
):
    browser = desk(name)
    page = browser.get(f"/events/?author={author}")
    assert page.status == 400
    assert "author" in page.text
    apply_to_all(browser, f"author={author}", action="publish")
    assert statuses(as_editor, drafts) == ["draft", "draft"]


@pytest.mark.parametrize("name", ["categories[]", "categories[0]"])
def test_all_that_match_a_filter_in_brackets_are_no_more_than_listed(
    desk, as_editor, make_event, make_category, name
):
    category = make_category()["id"]
    events = [
        make_event(by=as_editor, status="draft", categories=[category])["id"],
        make_event(by=as_editor, status="draft")["id"],
    ]
    browser = desk()
    page = browser.get(f"/events/?{name}={category}")
    [query] = page.tree.xpath("//form[@data-several]//input[@name='query']/@value")
    apply_to_all(browser, query, action="publish")
    assert statuses(as_editor, events) == ["publish", "draft"]


# Chips.


def test_chip_says_its_value_and_is_taken_away_alone(desk, make_category):
    number = make_category(name="Musik")["id"]
    page = desk().get(f"/events/?period=past&categories={number}&lacks=picture&author=me&search=x")
    removable = chips(page)
    assert list(removable) == ["Vergangene", "Von mir", "Musik", "Ohne Bild"]
    assert dict(parse_qsl(removable["Musik"])) == {
        "search": "x",
        "period": "past",
        "lacks": "picture",
        "author": "me",
    }


def test_filter_that_has_no_list_is_a_chip_too(desk, make_venue):
    number = make_venue()["id"]
    removable = chips(desk().get(f"/events/?venue={number}&featured=true"))
    assert removable == {str(number): "featured=true", "Empfohlen": f"venue={number}"}


def test_period_that_is_chosen_replaces_the_dates_of_an_address(desk):
    page = desk().get("/events/?start_date=2030-01-01&lacks=place")
    [form] = page.tree.xpath("//*[@id='filter-period']//form")
    assert dict(form.form_values()) == {"lacks": "place"}
    assert chips(page)["Wie in der Adresse"] == "lacks=place"


def test_search_keeps_all_filters(desk):
    page = desk().get("/events/?period=past&author=me&status=draft&page=1")
    [form] = page.tree.xpath("//form[@role='search']")
    assert dict(form.form_values()) == {
        "search": "",
        "period": "past",
        "author": "me",
        "status": "draft",
    }


# Saved views.


def test_view_is_saved_with_its_filters_alone(desk):
    browser = desk()
    query = "period=past&author=me&page=3&password=geheim&whatever=1"
    answer = save(browser, "  Früher  ", query)
    assert answer.status == 303
    assert answer.headers["Location"] == "/desk/events/?period=past&author=me"
    page = browser.get("/events/?author=me&period=past")
    assert links_of(page)["Früher"] == "period=past&author=me"
    assert page.tree.xpath("//*[@id='filter-views']//a[@aria-current]/span[1]/text()") == ["Früher"]


@pytest.mark.parametrize("name", ["author", "admin"])
def test_views_of_a_user_are_nobody_elses(desk, name):
    browser, other = desk(), desk(name)
    save(browser, "Nur meine")
    assert "Nur meine" not in other.get("/events/").text
    assert "Nur meine" not in other.get(VIEWS).text
    assert change(other, "rename", "Nur meine", "Seine").status == 400
    change(other, "remove", "Nur meine")
    assert "Nur meine" in links_of(browser.get("/events/"))


@pytest.mark.parametrize("name", ["", "   ", "x" * 61, "zwei\nZeilen", "\x00"])
def test_wrong_name_is_refused_beside_its_field(desk, name):
    browser = desk()
    page = save(browser, name)
    assert page.status == 400
    assert page.tree.xpath("//input[@name='name']/@aria-invalid") == ["true"]
    assert page.tree.xpath("//input[@name='query']/@value") == ["lacks=place"]
    assert "Keine" not in links_of(browser.get("/events/"))


def test_name_of_sixty_characters_is_taken(desk):
    browser = desk()
    assert save(browser, "ü" * 60).status == 303
    assert "ü" * 60 in links_of(browser.get("/events/"))


def test_name_is_text_and_no_markup(desk):
    browser = desk()
    save(browser, "<b>Fett</b>")
    assert "<b>Fett</b>" in links_of(browser.get("/events/"))
    assert browser.get(VIEWS).tree.xpath("//input[@name='view']/@value") == ["<b>Fett</b>"]


def test_name_that_is_taken_replaces_no_view(desk):
    browser = desk()
    save(browser, "Eine", "lacks=place")
    assert save(browser, "Eine", "lacks=picture").status == 400
    assert links_of(browser.get("/events/"))["Eine"] == "lacks=place"


def test_twenty_views_are_the_most(desk):
    browser = desk()
    for number in range(20):
        assert save(browser, f"Ansicht {number}").status == 303
    page = save(browser, "Ansicht 20")
    assert page.status == 400
    assert "20" in page.text
    change(browser, "remove", "Ansicht 3")
    assert save(browser, "Ansicht 20").status == 303


def test_filters_that_are_too_long_are_not_saved(desk):
    browser = desk()
    assert save(browser, "Lang", f"search={'x' * 5000}").status == 400
    assert "Lang" not in links_of(browser.get("/events/"))


def test_view_is_renamed_and_removed(desk):
    browser = desk()
    save(browser, "Eine")
    save(browser, "Andere", "lacks=picture")
    assert change(browser, "rename", "Eine", "Erste").status == 303
    saved = list(links_of(browser.get("/events/")).items())[-2:]
    assert saved == [("Erste", "lacks=place"), ("Andere", "lacks=picture")]
    change(browser, "remove", "Erste")
    assert list(links_of(browser.get("/events/")))[-1:] == ["Andere"]
    assert "Erste" not in links_of(browser.get("/events/"))


@pytest.mark.parametrize(
    ("view", "name"), [("Eine", ""), ("Eine", "x" * 61), ("Eine", "Andere"), ("Keine", "Neu")]
)
def test_wrong_renaming_changes_nothing(desk, view, name):
    browser = desk()
    save(browser, "Eine")
    save(browser, "Andere")
    page = change(browser, "rename", view, name)
    assert page.status == 400
    assert page.tree.xpath("//*[@class='field-problem' or @class='problem']")
    assert list(links_of(browser.get("/events/")))[-2:] == ["Eine", "Andere"]


def test_saved_author_is_whoever_looks(desk, drafts):
    del drafts
    editor = desk()
    save(editor, "Von mir", "author=me&status=draft")
    assert titles(editor.get(f"/events/?{links_of(editor.get('/events/'))['Von mir']}")) == ["Mine"]
