"""Small manners of the reference that programs may rely on."""

import pytest

TERMS = ["categories", "tags"]
REQUIRED = {
    "events": {"title": "Name", "start_date": "2030-03-10 19:00", "end_date": "2030-03-10 22:00"},
    "venues": {"venue": "Name"},
    "organizers": {"organizer": "Name"},
}
NAME_OF = {"events": "title", "venues": "venue", "organizers": "organizer"}


def ids(answer, collection):
    assert answer.status_code == 200, answer.json
    return [record["id"] for record in answer.json[collection]]


@pytest.mark.parametrize("collection", TERMS)
def test_lists_of_terms_are_narrowed_by_ids_and_not_by_slugs(as_admin, anyone, collection):
    first, two = (
        as_admin.post(f"/{collection}", name=name).json["id"] for name in ("Theater", "Zirkus")
    )

    def listed(**query):
        return ids(anyone.get(f"/{collection}", hide_empty=False, **query), collection)

    assert listed(include="theater") == []
    assert listed(include=f"theater,{two}") == [two]
    assert listed(exclude="theater") == [first, two]
    assert listed(exclude=f"theater,{two}") == [first]
    assert anyone.get(f"/{collection}", exclude="nope").invalid_params == ["exclude"]


@pytest.mark.parametrize("status", ["publish,publish", "PUBLISH", "", ",", "any"])
def test_strangers_may_request_only_published_records(anyone, as_subscriber, status):
    for caller in (anyone, as_subscriber):
        for collection in ("events", "venues", "organizers"):
            assert caller.get(f"/{collection}", status=status).invalid_params == ["status"]
            assert caller.get(f"/{collection}", status="publish").status_code == 200


def test_post_parent_accepts_a_single_event(anyone, make_event):
    above, other_id = make_event()["id"], make_event()["id"]
    below = make_event(post_parent=above)["id"]

    assert ids(anyone.get("/events", post_parent=above), "events") == [below]
    for wrong in (f"{above},{other_id}", 0, "", "abc", 999999):
        assert anyone.get("/events", post_parent=wrong).invalid_params == ["post_parent"]
    assert anyone.send("GET", f"/events?post_parent[]={above}").invalid_params == ["post_parent"]


def test_dates_beside_include_do_not_count_but_must_be_dates(anyone, make_event):
    event = make_event()["id"]

    for name in ("start_date", "ends_before", "overlaps_from"):
        assert ids(anyone.get("/events", include=event, **{name: "1999-01-01"}), "events") == [
            event
        ]
        assert anyone.get("/events", include=event, **{name: "zzz"}).invalid_params == [name]


@pytest.mark.parametrize("word", ["1", "true", "TRUE", "yes", "y", "on", "enable", "enabled"])
def test_a_yes_makes_dates_strict(anyone, make_event, word):
    make_event(start_date="2030-03-10 19:00", end_date="2030-03-10 20:00")

    answer = anyone.get("/events", start_date="2030-03-10 19:01", strict_dates=word)
    assert answer.json["total"] == 0


@pytest.mark.parametrize("word", ["0", "false", "no", "maybe"])
def test_anything_else_leaves_whole_days(anyone, make_event, word):
    make_event(start_date="2030-03-10 19:00", end_date="2030-03-10 20:00")

    answer = anyone.get("/events", start_date="2030-03-10 19:01", strict_dates=word)
    assert answer.json["total"] == 1


def test_strict_dates_must_not_be_empty(anyone):
    assert anyone.get("/events", strict_dates="").invalid_params == ["strict_dates"]


@pytest.mark.parametrize("field", ["venue", "organizer"])
def test_a_name_in_other_letters_finds_a_record_and_leaves_its_name(as_admin, field):
    collection = f"{field}s"
    first = as_admin.post(f"/{collection}", **{field: "Tonhalle"}).json
    again = as_admin.post(f"/{collection}", **{field: "TONHALLE", "phone": "044"})

    assert again.status_code == 201
    assert again.json["id"] == first["id"]
    assert again.json[field] == "Tonhalle"
    assert again.json["phone"] == "044"


def test_an_empty_object_links_nothing(as_admin, make_event):
    event = make_event(venue={"venue": "Halle"}, organizer={"organizer": "Verein"})
    changed = as_admin.put(f"/events/{event['id']}", venue={}, organizer={}).json

    assert (changed["venue"], changed["organizer"]) == ([], [])


@pytest.mark.parametrize("collection", TERMS)
def test_true_names_a_term(make_event, collection):
    for sent in (True, [True]):
        assert [term["name"] for term in make_event(**{collection: sent})[collection]] == ["1"]


def test_an_author_that_is_no_whole_number_is_of_the_wrong_type(as_admin):
    answer = as_admin.post("/venues", venue="Halle", author=2.5)

    assert answer.invalid_params == ["author"]
    assert answer.json["data"]["details"]["author"]["data"] == {"param": "author"}
    assert answer.json["data"]["details"]["author"]["code"] == "rest_invalid_type"


@pytest.mark.parametrize("collection", ["events", "venues", "organizers"])
@pytest.mark.parametrize("status", ["auto-draft", "inherit"])
def test_states_that_wordpress_keeps_for_itself_may_be_sent(as_admin, anyone, collection, status):
    record = as_admin.post(f"/{collection}", **REQUIRED[collection], status=status).json

    assert record["status"] == status
    assert (record["date_utc"] == "0000-00-00 00:00:00") == (status == "auto-draft")
    assert ids(as_admin.get(f"/{collection}", status=status), collection) == [record["id"]]
    assert anyone.get(f"/{collection}/{record['id']}").status_code == 403
    assert anyone.get(f"/{collection}").json["total"] == 0


def test_auto_drafts_are_listed_only_on_request(as_admin, make_event):
    make_event(status="auto-draft")

    for query in ({}, {"status": "any"}):
        assert as_admin.get("/events", **query).json["total"] == 0


def test_contributors_may_not_use_them(as_contributor, make_event):
    for status in ("auto-draft", "inherit"):
        assert make_event(as_contributor, status=status)["status"] == "pending"


@pytest.mark.parametrize("body", [["title"], [1, 2], "title", 7, 1.5, True, None])
def test_json_that_is_no_object_sends_nothing(as_admin, make_event, body):
    path = f"/events/{make_event(title='Konzert')['id']}"

    assert as_admin.send("POST", "/events", json=body).code == "rest_missing_callback_param"
    assert as_admin.send("PUT", path, json=body).json["title"] == "Konzert"


TRUE = [True, "true", "TRUE", 1, "1"]
FALSE = [False, "false", "False", 0, "0"]


@pytest.mark.parametrize(
    ("sent", "expected"), [*((word, True) for word in TRUE), *((word, False) for word in FALSE)]
)
def test_booleans_are_taken_in_every_spelling(make_event, sent, expected):
    for field in ("featured", "sticky", "show_map", "all_day"):
        assert make_event(**{field: sent})[field] is expected


@pytest.mark.parametrize("word", ["yes", "Y", "on", "enable", "enabled", "1", "true"])
def test_affirmative_words_are_true(anyone, make_event, make_venue, word):
    used, unused = make_venue()["id"], make_venue()["id"]
    make_event(venue=used)

    assert ids(anyone.get("/venues", has_events=word), "venues") == [used]
    assert ids(anyone.get("/venues", only_with_upcoming=word), "venues") == [used]
    assert ids(anyone.get("/venues", has_events="maybe"), "venues") == [unused]
    assert len(ids(anyone.get("/venues", only_with_upcoming="maybe"), "venues")) == 2


def test_white_space_and_nothing_between_commas_do_not_count(as_admin, make_event, make_venue):
    first, two = (make_event(venue=make_venue()["id"]) for _ in range(2))
    venue_ids = f" {first['venue']['id']} ,, {two['venue']['id']} ,"

    for query in ({"venue": venue_ids}, {"status": " draft ,, publish ,"}):
        assert ids(as_admin.get("/events", **query), "events") == [first["id"], two["id"]]


def test_a_post_code_may_be_a_number(make_venue):
    assert make_venue(zip=8001)["zip"] == "8001"


def test_a_draft_has_no_date_in_utc_before_it_is_published(as_admin, make_event):
    draft = make_event(status="draft")
    published = as_admin.put(f"/events/{draft['id']}", status="publish").json
    again = as_admin.put(f"/events/{draft['id']}", status="draft").json

    assert draft["date_utc"] == draft["modified_utc"] == "0000-00-00 00:00:00"
    for record in (published, again):
        assert record["date_utc"].startswith("2030-01-15 12:00:00")


@pytest.mark.parametrize("field", ["venue", "organizer"])
def test_events_are_filterable_by_trashed_links_only_for_their_readers(
    as_admin, anyone, make_event, field
):
    event = make_event(**{field: {field: "Name"}})["id"]
    linked = as_admin.get(f"/{field}s").json[f"{field}s"][0]["id"]
    as_admin.delete(f"/{field}s/{linked}")

    assert anyone.get(f"/events/{event}").json[field] == []
    assert anyone.get("/events", **{field: linked}).invalid_params == [field]
    assert ids(as_admin.get("/events", **{field: linked}), "events") == [event]


@pytest.mark.parametrize("collection", TERMS)
def test_terms_follow_the_order_of_include(as_admin, anyone, collection):
    a, b, c = (as_admin.post(f"/{collection}", name=name).json["id"] for name in "ABC")

    def listed(**query):
        parameters = {"hide_empty": False, "include": f"{c},{a},{b}", "orderby": "include"}
        return ids(anyone.get(f"/{collection}", **parameters, **query), collection)

    assert listed() == [c, a, b]
    assert listed(order="desc") == [b, a, c]


@pytest.mark.parametrize("collection", ["events", "venues", "organizers"])
def test_empty_status_selects_published_and_private_records(as_admin, collection):
    for status in ("publish", "private", "draft", "pending"):
        body = REQUIRED[collection] | {NAME_OF[collection]: f"Name {status}", "status": status}
        assert as_admin.post(f"/{collection}", **body).status_code == 201

    listed_records = as_admin.get(f"/{collection}", status="").json[collection]
    assert sorted(record["status"] for record in listed_records) == ["private", "publish"]


def test_a_category_below_another_tells_the_way_up(as_admin, make_category):
    above = make_category()["id"]
    urls = make_category(parent=above)["urls"]

    assert urls["up"].endswith(f"/categories/{above}")
    assert "up" not in as_admin.get(f"/categories/{above}").json["urls"]


def test_several_currencies_have_no_common_symbol(make_event):
    assert make_event(cost=["$10", "20€"])["cost_details"]["currency_symbol"] == ""


def test_tags_are_no_part_of_a_cost(make_event):
    assert make_event(cost="<b>Spende</b>")["cost"] == "Spende"
    assert make_event(cost=["<i>10</i>"])["cost_details"]["values"] == ["10"]


def test_kinds_may_share_a_slug(as_admin):
    slugs = [
        as_admin.post(f"/{collection}", **REQUIRED.get(collection, {"name": "Name"})).json["slug"]
        for collection in ("events", "venues", "organizers", "categories", "tags")
    ]

    assert slugs == ["name"] * 5


def test_an_excerpt_is_not_made_of_the_description(make_event):
    event = make_event(description="An evening of jazz")

    assert (event["excerpt"], event["custom_fields"]) == ("", [])


def test_the_index_of_the_site_is_linked_from_every_answer(anyone):
    for path in ("", "/events", "/events/1", "/nothing", "/tags"):
        links = anyone.get(path).headers.getlist("Link")
        assert any('rel="https://api.w.org/"' in link for link in links)


@pytest.mark.parametrize("parameter", ["_envelope", "_jsonp", "_method"])
def test_response_parameters_of_wordpress_are_ignored(anyone, make_event, parameter):
    event = make_event()["id"]

    assert anyone.get(f"/events/{event}", **{parameter: "PUT"}).json["id"] == event


@pytest.mark.parametrize("query", ["password=", "password[]=Sesam"])
def test_a_password_is_a_text_with_something_in_it(as_admin, anyone, make_event, query):
    path = f"/events/{make_event()['id']}"
    as_admin.put(path, password="Sesam")

    assert anyone.send("GET", f"{path}?{query}").invalid_params == ["password"]


@pytest.mark.parametrize("parent", [0, "x", 999999])
def test_any_parent_of_a_tag_is_refused(as_admin, make_tag, parent):
    path = f"/tags/{make_tag()['id']}"

    for answer in (
        as_admin.post("/tags", name="A", parent=parent),
        as_admin.put(path, parent=parent),
    ):
        assert (answer.status_code, answer.code) == (400, "rest_taxonomy_not_hierarchical")
    assert as_admin.put(path, parent=None).status_code == 200
