"""The event form puts each error beside its field, and loses no input."""

import io

import pytest
from browsing import labels_above

pytestmark = pytest.mark.without_mongodb

DAY = {"start_date": "12.5.2031", "start_time": "19:30"}


@pytest.fixture
def editor(desk):
    return desk("editor")


def value(page, name):
    """Return the value of a control of the form."""
    control = page.tree.xpath(f"//form[@id='event-form']//*[@name='{name}']")[0]
    return control.text_content() if control.tag == "textarea" else control.get("value")


def problem(page, name):
    """Return the message beside a field."""
    return "".join(page.tree.xpath(f"//*[@id='event-{name}-problem']//text()"))


def test_all_wrong_fields_are_named_at_once(editor):
    page = editor.send(
        "/events/new",
        title=" ",
        start_date="31.2.2031",
        end_date="soon",
        timezone="Mars/Olympus",
        cost="x" * 3000,
        website="nowhere",
        online_url="nowhere",
        venue_find="Atlantis",
        organizer_find="Nobody",
        repeat="rule",
        repeat_rule="FREQ=SOMETIMES",
        post_parent_find="Nirgends",
        status="publish",
    )
    assert page.status == 422
    links = page.tree.xpath("//*[@id='problems']//a/@href")
    assert {
        "#event-title",
        "#event-start_date",
        "#event-end_date",
        "#event-timezone",
        "#event-website",
        "#event-online_url",
        "#event-venue_find",
        "#event-organizer_find",
        "#event-repeat_rule",
        "#event-post_parent_find",
    } <= set(links)
    assert page.tree.xpath("//*[@autofocus]/@id") == ["event-title"]
    assert value(page, "start_date") == "31.2.2031"
    assert value(page, "venue_find") == "Atlantis"
    assert value(page, "repeat_rule") == "FREQ=SOMETIMES"


def test_event_in_the_past_is_asked_about(editor):
    past = {"title": "Rückblick", "start_date": "12.5.2020", "start_time": "20:00"}
    page = editor.send("/events/new", **past)
    assert page.status == 422
    assert problem(page, "start_date")
    assert page.tree.xpath("//input[@name='confirm_past']")
    assert editor.send("/events/new", **past, confirm_past="1").status == 303


def test_unknown_venue_is_refused_beside_its_field(editor):
    page = editor.send("/events/new", title="Fest", venue_find="Halle <b>", **DAY)
    assert "Halle <b>" in problem(page, "venue_find")
    assert "<b>" not in page.answer.text.split("event-venue_find-problem")[1][:300]


def test_venue_deleted_meanwhile_is_said_beside_its_field(editor, as_editor):
    venue = as_editor.post("/venues", venue="Halle").json["id"]
    as_editor.delete(f"/venues/{venue}", force=True)
    page = editor.send("/events/new", title="Fest", venue=[str(venue)], **DAY)
    assert page.status == 422
    assert problem(page, "venue_find")
    assert value(page, "title") == "Fest"


def test_file_that_is_no_picture_is_refused_and_the_text_stays(editor):
    file = (io.BytesIO(b"no picture"), "notes.png")
    page = editor.send("/events/new", title="Fest", description="Lang", image_file=file, **DAY)
    assert page.status == 422
    assert problem(page, "image_file") or problem(page, "image")
    assert value(page, "description") == "Lang"


def test_huge_picture_is_refused_and_the_text_stays(editor):
    file = (io.BytesIO(b"\0" * (30 << 20)), "raw.png")
    page = editor.send("/events/new", title="Fest", description="Lang", image_file=file, **DAY)
    assert page.status == 422
    assert "10 MB" in problem(page, "image_file") + problem(page, "image")
    assert value(page, "description") == "Lang"


def test_ten_megabytes_of_html_are_refused_and_stay(editor):
    html = "<p>Wort</p>" * 1_000_000
    page = editor.send("/events/new", title="Fest", description=html, **DAY)
    assert page.status == 422
    # The parser of the tests ends before the field does.
    assert 'id="event-description-problem"' in page.answer.text
    assert page.answer.text.count("&lt;p&gt;Wort") == len(html) // len("<p>Wort</p>")
    assert value(page, "title") == "Fest"


def test_uploaded_picture_stays_when_another_field_is_refused(editor, png):
    file = (io.BytesIO(png), "poster.png")
    page = editor.send(
        "/events/new", title="", image_file=file, **{"image_alt[de]": "Ein Bild"}, **DAY
    )
    assert page.status == 422
    assert value(page, "image").isdecimal()
    assert value(page, "image_alt[de]") == "Ein Bild"


def test_text_and_focus_point_of_a_stored_picture_are_changed_with_the_event(
    editor, upload, as_author
):
    picture = upload(alt_text="Alt")["id"]
    shown = {"image": str(picture), "image_described": str(picture)}
    point = {"image_focus_left": "30", "image_focus_top": ""}
    sent = {"title": "Fest", **shown, **point, "image_alt[de]": "Ein Plakat", **DAY}
    assert editor.send("/events/new", **sent).status == 303
    stored = as_author.get(f"/media/{picture}").json
    assert (stored["alt_text"], stored["focus"]) == ("Ein Plakat", "30% 50%")
    sent |= {"image_focus_left": "", "image_alt[de]": "Ein Plakat"}
    assert editor.send("/events/new", **sent).status == 303
    assert as_author.get(f"/media/{picture}").json["focus"] == ""


def test_chosen_picture_keeps_its_own_texts_and_focus_point(editor, upload, as_author):
    former = upload(alt_text="Eine Bühne")["id"]
    chosen = upload(alt_text="Ein Plakat", credit="Ladina", focus="10% 20%")["id"]
    sent = {"image": str(former), "image_described": str(former), "image_pick": str(chosen)}
    sent |= {"image_alt[de]": "Eine Bühne", "image_credit": "", "image_focus_left": ""}
    assert editor.send("/events/new", title="Fest", **sent, **DAY).status == 303
    stored = as_author.get(f"/media/{chosen}").json
    assert (stored["alt_text"], stored["credit"]) == ("Ein Plakat", "Ladina")
    assert stored["focus"] == "10% 20%"


def test_focus_point_outside_the_picture_is_refused_and_stays(editor, upload):
    picture = str(upload()["id"])
    sent = {"image": picture, "image_described": picture}
    point = {"image_focus_left": "130", "image_focus_top": "20"}
    page = editor.send("/events/new", title="Fest", **sent, **point, **DAY)
    assert page.status == 422
    assert "0 bis 100" in problem(page, "image_file") + problem(page, "image")
    assert value(page, "image_focus_left") == "130"


def test_taken_slug_is_told_after_saving(editor):
    first = {"title": "Fest", "slug": "fest", "button": "publish", **DAY}
    assert editor.send("/events/new", **first).status == 303
    answer = editor.send("/events/new", **first)
    assert "fest-2" in editor.get(answer.headers["Location"]).text


def test_markup_in_any_field_stays_text(editor):
    evil = "\"'><script>alert(1)</script><img src=x onerror=alert(1)>"
    names = (
        "title",
        "slug",
        "cost",
        "website",
        "online_url",
        "timezone",
        "start_date",
        "tags_find",
    )
    names += ("status_reason", "repeat_rule", "repeat_dates", "venue_find", "custom_value", "scope")
    names += ("venue_new[venue]", "image", "revision", "base", "excerpt", "repeat", "status")
    page = editor.send("/events/new", **dict.fromkeys(names, evil))
    assert page.status == 422
    assert "<script>alert" not in page.answer.text
    assert "<img src=x" not in page.answer.text


def test_wrong_times_are_named_beside_wrong_days(editor):
    page = editor.send(
        "/events/new", title="Fest", start_date="nie", start_time="25:00", end_time="halb"
    )
    assert page.status == 422
    assert all(problem(page, name) for name in ("start_date", "start_time", "end_time"))


@pytest.mark.parametrize("typed", ["25 Uhr 99", "halb"])
def test_wrong_time_of_publication_is_refused_beside_it(editor, typed):
    page = editor.send("/events/new", title="Fest", date="1.5.2031", date_time=typed, **DAY)
    assert page.status == 422
    assert problem(page, "date_time")
    assert value(page, "date_time") == typed


def test_private_event_stays_private_when_it_is_published(editor):
    page = editor.send("/events/new", title="Fest", status="private", button="publish", **DAY)
    assert page.status == 303
    form = editor.get(page.answer.headers["Location"].removeprefix("/desk")).tree
    assert form.xpath("//*[@name='status']/option[@selected]/@value") == ["private"]


def test_refusals_speak_the_words_of_the_form_in_its_order(editor):
    page = editor.send(
        "/events/new",
        title="Fest",
        start_date="12.5.2031",
        end_date="11.5.2031",
        website="kein",
        post_parent="Fest",
        repeat="WEEKLY",
        repeat_except="irgendwann",
        **{"venue_new[venue]": "Halle", "venue_new[geo_lat]": "north"},
    )
    listed = page.tree.xpath("//*[@id='problems']//li")
    lines = [" ".join(each.text_content().split()) for each in listed]
    labels = [line.partition(":")[0] for line in lines]
    assert labels == [
        "Beginn, von",
        "Ausgelassen, einer pro Zeile",
        "Geografische Breite",
        "Website",
        "Teil der Veranstaltung",
    ]
    assert not any(
        word in " ".join(lines) for word in ("exdate", "website", "post_parent", "geo_lat")
    )
    assert "irgendwann" in problem(page, "repeat_except")


def test_addresses_are_completed(editor, as_editor):
    sent = {"website": "dorta.ch", "online_url": "dorta.ch/live", **DAY}
    assert editor.send("/events/new", title="Fest", button="publish", **sent).status == 303
    (event,) = as_editor.get("/events", start_date="2031-01-01").json["events"]
    assert (event["website"], event["online_url"]) == ("https://dorta.ch/", "https://dorta.ch/live")


@pytest.mark.parametrize("day", ["31.2.2031", "irgendwann", ""])
def test_wrong_day_is_refused_at_the_start_alone(desk, day):
    page = desk("editor").send("/events/new", title="Fest", start_date=day, button="publish")
    listed = page.tree.xpath("//*[@id='problems']//li/a")
    assert [" ".join(each.text_content().split()) for each in listed] == ["Beginn"]


def test_new_place_of_an_event_takes_a_pasted_point(editor, as_editor):
    place = {"venue_new[venue]": "Halle", "venue_new[geo_lat]": "geo:46.85,9.53"}
    assert editor.send("/events/new", title="Fest", **DAY, **place).status == 303
    (venue,) = as_editor.get("/venues").json["venues"]
    assert (venue["geo_lat"], venue["geo_lng"]) == (46.85, 9.53)


def test_refusals_of_an_event_bear_the_labels_above_the_fields(editor):
    wrong = {"venue_new[geo_lat]": "north", "organizer_new[website]": "kein"}
    wrong |= dict.fromkeys(("start_date", "start_time", "date", "date_time", "repeat_until"), "nie")
    wrong |= dict.fromkeys(("website", "author", "post_parent", "online_url"), "kein")
    page = editor.send("/events/new", repeat="WEEKLY", timezone="Mars", button="publish", **wrong)
    in_summary, above = labels_above(page)
    assert len(in_summary) > 10
    assert in_summary == above
