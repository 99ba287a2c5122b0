"""Metadata of pictures: listed, read, and worded in several languages."""

import re
from io import BytesIO

import pytest

SITE = "https://calendar.example"
BASE = f"{SITE}/calendar/events/v1"


def ids(answer):
    assert answer.status_code == 200, answer.json
    return [picture["id"] for picture in answer.json["media"]]


def test_picture_has_size_texts_and_author(upload, as_author):
    uploaded_picture = upload(title="Das <b>Plakat</b>", alt_text="Eine Sängerin & ein Klavier")
    picture = as_author.get(f"/media/{uploaded_picture['id']}").json
    assert picture == uploaded_picture
    assert (picture["width"], picture["height"], picture["extension"]) == (400, 300, "png")
    assert (picture["mime_type"], picture["filename"]) == ("image/png", "poster.png")
    assert picture["title"] == "Das Plakat"
    assert picture["alt_text"] == "Eine Sängerin & ein Klavier"
    assert (picture["author"], picture["date_utc"]) == (str(as_author.id), "2030-01-15 12:00:00")
    assert picture["source_url"] == picture["url"]
    assert re.fullmatch(
        rf"{SITE}/media/{uploaded_picture['id']}/[\w-]{{22}}/poster\.png", picture["url"]
    )
    assert picture["rest_url"] == f"{BASE}/media/{uploaded_picture['id']}"
    assert (picture["used_by"], picture["uses"]) == ([], 0)


def test_new_picture_has_a_location_header(as_author, png):
    answer = as_author.send("POST", "/media", data={"file": (BytesIO(png), "a.png")})
    assert answer.headers["Location"] == f"{BASE}/media/{answer.json['id']}"


def test_texts_of_a_bare_picture_come_from_the_query(as_author, png):
    query = {"alt_text": "Ina tribuna", "translation_language": "rm"}
    sent = as_author.send("POST", "/media", data=png, content_type="image/png", query_string=query)
    assert sent.json["alt_text"] == "Ina tribuna"
    assert sent.json["translations"]["de"]["status"] == "missing"
    assert sent.json["translations"]["rm"]["status"] == "current"


def test_an_unknown_language_of_a_form_is_refused_and_nothing_is_kept(as_author, png, database):
    form = {"file": (BytesIO(png), "a.png"), "translation_language": "xx"}
    assert as_author.send("POST", "/media", data=form).invalid_params == ["translation_language"]
    assert database["files.files"].count_documents({}) == 0


def test_texts_of_several_languages_come_with_one_upload(upload, as_author):
    texts = {"variants[de][alt_text]": "Eine Bühne", "variants[rm][alt_text]": "Ina tribuna"}
    picture = upload(**texts)
    both = as_author.get(f"/media/{picture['id']}", translation_language="all").json["variants"]
    assert both == {"de": {"alt_text": "Eine Bühne"}, "rm": {"alt_text": "Ina tribuna"}}


@pytest.mark.parametrize("method", ["post", "put", "patch"])
def test_a_text_is_changed_in_the_language_of_the_request(upload, as_author, method):
    picture = upload(alt_text="Eine Bühne")
    change = getattr(as_author, method)
    answer = change(f"/media/{picture['id']}", alt_text="Ina tribuna", translation_language="rm")
    assert (answer.status_code, answer.json["alt_text"]) == (200, "Ina tribuna")
    assert as_author.get(f"/media/{picture['id']}").json["alt_text"] == "Eine Bühne"


def test_a_text_that_is_missing_is_shown_in_another_language(upload, as_author):
    picture = upload(alt_text="Eine Bühne")
    path = f"/media/{picture['id']}"
    record = as_author.get(path, translation_language="rm").json
    assert (record["alt_text"], record["fallback_fields"]) == ("Eine Bühne", ["alt_text"])
    alone = as_author.get(path, translation_language="rm", fallback="none").json
    assert alone["alt_text"] == ""


def test_a_translation_is_outdated_once_its_source_reads_otherwise(upload, as_author):
    path = f"/media/{upload(alt_text='Eine Bühne')['id']}"
    as_author.patch(path, alt_text="Ina tribuna", translation_language="rm")
    changed = as_author.patch(path, alt_text="Zwei Bühnen").json
    assert changed["translations"]["rm"]["status"] == "outdated"


def test_omitted_texts_stay_and_empty_texts_are_cleared(upload, as_author):
    path = f"/media/{upload(title='Plakat', alt_text='Eine Bühne')['id']}"
    assert as_author.patch(path, alt_text="").json["title"] == "Plakat"
    assert as_author.get(path).json["alt_text"] == ""
    as_author.patch(path, title=None)
    assert as_author.get(path).json["title"] == ""


def test_a_picture_can_be_sent_back_as_it_was_shown(upload, as_author):
    path = f"/media/{upload(title='Hin & her', alt_text='Eine Bühne')['id']}"
    before = as_author.get(path, translation_language="rm").json
    again = as_author.send("PUT", path, json=before, query_string={"translation_language": "rm"})
    assert again.json == before
    assert as_author.get(path).json["translations"]["rm"]["status"] == "missing"


def test_texts_of_a_language_can_be_removed_even_the_last(upload, as_author):
    path = f"/media/{upload(alt_text='Eine Bühne')['id']}"
    as_author.patch(path, alt_text="Ina tribuna", translation_language="rm")
    for language in ("rm", "de"):
        query = {"translation_only": "true", "translation_language": language}
        assert as_author.delete(path, **query).status_code == 200
    assert as_author.get(path, translation_language="all").json["variants"] == {}


@pytest.mark.parametrize("value", [5, ["x"], {"de": "x"}])
def test_picture_text_must_be_a_string(upload, as_author, value):
    path = f"/media/{upload()['id']}"
    assert as_author.patch(path, alt_text=value).invalid_params == ["alt_text"]


def test_records_show_the_text_in_the_language_of_their_reader(
    upload, as_author, anyone, make_event
):
    picture = upload(alt_text="Eine Bühne")["id"]
    as_author.patch(f"/media/{picture}", alt_text="Ina tribuna", translation_language="rm")
    event = make_event(
        image=picture,
        venue={"venue": "Haus", "image": picture},
        organizer={"organizer": "Verein", "image": picture},
    )
    for language, text in (("de", "Eine Bühne"), ("rm", "Ina tribuna")):
        current_event = anyone.get(f"/events/{event['id']}", translation_language=language).json
        images = [
            current_event["image"],
            current_event["venue"]["image"],
            current_event["organizer"][0]["image"],
        ]
        assert [image["alt_text"] for image in images] == [text] * 3
        (listed,) = anyone.get("/venues", translation_language=language).json["venues"]
        assert listed["image"]["alt_text"] == text


def test_pictures_are_listed_the_newest_first_page_by_page(upload, as_author):
    picture_ids = [upload(name=f"{number}.png")["id"] for number in range(3)]
    first = as_author.get("/media", per_page=2)
    assert ids(first) == picture_ids[:0:-1]
    assert (first.json["total"], first.json["total_pages"]) == (3, 2)
    assert first.headers["X-TEC-Total"] == first.headers["X-WP-Total"] == "3"
    assert ids(as_author.follow(first.json["next_rest_url"])) == picture_ids[:1]
    assert ids(as_author.get("/media", page=9)) == []
    assert "used_by" not in first.json["media"][0]


def test_pictures_are_filtered_by_words_ids_and_author(upload, as_author, as_editor):
    stage = upload(name="buehne.png", alt_text="Eine Bühne")["id"]
    choir = upload(by=as_editor, name="chor.png", title="Der Chor")["id"]
    for query, expected_ids in [
        ({"search": "bühne"}, [stage]),
        ({"search": "chor.png"}, [choir]),
        ({"search": "der -bühne"}, [choir]),
        ({"include": f"{stage},999"}, [stage]),
        ({"author": as_editor.id}, [choir]),
        ({"translation_status": "current"}, [stage, choir]),
        ({"translation_status": "missing", "translation_language": "rm"}, [choir, stage]),
    ]:
        assert sorted(ids(as_author.get("/media", **query))) == sorted(expected_ids), query
    assert as_author.get("/media", include="x").invalid_params == ["include"]


@pytest.mark.parametrize(
    ("role", "status"),
    [
        (None, 401),
        ("subscriber", 403),
        ("contributor", 403),
        ("author2", 403),
        ("author", 200),
        ("editor", 200),
    ],
)
def test_picture_is_changed_and_deleted_by_its_author_and_editors(upload, calling_as, role, status):
    path = f"/media/{upload()['id']}"
    caller = calling_as(role)
    assert caller.patch(path, alt_text="Eine Bühne").status_code == status
    assert caller.delete(path).status_code == status


def test_a_picture_that_is_not_there_is_refused_like_other_records(as_admin, anyone):
    assert anyone.get("/media/999").invalid_params == ["id"]
    assert as_admin.patch("/media/999", alt_text="x").invalid_params == ["id"]
    assert as_admin.delete("/media/999").invalid_params == ["id"]


def test_unchanged_picture_is_answered_with_304(upload, as_author):
    path = f"/media/{upload()['id']}"
    tag = as_author.get(path).headers["ETag"]
    unchanged = as_author.send("GET", path, headers={"If-None-Match": tag})
    assert unchanged.status_code == 304
    as_author.patch(path, alt_text="Eine Bühne")
    changed = as_author.send("GET", path, headers={"If-None-Match": tag})
    assert changed.status_code == 200


@pytest.mark.parametrize("method", ["PATCH", "DELETE"])
def test_picture_write_with_a_stale_etag_is_refused(upload, as_author, method):
    path = f"/media/{upload()['id']}"
    etag = as_author.get(path).headers["ETag"]
    as_author.patch(path, alt_text="Eine Bühne")
    sent = {"json": {"alt_text": "Etwas anderes"}} if method == "PATCH" else {}
    stale = as_author.send(method, path, headers={"If-Match": etag}, **sent)
    assert (stale.status_code, stale.code) == (412, "precondition_failed")
    etag = as_author.get(path).headers["ETag"]
    assert as_author.send(method, path, headers={"If-Match": etag}, **sent).status_code == 200


def test_new_picture_text_changes_the_etag_of_its_event(upload, as_author, make_event):
    picture = upload()["id"]
    path = f"/events/{make_event(image=picture)['id']}"
    before = as_author.get(path).headers["ETag"]
    as_author.patch(f"/media/{picture}", alt_text="Eine Bühne")
    assert as_author.get(path).headers["ETag"] != before


def test_a_picture_without_texts_is_listed_in_every_language(upload, as_author):
    picture = upload()["id"]
    for query in ({}, {"fallback": "none"}, {"translation_language": "rm", "fallback": "none"}):
        assert ids(as_author.get("/media", **query)) == [picture]
