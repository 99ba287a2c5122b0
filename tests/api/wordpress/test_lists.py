"""Lists below ``wp/v2``: plain lists, paged by headers, filtered as the handbook says."""

import pytest
from calling import SITE

BASE = f"{SITE}/wp/v2"
POSTS = ("tribe_events", "tribe_venue", "tribe_organizer")


@pytest.fixture
def make(request):
    """Return a function that makes records of a type, and returns their ids."""
    kinds = {
        "tribe_events": "event",
        "tribe_venue": "venue",
        "tribe_organizer": "organizer",
        "tags": "tag",
        "tribe_events_cat": "category",
    }

    def several(name, number=3):
        maker = request.getfixturevalue(f"make_{kinds[name]}")
        return [maker()["id"] for _ in range(number)]

    return several


@pytest.mark.parametrize("name", [*POSTS, "tags", "tribe_events_cat"])
def test_pages_are_plain_lists_with_totals_and_links_in_headers(wordpress, make, name):
    ids = make(name)
    page = wordpress("GET", f"/{name}", query_string={"per_page": 1, "page": 2, "orderby": "id"})
    assert (page.status_code, len(page.json)) == (200, 1)
    assert page.json[0]["id"] == sorted(ids)[1]
    assert (page.headers["X-WP-Total"], page.headers["X-WP-TotalPages"]) == ("3", "3")
    links = page.headers.getlist("Link")
    assert links[0] == f'<{SITE}/>; rel="https://api.w.org/"'
    list_address = f"{BASE}/{name}?per_page=1&orderby=id"
    assert links[1:] == [
        f'<{list_address}&page=1>; rel="prev"',
        f'<{list_address}&page=3>; rel="next"',
    ]


@pytest.mark.parametrize("name", [*POSTS, "tags", "tribe_events_cat"])
def test_all_that_is_asked_for_is_answered_up_to_a_hundred(wordpress, make, listed, name):
    ids = make(name, 12)
    assert len(listed(name)) == 10
    assert sorted(listed(name, per_page=100)) == ids
    too_many = wordpress("GET", f"/{name}", query_string={"per_page": 101})
    assert (too_many.status_code, too_many.code) == (400, "rest_invalid_param")
    assert too_many.invalid_params == ["per_page"]


@pytest.mark.parametrize("name", POSTS)
def test_a_page_behind_the_last_one_is_refused_as_wordpress_does(wordpress, make, name):
    assert wordpress("GET", f"/{name}", query_string={"page": 2}).json == []
    make(name)
    answer = wordpress("GET", f"/{name}", query_string={"page": 2})
    assert (answer.status_code, answer.code) == (400, "rest_post_invalid_page_number")


def test_terms_behind_the_last_page_are_none(listed, make):
    make("tags")
    assert listed("tags", page=2) == []


def test_an_offset_counts_in_place_of_the_page(wordpress, make, listed):
    first, second, third = make("tribe_venue")
    assert listed("tribe_venue", orderby="id", order="asc", offset=1) == [second, third]
    assert listed("tribe_venue", orderby="id", order="asc", offset=7) == []
    page = wordpress("GET", "/tribe_venue", query_string={"offset": 1, "per_page": 1})
    assert page.headers["X-WP-Total"] == "3"
    assert listed("tribe_venue", orderby="id", offset=2) == [first]


def test_the_newest_come_first_unless_another_order_is_asked_for(listed, make_venue):
    old, new = (
        make_venue(venue=name, date=f"2029-01-0{day} 10:00:00")["id"]
        for day, name in enumerate(("Zum Hirschen", "Adler"), start=1)
    )
    assert listed("tribe_venue") == [new, old]
    assert listed("tribe_venue", order="asc") == [old, new]
    assert listed("tribe_venue", orderby="title", order="asc") == [new, old]
    assert listed("tribe_venue", orderby="include", include=f"{old},{new}") == [old, new]


def test_posts_are_found_by_words_slug_author_and_time(listed, make_venue, as_author):
    hall = make_venue(by=as_author, venue="Blaue Halle", date="2029-01-02 10:00:00")
    barn = make_venue(venue="Scheune", date="2029-01-04 10:00:00")
    only_hall, only_barn = [hall["id"]], [barn["id"]]
    assert listed("tribe_venue", search="halle") == only_hall
    assert listed("tribe_venue", slug="blaue-halle") == only_hall
    both = [barn["id"], hall["id"]]
    assert listed("tribe_venue", slug=f"{hall['slug']},{barn['slug']}") == both
    assert listed("tribe_venue", author=as_author.id) == only_hall
    assert listed("tribe_venue", author_exclude=as_author.id) == only_barn
    assert listed("tribe_venue", after="2029-01-03T00:00:00") == only_barn
    assert listed("tribe_venue", before="2029-01-03T00:00:00") == only_hall
    assert listed("tribe_venue", exclude=barn["id"]) == only_hall
    assert listed("tribe_venue", include="999999") == []


def test_events_are_found_by_their_terms(listed, make_event, make_category, make_tag):
    above = make_category()["id"]
    below = make_category(parent=above)["id"]
    tag = make_tag()["id"]
    tagged = make_event(tags=[tag], categories=[below])["id"]
    plain = make_event(categories=[above])["id"]
    assert listed("tribe_events", tags=tag) == [tagged]
    assert listed("tribe_events", tags_exclude=tag) == [plain]
    assert listed("tribe_events", tribe_events_cat=above) == [plain]
    assert listed("tribe_events", tribe_events_cat_exclude=above) == [tagged]
    assert listed("tribe_events", search="Event") == [plain, tagged]


def test_past_events_are_listed_too(listed, make_event):
    past = make_event(start_date="2020-01-01 10:00:00", end_date="2020-01-01 11:00:00")["id"]
    assert listed("tribe_events") == [past]


def test_terms_are_found_by_parent_event_and_slug(listed, make_category, make_event):
    above = make_category(name="Musik")["id"]
    below = make_category(name="Jazz", parent=above)["id"]
    event = make_event(categories=[below])["id"]
    assert listed("tribe_events_cat", parent=0) == [above]
    assert listed("tribe_events_cat", parent=above) == [below]
    assert listed("tribe_events_cat", post=event) == [below]
    assert listed("tribe_events_cat", slug="jazz") == [below]
    assert listed("tribe_events_cat", orderby="name") == [below, above]
    assert listed("tribe_events_cat", orderby="count", order="desc")[0] == below


def test_terms_without_events_are_listed_unless_they_are_not_wanted(listed, make_tag):
    unused = make_tag()["id"]
    assert listed("tags") == [unused]
    assert listed("tags", hide_empty="true") == []


def test_only_chosen_fields_of_each_record_are_answered(wordpress, make_venue):
    venue = make_venue(venue="Saal")
    query = {"_fields": "id,title.rendered"}
    answer = wordpress("GET", "/tribe_venue", query_string=query)
    assert answer.json == [{"id": venue["id"], "title": {"rendered": "Saal"}}]


@pytest.mark.parametrize(
    ("name", "query"),
    [
        ("tribe_venue", {"orderby": "rand"}),
        ("tribe_venue", {"order": "up"}),
        ("tribe_venue", {"per_page": 0}),
        ("tribe_venue", {"page": "x"}),
        ("tribe_venue", {"offset": -1}),
        ("tribe_venue", {"include": "x"}),
        ("tribe_venue", {"after": "never"}),
        ("tribe_venue", {"status": "draft"}),
        ("tribe_venue", {"context": "all"}),
        ("tags", {"orderby": "rand"}),
        ("tribe_events_cat", {"parent": "x"}),
        ("tribe_events", {"tribe_events_cat": "x"}),
        ("tribe_events", {"translation_language": "xx"}),
    ],
)
def test_a_wrong_parameter_is_named(wordpress, name, query):
    answer = wordpress("GET", f"/{name}", query_string=query)
    assert (answer.status_code, answer.code) == (400, "rest_invalid_param")
    assert answer.invalid_params == list(query)


def test_texts_are_in_the_language_of_the_request(wordpress, make_venue, as_admin):
    venue = make_venue(venue="Saal")
    as_admin.post(f"/venues/{venue['id']}?translation_language=rm", venue="Sala")
    query = {"translation_language": "rm"}
    (venue_there,) = wordpress("GET", "/tribe_venue", query_string=query).json
    assert venue_there["title"] == {"rendered": "Sala"}
    assert venue_there["link"] == f"{SITE}/rm/venue/sala/"


class TestWhoReads:
    def test_drafts_are_hidden_from_strangers(self, wordpress, listed, make_venue, as_editor):
        draft = make_venue(status="draft")["id"]
        assert listed("tribe_venue") == []
        assert wordpress("GET", f"/tribe_venue/{draft}").status_code == 404
        assert listed("tribe_venue", by=as_editor, status="any") == [draft]
        assert listed("tribe_venue", by=as_editor) == []

    def test_a_protected_event_shows_its_title_alone(self, wordpress, listed, make_event, as_admin):
        tag = as_admin.post("/tags", name="Geheim").json["id"]
        event = make_event(title="Treffen", description="Geheim", cost="12", tags=[tag])
        as_admin.put(f"/events/{event['id']}", password="swordfish")
        (event_there,) = wordpress("GET", "/tribe_events").json
        assert event_there["title"]["rendered"] == "Treffen"
        assert event_there["content"] == {"rendered": "", "protected": True}
        assert (event_there["tags"], event_there["meta"]["_EventCost"]) == ([], "")
        assert listed("tribe_events", tags=tag) == []
        path = f"/tribe_events/{event['id']}"
        opened = wordpress("GET", path, query_string={"password": "swordfish"})
        assert opened.json["tags"] == [tag]
        wrong = wordpress("GET", path, query_string={"password": "tuna"})
        assert (wrong.status_code, wrong.code) == (403, "rest_post_incorrect_password")

    def test_the_context_of_editors_is_for_them(self, wordpress, listed, make_venue, as_author):
        own = make_venue(by=as_author, venue="A & B")["id"]
        make_venue()
        refused = wordpress("GET", "/tribe_venue", query_string={"context": "edit"})
        assert (refused.status_code, refused.code) == (401, "rest_forbidden_context")
        assert listed("tribe_venue", by=as_author, context="edit") == [own]
        path = f"/tribe_venue/{own}"
        query = {"context": "edit"}
        venue_there = wordpress("GET", path, by=as_author, query_string=query).json
        assert venue_there["title"] == {"rendered": "A &amp; B", "raw": "A & B"}
