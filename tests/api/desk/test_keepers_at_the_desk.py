"""Keepers of a source at the desk: their own sources, their reports, and nothing of others."""

import io

import pytest
from calendars import calendar, vevent
from desking import form_of, values_of
from serving import wait_for

AUTHOR, CONTRIBUTOR, SUBSCRIBER = 3, 4, 5
CLUB = {"name": "Club", "kind": "ics", "address": "", "status": "publish"}
ELSEWHERE = {"name": "Town", "kind": "ics", "address": "https://town.example.org/all.ics"}


@pytest.fixture
def club(as_admin):
    """Return the path of a contributor's source, beside a source without a keeper."""
    as_admin.post("/sources", **ELSEWHERE)
    number = as_admin.post("/sources", **CLUB, keepers=[CONTRIBUTOR]).json["id"]
    return f"/sources/{number}"


@pytest.fixture
def keeper(desk):
    return desk("contributor")


def menu(page):
    return page.tree.xpath("//nav//a[@href='/desk/sources/']")


@pytest.mark.usefixtures("club")
def test_keepers_find_their_sources_in_the_menu(desk, keeper):
    page = keeper.get("/sources/")
    assert menu(page)
    assert "Club" in page.text
    assert "Town" not in page.text
    assert not page.tree.xpath("//a[contains(@href, '/sources/new')]")
    other = desk("contributor2")
    assert not menu(other.get("/events/"))
    assert other.get("/sources/").status == 403


def test_keeper_reads_a_file_and_sees_its_report(keeper, club, anyone):
    content = calendar(vevent("1@club", title="Choir", start="20300301T190000")).encode()
    file = (io.BytesIO(content), "club.ics")
    assert keeper.post(f"{club}/read", csrf_token=keeper.token(), file=file).status == 303
    wait_for(lambda: not keeper.get(f"{club}/progress").answer.json["open"])
    page = keeper.get(club)
    (report,) = page.tree.xpath("//a[contains(@href, '/readings/')]/@href")
    assert "Choir" in keeper.get(report.removeprefix("/desk")).text
    assert anyone.get("/events", start_date="2030-01-01").json["total"] == 1
    assert not page.tree.xpath("//a[contains(@href, '/settings') or contains(@href, '/delete')]")


def test_keeper_sends_no_file_in_place_of_an_address(keeper, as_admin, club):
    number = club.rpartition("/")[2]
    as_admin.put(f"/sources/{number}", address="https://club.example.org/all.ics")
    file = (io.BytesIO(b"BEGIN:VCALENDAR"), "club.ics")
    keeper.post(f"{club}/read", csrf_token=keeper.token(), file=file)
    assert as_admin.get(f"/sources/{number}/readings").json["total"] == 0


def chosen(page):
    return page.tree.xpath("//input[@name='keepers'][@checked]/@value")


def test_administrators_choose_keepers(desk, as_admin, club):
    admin, form = desk("admin"), f"{club}/settings"
    page = admin.get(form)
    assert chosen(page) == [str(CONTRIBUTOR)]
    offered = page.tree.xpath("//input[@name='keepers']/@value")
    assert str(AUTHOR) in offered
    assert str(SUBSCRIBER) not in offered
    assert admin.send(form, keepers=[str(AUTHOR), str(CONTRIBUTOR)]).status == 303
    assert as_admin.get(club).json["keepers"] == [AUTHOR, CONTRIBUTOR]
    assert admin.send(form, keepers=[]).status == 303
    assert as_admin.get(club).json["keepers"] == []


def test_a_keeper_who_may_keep_no_more_is_listed_until_removed(desk, as_admin, club):
    as_admin.put(f"/users/{CONTRIBUTOR}", role="subscriber")
    admin, form = desk("admin"), f"{club}/settings"
    assert chosen(admin.get(form)) == [str(CONTRIBUTOR)]
    assert admin.send(form, vanished="cancel").status == 303
    assert as_admin.get(club).json["keepers"] == [CONTRIBUTOR]


def test_editors_see_the_keepers_and_choose_none(desk, as_admin, club):
    editor = desk("editor")
    for path in (club, f"{club}/settings"):
        assert "contributor" in editor.get(path).tree.text_content()
    assert not editor.get(f"{club}/settings").tree.xpath("//input[@name='keepers']")
    assert editor.send(f"{club}/settings", keepers=[], vanished="cancel").status == 303
    assert as_admin.get(club).json["keepers"] == [CONTRIBUTOR]
    assert as_admin.get(club).json["vanished"] == "cancel"


STRANGE = vevent("1@club", "CATEGORIES:Concert,Strange", title="Choir", start="20300301T190000")


@pytest.fixture
def unknown(keeper, club):
    """Return the address of the words of a source that brought two unknown ones."""
    file = (io.BytesIO(calendar(STRANGE).encode()), "club.ics")
    keeper.post(f"{club}/read", csrf_token=keeper.token(), file=file)
    wait_for(lambda: not keeper.get(f"{club}/progress").answer.json["open"])
    return f"{club}/words"


def test_keeper_says_what_words_mean(keeper, as_admin, club, unknown):
    music = as_admin.post("/categories", name="Music").json["id"]
    (link,) = keeper.get(club).tree.xpath("//main//p/a[contains(@href, '/words')]/@href")
    assert link == f"/desk{unknown}"
    page = keeper.get(unknown)
    assert page.tree.xpath("//input[@name='terms.categories.word']/@value") == [
        "Concert",
        "Strange",
    ]
    assert not page.tree.xpath("//*[@name='status' or @name='address' or @name='unknown_terms']")
    sent = {"terms.categories.term": [str(music), "0"], "status": "draft", "address": "https://a/"}
    assert keeper.send(unknown, **sent).status == 303
    source = as_admin.get(club).json
    assert source["terms"]["categories"] == {"Concert": music, "Strange": 0}
    assert (source["status"], source["address"]) == ("publish", "")


def test_keeper_makes_no_term_without_the_right(keeper, as_admin, club, unknown):
    assert not keeper.get(unknown).tree.xpath("//option[@value='new']")
    assert keeper.send(unknown, **{"terms.categories.term": ["new", "0"]}).status == 403
    assert as_admin.get("/categories", hide_empty="false").json["total"] == 0
    assert as_admin.get(club).json["terms"] == {}


def test_words_that_two_people_map_at_once_are_asked_again(keeper, as_admin, club, unknown):
    sent = values_of(form_of(keeper.get(unknown))) | {"terms.categories.term": ["0", "0"]}
    as_admin.put(club, terms={"categories": {"Strange": 0}})
    assert keeper.post(unknown, **sent).status == 412


@pytest.mark.parametrize("page", ["/settings", "/delete"])
def test_settings_are_for_editors(keeper, club, page):
    assert keeper.get(f"{club}{page}").status == 403


@pytest.fixture
def push(as_admin):
    """Return a function that adds a source with the same event as others; it returns its id."""
    sent = {"title": "Summer concert", "venue": {"venue": "Hall"}}
    sent |= {"start_date": "2030-03-01 19:00:00", "end_date": "2030-03-01 21:00:00"}

    def pushing(name, **settings):
        values = {"name": name, "kind": "push", "status": "publish"} | settings
        source = as_admin.post("/sources", **values).json["id"]
        return as_admin.put(f"/events/by-source/{source}/1", **sent).json["id"]

    return pushing


DOUBLES = "/sources/doubles/"


def test_keeper_decides_on_doubles_at_the_desk(push, keeper, as_admin):
    ids = push("Choir", keepers=[CONTRIBUTOR]), push("Village")
    number = "{}-{}".format(*ids)
    assert keeper.get("/sources/").tree.xpath(f"//a[@href='/desk{DOUBLES}']")
    page = keeper.get(DOUBLES)
    assert page.tree.xpath("//input[@name='id']/@value") == [number]
    assert page.tree.xpath("//td//a/@href[contains(., '/events/')]") == [f"/desk/events/{ids[0]}"]
    sent = {"csrf_token": keeper.token(), "id": number}
    keeper.post(DOUBLES, **sent, action="same")
    assert "Quelle" in keeper.get(DOUBLES).text
    assert as_admin.get("/sources/doubles").json["total"] == 1
    keeper.post(DOUBLES, **sent, action="different")
    assert as_admin.get("/sources/doubles").json["total"] == 0
    keeper.post(f"{DOUBLES}undo", csrf_token=keeper.token(), ids=number)
    assert as_admin.get("/sources/doubles").json["total"] == 1


def test_keeper_takes_a_union_back_whose_sources_are_kept(push, keeper, as_admin):
    ids = [push("Choir", keepers=[CONTRIBUTOR]), push("Village", keepers=[CONTRIBUTOR])]
    number = "{}-{}".format(*ids)
    token = keeper.token()
    keeper.post(DOUBLES, csrf_token=token, id=number, action="same")
    assert as_admin.get(f"/events/{ids[1]}").status_code == 301
    keeper.post(f"{DOUBLES}undo", csrf_token=token, ids=number)
    assert [as_admin.get(f"/events/{each}").json["status"] for each in ids] == ["publish"] * 2
    assert as_admin.get("/sources/doubles").json["total"] == 1


def test_keeper_takes_no_union_with_a_source_of_others_back(push, keeper, as_admin):
    ids = push("Choir", keepers=[CONTRIBUTOR]), push("Village")
    number = "{}-{}".format(*ids)
    as_admin.post(f"/sources/doubles/{number}", decision="unite")
    keeper.post(f"{DOUBLES}undo", csrf_token=keeper.token(), ids=number)
    assert as_admin.get(f"/events/{ids[1]}").status_code == 301


def test_doubles_of_others_are_not_at_the_desk_of_a_keeper(push, keeper, desk, as_admin, club):
    ids = push("Choir"), push("Village")
    assert as_admin.get(club).status_code == 200
    assert not keeper.get("/sources/").tree.xpath(f"//a[@href='/desk{DOUBLES}']")
    assert not keeper.get(DOUBLES).tree.xpath("//input[@name='id']")
    keeper.post(DOUBLES, csrf_token=keeper.token(), id="{}-{}".format(*ids), action="different")
    assert as_admin.get("/sources/doubles").json["total"] == 1
    assert desk("contributor2").get(DOUBLES).status == 403


@pytest.mark.usefixtures("club")
@pytest.mark.parametrize("page", ["", "/words", "/progress", "/readings/none", "/register"])
def test_sources_of_others_look_like_none(keeper, page):
    assert (
        keeper.get(f"/sources/1{page}").status == keeper.get(f"/sources/4711{page}").status == 403
    )
