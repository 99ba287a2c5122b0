"""Keepers of a source edit its events at the desk, and see no others that are hidden from them."""

import pytest

AUTHOR, CONTRIBUTOR = 3, 4
CONCERT = {
    "title": "Concert",
    "start_date": "2030-03-01 19:00:00",
    "end_date": "2030-03-01 21:00:00",
    "venue": {"venue": "Hall"},
}


@pytest.fixture
def push(as_admin):
    """Return a function that sends an event to a source of this name; it returns the id."""

    def pushing(name, keeper, status="draft", **changes):
        settings = {"name": name, "kind": "push", "status": status, "keepers": [keeper]}
        source = as_admin.post("/sources", **settings).json["id"]
        answer = as_admin.put(f"/events/by-source/{source}/1", **{**CONCERT, **changes})
        assert answer.status_code == 201, answer.json
        return answer.json["id"]

    return pushing


@pytest.fixture
def keeper(desk):
    return desk("contributor")


def links(page, path):
    return set(page.tree.xpath(f"//main//a/@href[starts-with(., '/desk{path}')]"))


def test_table_shows_the_drafts_of_own_sources_alone(push, keeper):
    own, other = push("Club", CONTRIBUTOR), push("Town", AUTHOR, title="Matinee")
    page = keeper.get("/events/", query_string={"status": "draft"})
    assert f"/desk/events/{own}" in links(page, "/events/")
    assert f"/desk/events/{other}" not in links(page, "/events/")
    assert "Matinee" not in page.text
    assert "Matinee" not in keeper.get("/events/", query_string={"search": "matinee"}).tree.xpath(
        "string(//main//table)"
    )


def test_keeper_publishes_by_the_form(push, keeper, anyone, desk):
    event = push("Club", CONTRIBUTOR)
    page = keeper.get(f"/events/{event}")
    assert page.tree.xpath("//button[@value='publish']")
    assert not page.tree.xpath("//select[@name='author']")
    assert keeper.send(f"/events/{event}", button="publish").status == 303
    assert anyone.get(f"/events/{event}").json["status"] == "publish"
    assert desk("author").get(f"/events/{event}").status == 403
    assert not keeper.get("/events/new").tree.xpath("//button[@value='publish']")


def test_keeper_trashes_an_event_and_takes_it_back(push, keeper, as_admin):
    event = push("Club", CONTRIBUTOR, status="publish")
    assert keeper.post(f"/events/{event}/trash", csrf_token=keeper.token()).status == 303
    restoring = f"//form[@action='/desk/trash/events/{event}']"
    assert keeper.get("/trash/").tree.xpath(restoring)
    assert keeper.post(f"/trash/events/{event}", csrf_token=keeper.token()).status == 303
    assert as_admin.get(f"/events/{event}").json["status"] == "publish"


def test_several_events_at_once_are_those_of_own_sources(push, keeper, as_admin):
    own, other = push("Club", CONTRIBUTOR), push("Town", AUTHOR)
    sent = {"csrf_token": keeper.token(), "id": [str(own), str(other)], "action": "publish"}
    keeper.post("/events/several", **sent)
    assert as_admin.get(f"/events/{own}").json["status"] == "publish"
    assert as_admin.get(f"/events/{other}").json["status"] == "draft"


def test_history_names_the_keeper(push, keeper):
    event = push("Club", CONTRIBUTOR)
    keeper.send(f"/events/{event}", button="publish")
    assert "contributor" in keeper.get(f"/events/{event}/history").tree.xpath("string(//main)")


# The inbox


def number(browser):
    """Return the number beside the inbox in the menu; ``None`` without an inbox."""
    entries = browser.get("/me/").tree.xpath("//nav//a[@href='/desk/queue/']")
    return entries[0].xpath("string(span[@class='count'])") if entries else None


@pytest.fixture
def waiting(push, as_contributor2):
    """Return the ids of pending events: of an own source, of another one, and of somebody."""
    own = push("Club", CONTRIBUTOR, status="pending")
    other = push("Town", AUTHOR, status="pending", title="Concert in town")
    somebody = as_contributor2.post("/events", **CONCERT | {"title": "Matinee"}, status="pending")
    return own, other, somebody.json["id"]


def test_inbox_shows_keepers_what_waits_of_their_sources(waiting, keeper, desk):
    own, *others = waiting
    page = keeper.get("/queue/")
    assert f"/desk/queue/{own}" in links(page, "/queue/")
    assert not links(page, "/queue/") & {f"/desk/queue/{each}" for each in others}
    assert [number(each) for each in (keeper, desk("contributor2"))] == ["1", None]
    assert desk("contributor2").get("/queue/").status == 403
    # Venues wait too, and are none of theirs.
    assert int(number(desk())) > 3


def test_inbox_hides_similar_events_of_other_sources(waiting, keeper, desk):
    own, *_ = waiting
    for path in ("/queue/", f"/queue/{own}", "/"):
        assert "Concert in town" not in keeper.get(path).text
        assert "Matinee" not in keeper.get(path).text
    assert "Concert in town" in desk().get(f"/queue/{own}").text


def test_keeper_decides_in_the_inbox_on_own_sources_alone(waiting, keeper, anyone):
    own, *others = waiting
    for each in (*others, 4711):
        assert keeper.get(f"/queue/{each}").status == 403
        sent = {"csrf_token": keeper.token(), "revision": "1"}
        assert keeper.post(f"/queue/{each}/publish", **sent).status == 403
    assert keeper.send(f"/queue/{own}", "/publish").status == 303
    assert anyone.get(f"/events/{own}").json["status"] == "publish"
    assert number(keeper) == ""


# Translations


def test_translations_that_wait_are_those_of_own_sources(push, keeper, desk):
    push("Club", CONTRIBUTOR)
    push("Town", AUTHOR, title="Matinee")

    def missing(browser):
        page = browser.get("/translations/", query_string={"language": "rm"})
        row = page.tree.xpath("//table[contains(@class, 'standings')]/tbody/tr")[0]
        return row.xpath("string(td[2]/a)")[:1]

    assert missing(keeper) == missing(desk("author")) == "1"
    assert missing(desk("contributor2")) == ""
    assert missing(desk()) == "2"
