"""The table of events equals the list of the interface, and edits several events at once."""

import pytest


def titles(page):
    return [
        link.text_content().strip() for link in page.tree.xpath("//tbody//td[@class='title']/a")
    ]


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
    assert page.tree.xpath("//tbody//td[@class='title']/a/@href") == [f"/desk/events/{number}"]
    targets = page.tree.xpath("//tbody//td[@class='spoken-in']/a/@href")
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
    select(browser, "/events/?status=publish", action="add_tag", tag="1291")
    event = as_editor.get(f"/events/{number}").json
    assert [term["id"] for term in event["categories"]] == [category]
    assert {term["name"] for term in event["tags"]} == {"first", "1291"}


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


def apply(browser, *ids, **fields):
    """Apply an action to events by their ids, and return the notices of the next page."""
    sent = {"csrf_token": browser.token(), "id": list(map(str, ids)), **fields}
    assert browser.post("/events/several", **sent).status == 303
    return [each.text.strip() for each in notices(browser.get("/events/"))]


def notices(page):
    return page.tree.xpath("//*[contains(@class, 'notice')]/p")


@pytest.mark.parametrize("action", ["publish", "trash", "restore", "add_tag"])
def test_hidden_events_are_as_ones_that_do_not_exist(desk, as_editor, events, action):
    as_editor.delete(f"/events/{events['pending']}")
    hidden = [events["draft"], events["private"], events["pending"]]
    browser = desk("contributor")
    notices_of = [apply(browser, each, action=action, tag="new") for each in (*hidden, 9999)]

    assert notices_of == [
        [f"Nicht geändert: {number}. Das gibt es nicht mehr."] for number in (*hidden, 9999)
    ]


@pytest.mark.parametrize(("action", "state"), [("publish", "publish"), ("restore", "draft")])
def test_what_stays_as_it_is_does_not_count_as_changed(desk, events, action, state):
    browser = desk()
    assert apply(browser, events[state], action=action) == ["Es war nichts zu ändern."]
    assert apply(browser, events["publish"], events["pending"], action="publish") == [
        "Geändert: 1."
    ]


@pytest.mark.parametrize(("name", "is_created"), [("author", False), ("editor", True)])
def test_new_tag_needs_the_right_to_create_one(desk, calling_as, make_event, name, is_created):
    event = make_event(by=calling_as(name))["id"]
    apply(desk(name), event, action="add_tag", tag="unheard of")
    tags = calling_as(name).get("/tags", hide_empty=False).json["tags"]
    assert [tag["name"] for tag in tags] == ["unheard of"] * is_created


def test_category_that_does_not_exist_is_said_so(desk, make_event, as_author):
    event = make_event(by=as_author)["id"]
    [notice] = apply(desk("author"), event, action="add_category", category="9999")
    assert "9999" in notice


@pytest.mark.parametrize("several", [True, False])
@pytest.mark.parametrize("case", [("contributor", "pending"), ("editor", "private")])
def test_many_come_back_from_the_trash_as_one_does(desk, calling_as, make_event, several, case):
    name, before = case
    caller, browser = calling_as(name), desk(name)
    event = make_event(by=caller, status=before)["id"]
    caller.delete(f"/events/{event}")
    if several:
        apply(browser, event, action="restore")
    else:
        browser.post(f"/events/{event}/take-back", csrf_token=browser.token())
    assert caller.get(f"/events/{event}").json["status"] == before


def test_publishing_many_publishes_their_drafts_of_venues_as_publishing_one_does(
    desk, make_event, make_venue, as_editor
):
    venue = make_venue(by=as_editor, status="draft")["id"]
    event = make_event(by=as_editor, venue=venue, status="draft")["id"]
    apply(desk(), event, action="publish")
    assert as_editor.get(f"/venues/{venue}").json["status"] == "publish"


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


def undo(browser, path="/events/"):
    """Undo the last action with the button of its notice; return the notices after that."""
    [form] = browser.get(path).tree.xpath("//form[contains(@action, '/undo')]")
    answer = browser.post("/undo", **dict(form.form_values()))
    page = browser.get(answer.headers["Location"])
    return [each.text.strip() for each in notices(page)]


def states_of(api, events):
    return {state: api.get(f"/events/{number}").json["status"] for state, number in events.items()}


@pytest.mark.parametrize("action", ["publish", "draft", "trash", "call_off", "add_tag"])
def test_undo_brings_back_what_was_before(desk, as_editor, events, action):
    def stored_fields():
        # A draft that had no address keeps the one that it got.
        own = () if action == "publish" else ("slug",)
        fields = ("status", "event_status", "tags", "title", "date", *own)
        stored = [as_editor.get(f"/events/{number}").json for number in events.values()]
        return [{name: event[name] for name in fields} for event in stored]

    before, browser = stored_fields(), desk()
    select(browser, action=action, tag="new")
    [notice] = undo(browser)
    assert notice.startswith("Wieder wie vorher: ")
    assert stored_fields() == before


def test_undo_of_a_restore_is_the_trash(desk, as_editor, events):
    as_editor.delete(f"/events/{events['draft']}")
    browser = desk()
    select(browser, "/events/?status=trash", action="restore")
    assert undo(browser) == ["Wieder wie vorher: 1."]
    assert tab_numbers(browser.get("/events/"))["Papierkorb"] == 1


def test_undo_leaves_what_somebody_changed_since(desk, as_editor, events):
    browser = desk()
    select(browser, action="draft")
    as_editor.post(f"/events/{events['private']}", title="Anders", status="pending")
    assert undo(browser) == [
        "Wieder wie vorher: 2.",
        "Nicht geändert: Anders. Jemand hat es seither geändert.",
    ]
    after = states_of(as_editor, events)
    assert after == {s: s for s in events} | {"private": "pending"}


def test_nobody_undoes_what_another_did(desk, as_editor, events):
    browser = desk()
    select(browser, action="draft")
    [form] = browser.get("/events/").tree.xpath("//form[contains(@action, '/undo')]")
    admin = desk("admin")
    sent = {**dict(form.form_values()), "csrf_token": admin.token()}
    admin.post("/undo", **sent)
    assert set(states_of(as_editor, events).values()) == {"draft"}


def test_all_that_match_are_changed_on_every_page(desk, as_editor, events):
    browser = desk()
    query = "status=draft,pending&per_page=1"
    browser.post(
        "/events/several", csrf_token=browser.token(), query=query, all="1", action="publish"
    )
    assert states_of(as_editor, events) == {
        "publish": "publish",
        "draft": "publish",
        "pending": "publish",
        "private": "private",
    }


def test_filters_that_are_refused_match_nothing(desk, as_editor, events):
    browser = desk()
    query = "status=draft&start_date=junk"
    browser.post(
        "/events/several", csrf_token=browser.token(), query=query, all="1", action="trash"
    )
    assert states_of(as_editor, events) == {s: s for s in events}


@pytest.mark.parametrize(
    ("query", "order"),
    [
        ("orderby=title&order=desc", ["C", "B", "A"]),
        ("orderby=title&order=asc", ["A", "B", "C"]),
        ("", ["B", "A", "C"]),
        ("order=desc", ["C", "A", "B"]),
        ("orderby=modified&order=desc", ["B", "C", "A"]),
    ],
)
def test_columns_sort_the_table(desk, make_event, query, order):
    for title, number in (("A", 2), ("C", 3), ("B", 1)):
        day = f"2031-05-0{number}"
        make_event(title=title, start_date=f"{day} 19:00:00", end_date=f"{day} 20:00:00")
    page = desk().get(f"/events/?{query}")
    assert titles(page) == order
    column = "title" if "title" in query else "modified" if "modified" in query else "start_date"
    links = page.tree.xpath("//th[@aria-sort]/a/@href")
    assert [f"orderby={column}" in link for link in links] == [True]


@pytest.mark.parametrize(
    ("lacks", "expected"),
    [("picture", ["A", "B"]), ("place", ["A"]), ("rm", ["A"]), ("de", []), ("nothing", ["A", "B"])],
)
def test_table_lists_what_lacks_something(desk, make_event, make_venue, lacks, expected):
    make_event(title="A")
    make_event(title="B", venue=make_venue()["id"], variants={"rm": {"title": "B"}})
    assert titles(desk().get(f"/events/?lacks={lacks}")) == expected


def test_search_that_finds_nothing_can_be_cleared(desk):
    page = desk("editor").get("/events/?search=zzzzq&period=all")
    [link] = page.tree.xpath("//main//*[contains(@class, 'empty')]//a[contains(@class, 'button')]")
    assert "search=zzzzq" not in link.get("href")
    assert "period=all" in link.get("href")


@pytest.mark.parametrize(
    ("start", "end", "period"),
    [
        ("yesterday 20:00", "yesterday 22:00", "past"),
        ("yesterday 20:00", "today 01:00", "past"),
        ("yesterday 20:00", "today 07:00", "upcoming"),
        ("today 00:00", "today 00:30", "upcoming"),
        ("today 23:00", "today 23:59", "upcoming"),
        ("tomorrow 08:00", "tomorrow 09:00", "upcoming"),
    ],
)
def test_events_of_today_are_upcoming_and_no_event_is_in_both(desk, as_admin, start, end, period):
    as_admin.post("/events", title="Concert", start_date=start, end_date=end, status="publish")
    browser = desk("editor")
    listed = {each: titles(browser.get(f"/events/?period={each}")) for each in ("upcoming", "past")}
    assert listed == {"upcoming": [], "past": []} | {period: ["Concert"]}
    if period == "upcoming":
        assert titles(browser.get("/events/")) == ["Concert"]


def test_whole_day_of_yesterday_is_past(desk, as_admin):
    as_admin.post(
        "/events",
        title="Fair",
        start_date="yesterday",
        end_date="yesterday",
        all_day=True,
        status="publish",
    )
    browser = desk("editor")
    assert titles(browser.get("/events/?period=past")) == ["Fair"]
    assert titles(browser.get("/events/")) == []
