"""Pictures that an import brings along: each once, and kept in step with their site."""

import json
from urllib.parse import parse_qs, urlsplit

import pytest
from agenda import counted, event, image_of, png, post

REST = "/wp-json"


def test_without_the_option_pictures_stay_addresses(import_told, database, host):
    address = host.put("/poster.png", png(), content_type="image/png")
    import_told({"events": [event(60, "Concert", image={"url": address, "id": 90})]})
    assert image_of(database, 60) == address
    assert host.asked == []


def test_pictures_of_all_records_are_imported_with_their_ids(import_told, database, host):
    images = [
        {"url": host.put(f"/{number}.png", png()), "id": number} for number in (90, 91, 92, 93)
    ]
    inner = post(41, venue="Back room", image=images[3])
    lines = import_told(
        {
            "venues": [post(40, venue="Hall", image=images[0])],
            "organizers": [post(50, organizer="Band", image=images[1])],
            "events": [event(60, "Concert", image=images[2], venue=inner)],
        },
        "--media",
    )
    assert counted(lines, "media") == (4, 0, 0, 0)
    assert image_of(database, 40, "venues") == 90
    assert image_of(database, 50, "organizers") == 91
    assert image_of(database, 60) == 92
    assert image_of(database, 41, "venues") == 93
    picture = database["media"].find_one({"_id": 92})
    assert (picture["filename"], picture["width"], list(picture["sizes"])) == (
        "92.png",
        400,
        ["medium", "thumbnail"],
    )
    assert database["files.files"].count_documents({}) == 4 * 3


def test_id_of_a_picture_in_use_is_replaced(import_told, database, host):
    database["venues"].insert_one({"_id": 90, "variants": {}, "status": "publish"})
    import_told(
        {"events": [event(60, "Concert", image={"url": host.put("/a.png", png()), "id": 90})]},
        "--media",
    )
    picture = image_of(database, 60)
    assert picture != 90
    assert database["media"].count_documents({"_id": picture}) == 1


def test_picture_of_several_records_is_brought_once(import_told, database, host):
    image = {"url": host.put("/poster.png", png()), "id": 90, "width": 400}
    site = {"events": [event(60, "Concert", image=image), event(61, "Market", image=image)]}
    assert counted(import_told(site, "--media"), "media") == (1, 0, 0, 0)
    before = list(database["media"].find())
    again = import_told(site, "--media")
    assert counted(again, "media") == (0, 0, 1, 0)
    assert counted(again, "events") == (0, 0, 2, 0)
    assert list(database["media"].find()) == before
    assert host.asked == ["/poster.png"]


def test_imported_picture_stays_without_the_option(import_told, database, host):
    site = {"events": [event(60, "Concert", image={"url": host.put("/a.png", png()), "id": 90})]}
    import_told(site, "--media")
    assert counted(import_told(site), "events") == (0, 0, 1, 0)
    changed = {"events": [{**site["events"][0], "title": "Matinée"}]}
    import_told(changed)
    assert image_of(database, 60) == 90


def test_later_import_of_pictures_keeps_edits(import_told, database, host):
    site = {"events": [event(60, "Concert", image={"url": host.put("/a.png", png()), "id": 90})]}
    import_told(site)
    database["events"].update_one({"_id": 60}, {"$set": {"featured": True}})
    lines = import_told(site, "--media")
    assert (counted(lines, "media"), counted(lines, "events")) == ((1, 0, 0, 0), (0, 1, 0, 0))
    assert image_of(database, 60) == 90
    assert database["events"].find_one({"_id": 60})["featured"]


def test_a_picture_that_the_site_describes_differently_stays(import_told, database, host):
    image = {"url": host.put("/poster.png", png()), "id": 90, "sizes": {}}
    import_told({"events": [event(60, "Concert", image=image)]}, "--media")
    site = {"events": [event(60, "Concert", image={**image, "sizes": {"large": {}}})]}
    assert counted(import_told(site, "--media"), "media") == (0, 0, 1, 0)
    assert image_of(database, 60) == 90
    assert host.asked == ["/poster.png"]


def test_alt_texts_come_in_each_language_and_edits_stay(import_told, database, host):
    image = {"url": host.put("/poster.png", png()), "id": 90}
    german = {"events": [event(60, "Concert", image={**image, "alt_text": "Eine Bühne"})]}
    import_told(german, "--media")
    romansh = {"events": [event(60, "Concert", image={**image, "alt": "Ina tribuna"})]}
    assert counted(import_told(romansh, "--media", "--language", "rm"), "media") == (0, 1, 0, 0)
    variants = database["media"].find_one({"_id": 90})["variants"]
    assert variants == {"de": {"alt_text": "Eine Bühne"}, "rm": {"alt_text": "Ina tribuna"}}
    own = {"$set": {"variants.de.alt_text": "Die grosse Bühne"}}
    database["media"].update_one({"_id": 90}, own)
    assert counted(import_told(german, "--media"), "media") == (0, 0, 1, 0)
    assert database["media"].find_one({"_id": 90})["variants"]["de"] == {
        "alt_text": "Die grosse Bühne"
    }


@pytest.fixture
def live(host):
    """Return a function that serves a site on loopback and returns its address."""

    def tell(site):
        for name in ("categories", "tags", "venues", "organizers", "events"):
            body = {name: site.get(name, []), "total_pages": 1}
            host.put(f"{REST}/tribe/events/v1/{name}", json.dumps(body).encode())
        return host.address(f"{REST}/tribe/events/v1")

    return tell


def test_alt_texts_come_from_the_media_of_a_live_site(import_told, database, host, live):
    images = [{"url": host.put(f"/{number}.png", png()), "id": number} for number in (90, 91)]
    hall = post(41, venue="Hall", image=images[1])
    address = live({"events": [event(60, "Concert", image=images[0], venue=hall)]})
    texts = [{"id": 90, "alt_text": "Eine Bühne &amp; mehr"}, {"id": 91, "alt_text": ""}]
    host.put(f"{REST}/wp/v2/media", json.dumps(texts).encode())
    import_told(f"{address}?lang=de", "--media")
    assert database["media"].find_one({"_id": 90})["variants"]["de"] == {
        "alt_text": "Eine Bühne & mehr"
    }
    assert database["media"].find_one({"_id": 91})["variants"] == {}
    (media_path,) = (path for path in host.asked if "/wp/v2/" in path)
    assert parse_qs(urlsplit(media_path).query)["include"] == ["90,91"]
    assert parse_qs(urlsplit(media_path).query)["lang"] == ["de"]


@pytest.mark.parametrize("answer", [b'{"code": "rest_forbidden"}', b"<html>", b"[5, {}]"])
def test_pictures_come_without_alt_texts_if_the_site_refuses_these(
    import_told, database, host, live, answer
):
    image = {"url": host.put("/poster.png", png()), "id": 90}
    host.put(f"{REST}/wp/v2/media", answer)
    lines = import_told(live({"events": [event(60, "Concert", image=image)]}), "--media")
    assert counted(lines, "media") == (1, 0, 0, 0)
    assert database["media"].find_one({"_id": 90})["variants"] == {}


def test_likeness_recognises_imported_pictures(import_told, database, host):
    image = {"url": host.put("/poster.png", png()), "id": 90}
    import_told({"events": [event(60, "Concert", image=image)]}, "--media")
    romansh = event(160, "Concerta", image={**image, "id": 190, "sizes": {}})
    lines = import_told({"events": [romansh]}, "--language", "rm", "--media")
    assert "events joined: 0 by links, 0 by file, 1 by likeness, 0 left for a person" in lines
    variants = database["events"].find_one({"_id": 60})["variants"]
    assert variants["rm"]["title"] == "Concerta"
    assert host.asked == ["/poster.png"]


def test_joined_translation_brings_no_picture(import_told, database, host):
    import_told(
        {"events": [event(60, "Concert", image={"url": host.put("/a.png", png()), "id": 90})]},
        "--media",
    )
    romansh = event(160, "Concerta", translations={"de": 60})
    romansh["image"] = {"url": host.put("/b.png", png()), "id": 190}
    import_told({"events": [romansh]}, "--language", "rm", "--media")
    assert host.asked == ["/a.png"]
    assert database["media"].count_documents({}) == 1


def test_dry_run_fetches_and_writes_nothing(import_told, database, host):
    site = {"events": [event(60, "Concert", image={"url": host.put("/a.png", png()), "id": 90})]}
    lines = import_told(site, "--media", "--dry-run")
    assert (counted(lines, "media"), counted(lines, "events")) == ((1, 0, 0, 0), (1, 0, 0, 0))
    assert host.asked == []
    assert database["media"].count_documents({}) == database["events"].count_documents({}) == 0
    import_told(site)
    assert counted(import_told(site, "--media", "--dry-run"), "events") == (0, 1, 0, 0)


def test_addresses_that_sources_have_added_stay(import_told, database, host):
    image = {"url": host.put("/a.png", png()), "id": 90}
    import_told({"events": [event(60, "Concert", image=image)]}, "--media")
    (own,) = database["media"].find_one({"_id": 90})["from_sources"]
    added = {**own, "uid": "https://example.org/b.png", "alt_text": {}}
    database["media"].update_one({"_id": 90}, {"$set": {"from_sources": [added, own]}})
    site = {"events": [event(60, "Concert", image=image | {"alt_text": "A stage"})]}
    assert counted(import_told(site, "--media"), "media") == (0, 1, 0, 0)
    (language,) = database["media"].find_one({"_id": 90})["variants"]
    changed = {**own, "alt_text": {language: "A stage"}}
    assert database["media"].find_one({"_id": 90})["from_sources"] == [added, changed]
    assert image_of(database, 60) == 90
