"""Venues, organizers, categories, tags and pictures at the desk."""

from io import BytesIO

import pytest
from browsing import labels_above
from desking import form_of, values_of

NAMES = {"venues": "venue", "organizers": "organizer", "categories": "name", "tags": "name"}


@pytest.mark.parametrize(("kind", "name"), NAMES.items())
def test_record_is_made_changed_and_deleted(desk, as_admin, kind, name):
    browser = desk("editor")
    texts = {f"variants[de][{name}]": "Halle & Hof", f"variants[rm][{name}]": "Halla"}
    created = browser.send(f"/{kind}/new", **texts)
    assert created.status == 303, created.text
    path = created.headers["Location"].removeprefix("/desk")
    assert "Halle & Hof ist gespeichert." in browser.get(path).text
    changed = browser.send(path, **{f"variants[rm][{name}]": "Halla gronda"})
    assert changed.status == 303, changed.text
    record = as_admin.get(path, translation_language="rm").json
    assert record[name] == "Halla gronda"
    assert "Halle & Hof" in browser.get(f"/{kind}/").text
    assert browser.send(f"{path}/delete").status == 303
    assert "Halle & Hof" not in browser.get(f"/{kind}/?search=halle").find("row-name")


def test_venue_has_an_address_and_a_point(desk, as_admin):
    browser = desk("editor")
    created = browser.send(
        "/venues/new",
        **{"variants[de][venue]": "Halle", "variants[de][city]": "Scuol"},
        geo_lat="46.8",
        geo_lng="10.3",
        zip="7550",
    )
    number = created.headers["Location"].rpartition("/")[2]
    venue = as_admin.get(f"/venues/{number}").json
    assert (venue["city"], venue["zip"]) == ("Scuol", "7550")
    assert (venue["geo_lat"], venue["geo_lng"]) == (46.8, 10.3)
    browser.send(f"/venues/{number}", geo_lat="", geo_lng="")
    assert "geo_lat" not in as_admin.get(f"/venues/{number}").json


@pytest.mark.parametrize(
    "pasted",
    [
        {"geo_lat": "46.85, 9.53"},
        {"geo_lng": "46.85, 9.53"},
        {"geo_lat": "https://www.openstreetmap.org/#map=15/46.85/9.53", "geo_lng": "10.3"},
    ],
)
def test_point_that_is_pasted_into_one_field_is_read(desk, as_admin, pasted):
    browser = desk("editor")
    created = browser.send("/venues/new", **{"variants[de][venue]": "Halle"}, **pasted)
    venue = as_admin.get(created.headers["Location"].removeprefix("/desk")).json
    assert (venue["geo_lat"], venue["geo_lng"]) == (46.85, 9.53)


def test_all_wrong_fields_are_named_and_nothing_is_lost(desk):
    browser = desk("editor")
    answer = browser.send(
        "/venues/new",
        **{"variants[de][venue]": "Halle", "variants[de][description]": "Ein langer Text"},
        geo_lat="north",
        geo_lng="999",
    )
    assert answer.status == 400
    assert answer.tree.xpath('//*[@role="alert"]/@autofocus')
    wrong = answer.tree.xpath('//*[@aria-invalid="true"]')
    assert {field.get("name") for field in wrong} == {"geo_lat", "geo_lng"}
    for field in wrong:
        assert answer.tree.get_element_by_id(field.get("aria-describedby")).text_content().strip()
    sent = values_of(form_of(answer))
    assert sent["variants[de][description]"] == "Ein langer Text"
    assert sent["geo_lat"] == "north"


def test_record_without_a_name_is_refused_beside_the_name(desk):
    answer = desk("editor").send("/venues/new", zip="7550")
    assert answer.status == 400
    field = answer.tree.get_element_by_id("venue-de")
    assert field.get("aria-invalid") == "true"


def test_form_sent_as_it_stands_changes_nothing(desk, make_venue, as_admin):
    venue = make_venue(description="<p>Eins</p>", venue="Tom &amp; Jerry", geo_lat=46, geo_lng=9)
    before = as_admin.get(f"/venues/{venue['id']}").json
    assert desk("editor").send(f"/venues/{venue['id']}").status == 303
    after = as_admin.get(f"/venues/{venue['id']}").json
    assert {**after, "modified": 0, "modified_utc": 0} == {
        **before,
        "modified": 0,
        "modified_utc": 0,
    }


def test_two_who_save_see_what_the_other_one_has_changed(desk, make_venue, as_admin):
    venue = make_venue(venue="Halle", zip="7550", phone="1")
    first, second = desk("editor"), desk("admin")
    path = f"/venues/{venue['id']}"
    forms = [form_of(browser.get(path)) for browser in (first, second)]
    sent = [values_of(form) for form in forms]
    first.post(path, **{**sent[0], "variants[de][venue]": "Halle eins", "zip": "7551"})
    answer = second.post(path, **{**sent[1], "variants[de][venue]": "Halle zwei", "phone": "2"})
    assert answer.status == 412
    assert "Halle eins" in answer.text
    assert as_admin.get(path).json["venue"] == "Halle eins"
    merged = values_of(form_of(answer))
    assert merged["variants[de][venue]"] == "Halle zwei"
    assert second.post(path, **merged).status == 303
    saved = as_admin.get(path).json
    assert (saved["venue"], saved["zip"], saved["phone"]) == ("Halle zwei", "7551", "2")


def test_trashed_venue_can_be_taken_back(desk, make_venue):
    venue, browser = make_venue(venue="Halle"), desk("editor")
    browser.send(f"/venues/{venue['id']}/delete")
    assert "Halle" in browser.get("/venues/?status=trash").text
    assert browser.send(f"/venues/{venue['id']}", "/restore").status == 303
    assert "Halle" in browser.get("/venues/").text


def test_category_gets_one_above_it(desk, make_category, as_admin):
    above = make_category(name="Musik")
    fields = {"variants[de][name]": "Jazz", "parent": str(above["id"])}
    created = desk("editor").send("/categories/new", **fields)
    number = created.headers["Location"].rpartition("/")[2]
    assert as_admin.get(f"/categories/{number}").json["parent"] == above["id"]
    assert "Musik" in desk("editor").get(f"/categories/{number}").text


def test_picture_is_uploaded_with_its_texts(desk, png, as_admin):
    browser = desk("author")
    texts = {"variants[de][alt_text]": "Ein Chor", "variants[rm][alt_text]": "In chor"}
    created = browser.send("/media/new", file=(BytesIO(png), "chor.png"), **texts)
    assert created.status == 303, created.text
    number = created.headers["Location"].rpartition("/")[2]
    assert as_admin.get(f"/media/{number}", translation_language="rm").json["alt_text"] == "In chor"


@pytest.mark.parametrize("content", [b"", b"no picture"])
def test_file_that_is_no_picture_is_refused_beside_the_field(desk, content):
    answer = desk("author").send(
        "/media/new", file=(BytesIO(content), "chor.png"), **{"variants[de][title]": "Chor"}
    )
    assert answer.status == 400
    assert answer.tree.get_element_by_id("file").get("aria-invalid") == "true"
    assert values_of(form_of(answer))["variants[de][title]"] == "Chor"


def test_picture_in_use_is_deleted_after_a_second_question(desk, upload, make_event, as_author):
    picture = upload()
    make_event(as_author, image=picture["id"])
    browser = desk("editor")
    refused = browser.send(f"/media/{picture['id']}/delete")
    assert refused.status == 409
    form = form_of(refused)
    answer = browser.post(f"/media/{picture['id']}/delete", **values_of(form))
    assert answer.status == 303
    assert browser.get(f"/media/{picture['id']}").status == 404


def test_hostile_names_are_shown_as_text(desk):
    browser = desk("editor")
    browser.send(
        "/tags/new", **{"variants[de][name]": "Mark<b>t</b>\"'><img src=x onerror=alert(1)>"}
    )
    page = browser.get("/tags/")
    assert not page.tree.xpath("//main//img")
    assert not page.tree.xpath("//main//td//b")


def test_venue_gets_a_picture_and_loses_it(desk, png, as_admin):
    browser = desk("editor")
    created = browser.send(
        "/venues/new", **{"variants[de][venue]": "Halle"}, image_file=(BytesIO(png), "halle.png")
    )
    assert created.status == 303, created.text
    path = created.headers["Location"].removeprefix("/desk")
    assert as_admin.get(path).json["image"]["width"] == 400
    assert browser.get(path).tree.xpath("//img[@class='form-picture'][@src]")
    browser.send(path, image_remove="y")
    assert not as_admin.get(path).json.get("image")


def test_picture_stays_when_another_field_is_refused(desk, png):
    browser = desk("editor")
    refused = browser.send("/venues/new", geo_lat="north", image_file=(BytesIO(png), "halle.png"))
    assert refused.status == 400
    assert values_of(form_of(refused))["image"].isdecimal()


@pytest.mark.parametrize("path", ["/venues/", "/tags/", "/media/", "/events/"])
def test_search_that_is_too_long_is_refused_and_no_defect(desk, path):
    page = desk("editor").get(path, query_string={"search": "x" * 1001})
    assert page.status == 400
    assert "1000" in page.text


def test_all_refusals_of_a_place_bear_the_labels_above_the_fields(desk):
    sites = {f"variants[{tag}][website]": "kein" for tag in ("de", "rm")}
    page = desk("editor").send("/venues/new", geo_lat="north", geo_lng="999", **sites)
    in_summary, above = labels_above(page)
    assert in_summary == ["Name", "Website", "Website", "Geografische Breite", "Geografische Länge"]
    assert in_summary == above
    assert page.tree.xpath("//*[@aria-invalid='true']/@id")[-1] == "geo_lng"


def test_changes_of_two_people_in_different_fields_are_both_kept(desk, make_venue, as_admin):
    path = f"/venues/{make_venue(venue='Halle', zip='7550', phone='1')['id']}"
    first, second = desk("editor"), desk("admin")
    sent = [values_of(form_of(browser.get(path))) for browser in (first, second)]
    assert first.post(path, **{**sent[0], "zip": "7551"}).status == 303
    assert second.post(path, **{**sent[1], "phone": "2"}).status == 303
    saved = as_admin.get(path).json
    assert (saved["zip"], saved["phone"]) == ("7551", "2")


@pytest.mark.parametrize(("kind", "name"), NAMES.items())
def test_emptied_name_in_addresses_is_made_of_the_name(desk, as_admin, kind, name):
    browser = desk("editor")
    texts = {f"variants[de][{name}]": "Halle & Hof", "variants[de][slug]": "halle"}
    path = browser.send(f"/{kind}/new", **texts).headers["Location"].removeprefix("/desk")
    changed = browser.send(path, **{"variants[de][slug]": ""})
    assert changed.status == 303, changed.text
    assert as_admin.get(path).json["slug"] == "halle-hof"


def test_line_with_entities_stands_in_the_form_as_people_write_it(desk, make_venue, as_admin):
    path = f"/venues/{make_venue(venue='Halle', address='Tor &amp; Turm', city='Chur')['id']}"
    browser = desk("editor")
    assert values_of(form_of(browser.get(path)))["variants[de][address]"] == "Tor & Turm"
    assert browser.send(path, **{"variants[de][city]": "Scuol"}).status == 303
    venue = as_admin.get(path).json
    assert (venue["address"], venue["city"]) == ("Tor &amp; Turm", "Scuol")


def test_list_of_what_lacks_a_picture_or_a_language(desk, make_venue, upload):
    in_romansh = {"rm": {"venue": "Halla"}}
    make_venue(venue="Halle", variants=in_romansh, image=upload()["id"])
    make_venue(venue="Saal")
    browser = desk("editor")

    def listed(query=""):
        names = browser.get(f"/venues/{query}").tree.xpath("//tbody//th//a/text()")
        return [name.strip() for name in names]

    assert listed() == ["Halle", "Saal"]
    assert listed("?lacks=picture") == listed("?lacks=rm") == ["Saal"]
    assert listed("?lacks=de") == []
