"""The table of events shows what the list of the interface has, and changes several at once."""

import pytest


def titles(page):
    return [link.text_content().strip() for link in page.tree.xpath("//tbody/tr/td[2]/a")]


def tab_numbers(page):
    tabs = page.tree.xpath("//nav[contains(@class, 'tabs')]/a")
    return {tab.text.strip(): int(tab.xpath("span")[0].text) for tab in tabs}


def select(browser, path="/events/", **fields):
    """Apply an action to all events of a page, as its form does."""
    page = browser.get(path)
    [form] = page.tree.xpath("//form[contains(@action, '/several')]")
    ids = page.tree.xpath("//input[@name='id']/@value")
    return browser.post("/events/several", **{**dict(form.form_values()), **fields, "id": ids})


@pytest.fixture
def events(as_editor):
    """Create an event in each of some states."""
    states = ("publish", "draft", "pending", "private")
    return {
        state: as_editor.post(
            "/events",
            title=f"In {state}",
            start_date="2030-05-01 19:00:00",
            end_date="2030-05-01 21:00:00",
            status=state,
        ).json["id"]
        for state in states
    }


@pytest.mark.usefixtures("events")
def test_every_state_is_a_tab_with_its_number(desk):
    numbers = tab_numbers(desk().get("/events/"))
    assert numbers == {
        "Alle": 4,
        "Veröffentlicht": 1,
        "Geplant": 0,
        "Entwürfe": 1,
        "Zu prüfen": 1,
        "Privat": 1,
        "Papierkorb": 0,
    }


@pytest.mark.usefixtures("events")
def test_tab_lists_the_events_of_its_state_alone(desk):
    assert titles(desk().get("/events/?status=draft")) == ["In draft"]


@pytest.mark.usefixtures("events")
def test_search_and_numbers_of_tabs_agree(desk):
    page = desk().get("/events/?search=pending")
    assert titles(page) == ["In pending"]
    assert tab_numbers(page)["Alle"] == 1


def test_past_events_are_a_choice_away(desk, as_editor):
    as_editor.post(
        "/events",
        title="Long ago",
        start_date="2001-05-01 19:00:00",
        end_date="2001-05-01 21:00:00",
    )
    browser = desk()
    assert titles(browser.get("/events/")) == []
    assert titles(browser.get("/events/?period=past")) == ["Long ago"]
    assert titles(browser.get("/events/?period=all")) == ["Long ago"]


@pytest.mark.usefixtures("events")
def test_contributor_sees_no_drafts_of_others(desk):
    assert titles(desk("contributor").get("/events/?status=draft")) == []


def test_row_leads_to_the_form_and_to_each_translation(desk, events):
    page = desk().get("/events/?status=publish")
    number = events["publish"]
    assert page.tree.xpath("//tbody//td[2]/a/@href") == [f"/desk/events/{number}"]
    targets = page.tree.xpath("//tbody//td[@class='languages']/a/@href")
    assert f"/desk/events/{number}/translate/rm" in targets


def test_junk_filters_are_named(desk):
    page = desk().get("/events/?categories=nothing-of-the-kind&start_date=junk")
    assert page.status == 400
    assert "start_date" in page.text


def test_several_events_are_published_at_once(desk, as_editor, events):
    browser = desk()
    answer = select(browser, "/events/?status=draft,pending", action="publish")
    assert answer.status == 303
    assert answer.headers["Location"] == "/desk/events/?status=draft%2Cpending"
    states = {as_editor.get(f"/events/{events[s]}").json["status"] for s in ("draft", "pending")}
    assert states == {"publish"}
    assert "Geändert: 2" in browser.get("/events/").text


def test_trash_and_restore_bring_back_the_former_states(desk, as_editor, events):
    browser = desk()
    select(browser, action="trash")
    assert tab_numbers(browser.get("/events/"))["Papierkorb"] == 4
    select(browser, "/events/?status=trash", action="restore")
    assert {s: as_editor.get(f"/events/{i}").json["status"] for s, i in events.items()} == {
        state: state for state in events
    }


def test_category_and_tag_are_added_beside_the_others(desk, as_editor, events):
    category = as_editor.post("/categories", name="Music").json["id"]
    number = events["publish"]
    as_editor.post(f"/events/{number}", tags=["first"])
    browser = desk()
    select(browser, "/events/?status=publish", action="add_category", category=str(category))
    select(browser, "/events/?status=publish", action="add_tag", tag="second")
    event = as_editor.get(f"/events/{number}").json
    assert [term["id"] for term in event["categories"]] == [category]
    assert {term["name"] for term in event["tags"]} == {"first", "second"}


def test_what_is_refused_is_said_with_its_title(desk, as_editor, events):
    browser = desk("contributor")
    answer = browser.post(
        "/events/several", csrf_token=browser.token(), id=str(events["publish"]), action="trash"
    )
    assert answer.status == 303
    assert "Nicht geändert: In publish." in browser.get("/events/").text
    assert as_editor.get(f"/events/{events['publish']}").json["status"] == "publish"


@pytest.mark.parametrize("action", ["", "publish-all", "add_category"])
def test_unknown_action_changes_nothing(desk, events, as_editor, action):
    browser = desk()
    browser.post(
        "/events/several", csrf_token=browser.token(), id=str(events["draft"]), action=action
    )
    assert "Wählen Sie" in browser.get("/events/").text
    assert as_editor.get(f"/events/{events['draft']}").json["status"] == "draft"


def test_coming_week_has_a_list_for_each_of_its_days(desk, as_editor, clock):
    first = clock().date()
    as_editor.post(
        "/events",
        title="Today",
        start_date=f"{first} 12:00:00",
        end_date=f"{first} 13:00:00",
        status="draft",
    )
    page = desk().get("/events/week")
    assert len(page.tree.xpath("//ol[contains(@class, 'week')]/li")) == 7
    assert "Today" in page.text
