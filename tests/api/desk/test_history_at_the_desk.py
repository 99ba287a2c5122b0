"""The history at the desk names the author of each save, compares states and restores them."""

import pytest


@pytest.fixture
def edited(make_event, as_editor, clock):
    """Return the path of an event that an editor changed an hour after its creation."""
    event = make_event(title="Konzert", description="<p>Ein langer Abend mit Musik.</p>")
    clock.advance(hours=1)
    as_editor.patch(
        f"/events/{event['id']}",
        title="Lesung",
        description="<p>Ein kurzer Abend mit Musik.</p>",
        event_status="canceled",
        categories=["Literatur"],
    )
    return f"/events/{event['id']}"


ENGLISH = {"Accept-Language": "en"}


def text_of(page, path="//main"):
    return " ".join(page.tree.xpath(f"string({path})").split())


def test_saves_are_told_in_plain_words(desk, edited):
    page = desk("editor").get(f"{edited}/history", ENGLISH)
    latest, first = (
        " ".join(each.text_content().split())
        for each in page.tree.xpath("//li[contains(@class, 'save')]")
    )

    assert "editor changed: " in latest
    assert "Title de" in latest
    assert "Categories" in latest
    assert "by the interface" in latest
    assert "admin created it" in first


def test_a_state_shows_word_by_word_what_its_save_changed(desk, edited):
    page = desk("editor").get(f"{edited}/history/2", ENGLISH)
    own = "//section[@aria-labelledby='own-heading']"

    assert "langer" in [text.strip() for text in page.tree.xpath(f"{own}//del/text()")]
    assert "kurzer" in [text.strip() for text in page.tree.xpath(f"{own}//ins/text()")]
    assert "Called off" in text_of(page, own)
    assert "Literatur" in text_of(page, own)


def test_going_back_takes_one_press(desk, edited, as_admin):
    browser = desk("author")
    assert browser.get(f"{edited}/history", ENGLISH).status == 403
    browser = desk("editor")
    answer = browser.send(f"{edited}/history/1", action="/history/1/restore")

    assert answer.status == 303
    assert as_admin.get(edited).json["title"] == "Konzert"
    assert "restored to its state of" in text_of(browser.get(f"{edited}/history", ENGLISH))
    assert as_admin.get(f"{edited}/history").json["history"][0]["door"] == "desk"


def test_a_save_meanwhile_stops_the_way_back(desk, edited, as_admin):
    browser = desk("editor")
    token = browser.token()
    as_admin.patch(edited, title="Später")
    browser.post(f"{edited}/history/1/restore", csrf_token=token, revision="2")

    assert as_admin.get(edited).json["title"] == "Später"
    assert "changed since" in text_of(browser.get(f"{edited}/history", ENGLISH))


@pytest.mark.parametrize("name", ["events", "venues", "organizers", "categories", "tags"])
def test_every_kind_has_its_history(desk, as_admin, edited, name):
    record = as_admin.get(edited).json
    venue = as_admin.post("/venues", venue="Saal", geo_lat=46.8, geo_lng=9.5).json["id"]
    as_admin.patch(f"/venues/{venue}", geo_lat=46.9, geo_lng=9.6, city="Chur")
    organizer = as_admin.post("/organizers", organizer="Verein").json["id"]
    tag = as_admin.post("/tags", name="frei").json["id"]
    ids = {
        "events": record["id"],
        "venues": venue,
        "organizers": organizer,
        "categories": record["categories"][0]["id"],
        "tags": tag,
    }
    browser = desk("editor")
    assert browser.get(f"/{name}/{ids[name]}/history", ENGLISH).status == 200
    assert browser.get(f"/{name}/{ids[name]}/history/1", ENGLISH).status == 200
    assert browser.get(f"/{name}/99999/history", ENGLISH).status == 404
    assert browser.get(f"/{name}/{ids[name]}/history/99", ENGLISH).status == 404


@pytest.mark.without_mongodb
def test_unknown_event_is_named_by_its_number(desk):
    page = desk("editor").get("/events/99999", ENGLISH)
    assert (page.status, "Event with ID 99999 does not exist." in page.text) == (404, True)


def test_a_series_tells_its_rule(desk, as_admin, make_event):
    event = make_event(recurrence={"rrule": "FREQ=WEEKLY;COUNT=3"})
    series = event["series"]["id"]
    as_admin.patch(f"/series/{series}", recurrence={"rrule": "FREQ=DAILY;COUNT=3"})
    page = desk("editor").get(f"/series/{series}/history/2", ENGLISH)
    assert page.status == 200
    assert "Repeats" in text_of(page)


def test_a_picture_has_a_history(desk, upload, as_admin):
    picture = upload(title="Plakat")
    as_admin.patch(f"/media/{picture['id']}", alt_text="Ein Plakat")
    assert "Ein Plakat" in text_of(desk("editor").get(f"/media/{picture['id']}/history/2", ENGLISH))


def test_the_trash_gives_back_with_one_press(desk, make_venue, as_admin):
    venue = make_venue(venue="Saal")
    as_admin.delete(f"/venues/{venue['id']}")
    browser = desk("editor")
    assert "Saal" in text_of(browser.get("/trash/?kind=venues", ENGLISH))

    browser.send("/trash/?kind=venues", action=f"/trash/venues/{venue['id']}")
    assert as_admin.get(f"/venues/{venue['id']}").json["status"] == "publish"
    assert "The trash is empty" in text_of(browser.get("/trash/?kind=venues", ENGLISH))


def test_the_trash_shows_authors_their_own_records(desk, make_event, as_author2, as_author):
    own, of_another = make_event(by=as_author), make_event(by=as_author2)
    as_author.delete(f"/events/{own['id']}")
    as_author2.delete(f"/events/{of_another['id']}")

    text = text_of(desk("author").get("/trash/", ENGLISH))
    assert own["title"] in text
    assert of_another["title"] not in text


def test_nobody_restores_what_belongs_to_others(desk, make_event, as_author2, as_admin):
    event = make_event(by=as_author2)
    as_author2.delete(f"/events/{event['id']}")
    browser = desk("author")
    browser.post(f"/trash/events/{event['id']}", csrf_token=browser.token())
    assert as_admin.get("/events", status="trash", start_date="2020-01-01").json["total"] == 1
