"""Pictures below ``wp/v2``: programs look whether theirs is there before they upload it."""

import pytest

MEDIA = "/media"


@pytest.fixture
def named(wordpress, as_author):
    """Return a function that lists the slugs of pictures for given parameters."""

    def slugs(by=as_author, **query):
        answer = wordpress("GET", MEDIA, by=by, query_string=query)
        assert answer.status_code == 200, answer.json
        return [media["slug"] for media in answer.json]

    return slugs


def test_a_picture_is_there_by_its_slug(upload, named):
    upload(name="Mein Plakat.png")
    upload(name="other.png")
    assert named(slug="mein-plakat") == ["mein-plakat"]
    assert named(slug="other,mein-plakat") == ["other", "mein-plakat"]
    assert named(slug="none") == []


def test_a_picture_is_there_by_its_words(upload, named):
    upload(name="a.png", title="Sommerfest")
    upload(name="b.png", alt_text="Ein Segel")
    assert named(search="sommerfest") == ["a"]
    assert named(search="segel") == ["b"]


@pytest.mark.parametrize(
    ("query", "slugs"),
    [
        ({"orderby": "slug", "order": "asc"}, ["a", "b"]),
        ({"media_type": "image"}, ["b", "a"]),
        ({"media_type": "video"}, []),
        ({"mime_type": "image/png", "per_page": 1}, ["b"]),
        ({"mime_type": "image/webp"}, []),
    ],
)
def test_pictures_are_filtered_and_sorted(upload, named, query, slugs):
    upload(name="a.png")
    upload(name="b.png")
    assert named(**query) == slugs


def test_a_picture_has_the_shape_of_an_attachment(wordpress, upload, as_author):
    sent = upload(name="poster.png", title="Plakat", alt_text="Ein Segel")
    (media,) = wordpress("GET", MEDIA, by=as_author).json
    assert (media["id"], media["source_url"]) == (sent["id"], sent["source_url"])
    assert (media["type"], media["media_type"], media["mime_type"]) == (
        *("attachment", "image"),
        "image/png",
    )
    assert (media["title"], media["alt_text"]) == ({"rendered": "Plakat"}, "Ein Segel")
    assert media["media_details"]["sizes"]["full"]["source_url"] == media["source_url"]
    assert wordpress("GET", f"{MEDIA}/{sent['id']}", by=as_author).json == media


def test_totals_and_pages_are_in_the_headers(wordpress, upload, as_author):
    for name in ("a.png", "b.png", "c.png"):
        upload(name=name)
    page = wordpress("GET", MEDIA, by=as_author, query_string={"per_page": 2})
    assert (page.headers["X-WP-Total"], page.headers["X-WP-TotalPages"]) == ("3", "2")
    beyond = wordpress("GET", MEDIA, by=as_author, query_string={"page": 9})
    assert (beyond.status_code, beyond.code) == (400, "rest_post_invalid_page_number")


def test_strangers_see_pictures_of_public_records_alone(
    wordpress, upload, named, anyone, make_venue
):
    hidden, shown = upload(name="hidden.png"), upload(name="shown.png")
    make_venue(image=shown["id"])
    assert named(by=anyone) == ["shown"]
    assert wordpress("GET", f"{MEDIA}/{shown['id']}").status_code == 200
    answer = wordpress("GET", f"{MEDIA}/{hidden['id']}")
    assert (answer.status_code, answer.code) == (404, "rest_post_invalid_id")
    refused = wordpress("GET", MEDIA, query_string={"context": "edit"})
    assert (refused.status_code, refused.code) == (401, "rest_forbidden_context")


def test_an_unknown_order_is_refused(wordpress):
    answer = wordpress("GET", MEDIA, query_string={"orderby": "mood"})
    assert (answer.status_code, answer.invalid_params) == (400, ["orderby"])
