"""Each write goes to the language that it names, to several, or to all of them."""

import pytest
from api.resources.five_collections import PLURALS, REQUIRED


@pytest.mark.parametrize("kind", PLURALS)
def test_a_new_record_has_the_language_it_was_written_in_alone(make_kind, stored_texts, kind):
    plural, label = PLURALS[kind]
    record = make_kind(kind, translation_language="rm", **{label: "Concert"})
    assert record["language"] == "rm"
    assert record["translations"]["de"]["status"] == "missing"
    assert record["translations"]["rm"]["status"] == "current"
    assert stored_texts(f"/{plural}/{record['id']}").keys() == {"rm"}


@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH"])
@pytest.mark.parametrize("kind", PLURALS)
def test_a_write_in_one_language_changes_no_other(anyone, as_admin, make_kind, kind, method):
    plural, label = PLURALS[kind]
    record = make_kind(kind, **{label: "Konzert", "description": "Musik"})
    path = f"/{plural}/{record['id']}"
    body = {"translation_language": "rm", label: "Concert", "description": "Musica"}
    answer = as_admin.send(method, path, json=body)
    assert (answer.status_code, answer.json[label]) == (200, "Concert")
    assert answer.headers["Content-Language"] == "rm"
    german = anyone.get(path).json
    assert (german[label], german["slug"]) == ("Konzert", "konzert")
    assert "Musik" in german["description"]


def test_each_language_gets_a_slug_of_its_own(as_admin, make_event, stored_texts):
    event = make_event(title="Konzert")
    path = f"/events/{event['id']}"
    as_admin.post(path, translation_language="rm", title="Concert")
    assert {tag: texts["slug"] for tag, texts in stored_texts(path).items()} == {
        "de": "konzert",
        "rm": "concert",
    }


def test_shared_fields_are_written_once_for_all_languages(anyone, as_admin, make_event):
    event = make_event(title="Konzert", cost="10", website="https://de.example/")
    path = f"/events/{event['id']}"
    as_admin.post(path, translation_language="rm", title="Concert", cost="25", all_day=True)
    german = anyone.get(path).json
    assert german["all_day"]
    assert "25" in german["cost"]


def test_an_address_has_languages_as_texts_have(anyone, as_admin, make_event):
    event = make_event(title="Konzert", website="https://de.example/")
    path = f"/events/{event['id']}"
    as_admin.post(path, translation_language="rm", website="https://rm.example/")
    assert anyone.get(path).json["website"] == "https://de.example/"
    romansh = anyone.get(path, translation_language="rm").json
    assert romansh["website"] == "https://rm.example/"


def test_several_languages_are_written_in_one_request(as_admin, make_event, stored_texts):
    event = make_event(title="Konzert")
    path = f"/events/{event['id']}"
    variants = {
        "de": {"title": "Sommerkonzert", "excerpt": "Abend"},
        "rm": {"title": "Concert da stad"},
    }
    assert as_admin.post(path, variants=variants).status_code == 200
    assert stored_texts(path) == {
        "de": {"title": "Sommerkonzert", "excerpt": "<p>Abend</p>", "slug": "konzert"},
        "rm": {"title": "Concert da stad", "slug": "concert-da-stad"},
    }


@pytest.mark.parametrize("code", ["RM", "Rm", " rm"])
def test_variant_language_ignores_letter_case(as_admin, make_event, stored_texts, code):
    path = f"/events/{make_event(title='Konzert')['id']}"
    assert as_admin.post(path, variants={code: {"title": "Concert"}}).status_code == 200
    assert stored_texts(path).keys() == {"de", "rm"}


def test_a_language_in_two_spellings_among_variants_is_refused_by_name(as_admin, make_event):
    texts = {"rm": {"title": "Concert"}, "RM": {"title": "Concerts"}}
    answer = as_admin.post(f"/events/{make_event()['id']}", variants=texts)
    assert (answer.status_code, answer.invalid_params) == (400, ["variants"])
    assert "rm darf nur einmal" in answer.json["data"]["params"]["variants"]


@pytest.mark.parametrize("kind", PLURALS)
@pytest.mark.parametrize(
    "bad",
    [
        {"xx": {"description": "?"}},
        {"DE": {"description": "?"}},
        {"rm": "Concert"},
        {"rm": {"description": 5}},
        {"rm": None},
    ],
)
def test_one_bad_language_among_variants_stores_nothing(
    as_admin, make_kind, stored_texts, kind, bad
):
    plural, label = PLURALS[kind]
    record = make_kind(kind, **{label: "Konzert"})
    path = f"/{plural}/{record['id']}"
    before = stored_texts(path)
    answer = as_admin.post(path, variants={"de": {label: "Neu"}, **bad})
    assert (answer.status_code, answer.invalid_params) == (400, ["variants"])
    assert stored_texts(path) == before


@pytest.mark.parametrize("value", ["de", [], 5, [{"de": {"title": "Konzert"}}]])
def test_variants_of_another_shape_are_refused(as_admin, make_event, value):
    event = make_event()
    answer = as_admin.post(f"/events/{event['id']}", variants=value)
    assert (answer.status_code, answer.invalid_params) == (400, ["variants"])


@pytest.mark.parametrize("label", ["", "  ", "<b></b>", None])
def test_no_language_gets_an_empty_title(as_admin, make_event, stored_texts, label):
    event = make_event(title="Konzert")
    path = f"/events/{event['id']}"
    answer = as_admin.post(path, variants={"de": {"title": "Neu"}, "rm": {"title": label}})
    assert (answer.status_code, answer.invalid_params) == (400, ["variants"])
    assert stored_texts(path)["de"]["title"] == "Konzert"


@pytest.mark.parametrize("address", ["javascript:alert(1)", "nowhere", "https://exa mple.org/"])
@pytest.mark.parametrize("kind", ["event", "venue", "organizer"])
def test_no_language_gets_an_address_that_its_field_refuses(as_author, make_kind, kind, address):
    plural, label = PLURALS[kind]
    record = make_kind(kind, by=as_author, **{label: "Konzert"})
    texts = {"de": {label: "Neu"}, "rm": {label: "Nov", "website": address}}
    changed = as_author.post(f"/{plural}/{record['id']}", variants=texts)
    response = as_author.post(f"/{plural}", **REQUIRED[plural], variants=texts)
    for answer in (changed, response):
        assert (answer.status_code, answer.invalid_params) == (400, ["variants"])
        assert answer.json["data"]["params"]["variants"] == (
            "variants: rm: website muss eine vollständige Adresse wie https://example.org/ sein."
        )
    assert as_author.get(f"/{plural}/{record['id']}").json[label] == "Konzert"


def test_a_venue_that_comes_with_an_event_has_no_address_that_runs_a_script(as_author):
    venue = {"venue": "Saal", "variants": {"rm": {"website": "javascript:alert(1)"}}}
    answer = as_author.post("/events", **REQUIRED["events"], venue=venue)
    assert (answer.status_code, answer.invalid_params) == (400, ["venue"])


def test_an_address_among_variants_may_be_empty(as_author, make_event, stored_texts):
    event = make_event(by=as_author, website="https://example.org/")
    for empty in ("", None):
        answer = as_author.post(f"/events/{event['id']}", variants={"de": {"website": empty}})
        assert answer.status_code == 200
        assert stored_texts(f"/events/{event['id']}")["de"]["website"] == ""


@pytest.mark.parametrize("empty", ["", None])
def test_an_empty_slug_among_variants_counts_as_in_one_language(
    as_author, make_event, stored_texts, empty
):
    variants = {"de": {"title": "Konzert", "slug": empty}}
    event = make_event(by=as_author, title=None, variants=variants)
    assert event["slug"] == "konzert"
    answer = as_author.post(f"/events/{event['id']}", variants={"de": {"slug": empty}})
    assert (answer.status_code, answer.invalid_params) == (400, ["variants"])
    assert stored_texts(f"/events/{event['id']}")["de"]["slug"] == "konzert"


def test_a_record_can_be_created_in_several_languages_at_once(as_admin, stored_texts):
    answer = as_admin.post(
        "/events",
        variants={"rm": {"title": "Concert"}, "de": {"title": "Konzert"}},
        start_date="2030-03-10 19:00:00",
        end_date="2030-03-10 22:00:00",
    )
    assert answer.status_code == 201
    assert stored_texts(f"/events/{answer.json['id']}").keys() == {"de", "rm"}


def test_a_title_of_null_beside_variants_is_not_sent(as_admin, stored_texts):
    answer = as_admin.post(
        "/events",
        title=None,
        variants={"rm": {"title": "Concert"}},
        start_date="2030-03-10 19:00:00",
        end_date="2030-03-10 22:00:00",
    )
    assert stored_texts(f"/events/{answer.json['id']}").keys() == {"rm"}


@pytest.mark.parametrize("language", ["de", "rm"])
@pytest.mark.parametrize("kind", PLURALS)
def test_sending_back_a_record_changes_nothing(as_admin, make_kind, stored_texts, kind, language):
    plural, label = PLURALS[kind]
    record = make_kind(kind, **{label: "Konzert & mehr", "description": "Musik"})
    path = f"/{plural}/{record['id']}"
    read = as_admin.get(path, translation_language=language).json
    texts = stored_texts(path)
    answer = as_admin.send("PUT", path, json=read, query_string={"translation_language": language})
    assert answer.status_code == 200
    assert stored_texts(path) == texts
    assert as_admin.get(path, translation_language=language).json == read


def test_etag_differs_between_languages(as_admin, make_event):
    event = make_event(title="Konzert")
    path = f"/events/{event['id']}"
    tags = {
        language: as_admin.get(path, translation_language=language).headers["ETag"]
        for language in ("de", "rm")
    }
    assert tags["de"] != tags["rm"]
    answer = as_admin.send(
        "POST",
        path,
        json={"title": "Neu"},
        query_string={"translation_language": "de"},
        headers={"If-Match": tags["rm"]},
    )
    assert answer.status_code == 412


def test_all_is_no_language_to_write_in(as_admin, make_event):
    event = make_event()
    for answer in (
        as_admin.post("/tags", name="laut", translation_language="all"),
        as_admin.post(f"/events/{event['id']}", title="Neu", translation_language="all"),
        as_admin.delete(f"/events/{event['id']}", translation_language="all"),
    ):
        assert (answer.status_code, answer.invalid_params) == (400, ["translation_language"])


def test_relations_are_shared_by_all_languages(anyone, as_admin, make_event, make_venue):
    venue = make_venue(venue="Saal")
    event = make_event(title="Konzert", venue=venue["id"], categories=["Musik"])
    as_admin.post(f"/events/{event['id']}", translation_language="rm", title="Concert")
    romansh = anyone.get(f"/events/{event['id']}", translation_language="rm").json
    assert romansh["venue"]["id"] == venue["id"]
    assert romansh["categories"][0]["id"] == event["categories"][0]["id"]


def test_records_created_with_an_event_are_in_the_request_language(make_event, stored_texts):
    event = make_event(
        translation_language="rm",
        title="Concert",
        venue={"venue": "Sala"},
        organizer={"organizer": "Uniun"},
        tags=["dad aut"],
    )
    for path in (
        f"/venues/{event['venue']['id']}",
        f"/organizers/{event['organizer'][0]['id']}",
        f"/tags/{event['tags'][0]['id']}",
    ):
        assert stored_texts(path).keys() == {"rm"}
