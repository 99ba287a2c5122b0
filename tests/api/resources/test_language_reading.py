"""Reading in one language: the chain of each field, what stands in another one, and lists."""

import pytest
from api.resources.five_collections import PLURALS


@pytest.fixture
def settings(settings):
    """Return the settings of a site in German, Romansh and French."""
    return type(settings).load(
        environment={},
        site_url=settings.site_url,
        languages=["de", "rm", "fr"],
        default_language="de",
        timezone="Europe/Zurich",
    )


def test_each_text_is_shown_in_the_first_language_of_the_chain_that_has_it(anyone, make_event):
    event = make_event(
        title=None,
        variants={
            "de": {"title": "Konzert", "description": "Musik", "excerpt": "Abend"},
            "rm": {"title": "Concert", "description": "Musica"},
            "fr": {"title": "Concert fr"},
        },
    )
    current_event = anyone.get(
        f"/events/{event['id']}", translation_language="fr", fallback="rm,de"
    ).json
    assert current_event["title"] == "Concert fr"
    assert current_event["description"] == "<p>Musica</p>"
    assert current_event["excerpt"] == "<p>Abend</p>"
    assert sorted(current_event["fallback_fields"]) == ["description", "excerpt"]
    assert current_event["language"] == "fr"


def test_the_chain_of_the_site_begins_with_its_default_language(anyone, make_event):
    event = make_event(
        title=None, variants={"rm": {"title": "Concert"}, "de": {"title": "Konzert"}}
    )
    current_event = anyone.get(f"/events/{event['id']}", translation_language="fr").json
    assert current_event["title"] == "Konzert"


def test_a_text_that_the_default_language_lacks_comes_from_the_others(anyone, make_event):
    event = make_event(translation_language="rm", title="Concert")
    current_event = anyone.get(f"/events/{event['id']}").json
    assert current_event["title"] == "Concert"
    assert "title" in current_event["fallback_fields"]
    assert current_event["slug"] == "concert"


@pytest.mark.parametrize("kind", PLURALS)
def test_without_fallback_nothing_of_another_language_is_shown(anyone, make_kind, kind):
    plural, label = PLURALS[kind]
    record = make_kind(kind, **{label: "Konzert", "description": "Musik"})
    answer = anyone.get(f"/{plural}/{record['id']}", translation_language="rm", fallback="none")
    assert answer.status_code == 200
    assert not answer.json.get(label)
    assert not answer.json.get("description")
    assert not answer.json.get("slug")
    assert answer.json["fallback_fields"] == []


@pytest.mark.parametrize("kind", PLURALS)
def test_name_and_slug_are_there_even_where_they_are_empty(anyone, as_admin, make_kind, kind):
    plural, label = PLURALS[kind]
    path = f"/{plural}/{make_kind(kind, **{label: 'Konzert'})['id']}"
    bare = {"translation_language": "rm", "fallback": "none"}
    record = anyone.get(path, **bare).json
    assert (record[label], record["slug"]) == ("", "")
    sent_back = as_admin.send("PATCH", path, json=record, query_string=bare)
    assert sent_back.status_code == 200
    assert anyone.get(path).json[label] == "Konzert"
    assert anyone.get(path, **bare).json["translations"]["rm"]["status"] == "missing"


@pytest.mark.parametrize("kind", PLURALS)
def test_each_record_has_its_translation_states(anyone, make_kind, kind):
    plural, label = PLURALS[kind]
    record = make_kind(kind, **{label: "Konzert"})
    address = f"https://calendar.example/calendar/events/v1/{plural}/{record['id']}"
    translations = anyone.get(f"/{plural}/{record['id']}").json["translations"]
    assert list(translations) == ["de", "rm", "fr"]
    standings = {tag: standing["status"] for tag, standing in translations.items()}
    assert standings == {"de": "current", "rm": "missing", "fr": "missing"}
    for tag, standing in translations.items():
        assert standing["rest_url"] == f"{address}?translation_language={tag}"
        assert standing["url"].startswith("https://calendar.example/")
        assert anyone.follow(standing["rest_url"]).json["language"] == tag


@pytest.mark.parametrize("kind", PLURALS)
def test_lists_without_fallback_have_only_translated_records(anyone, make_kind, kind):
    plural, label = PLURALS[kind]
    for number in range(3):
        make_kind(kind, **{label: f"Nur deutsch {number}"})
    translated = [
        make_kind(kind, translation_language="rm", **{label: f"Rumantsch {number}"})["id"]
        for number in range(2)
    ]
    query = {"translation_language": "rm", "fallback": "none", "hide_empty": False}
    page = anyone.get(f"/{plural}", per_page=1, **query)
    assert (page.json["total"], page.json["total_pages"]) == (2, 2)
    assert page.headers["X-TEC-Total"] == "2"
    whole = anyone.get(f"/{plural}", **query).json
    assert sorted(record["id"] for record in whole[plural]) == sorted(translated)
    assert anyone.get(f"/{plural}", hide_empty=False).json["total"] == 5


def test_records_within_an_event_are_shown_by_the_same_chain(anyone, as_admin, make_event):
    event = make_event(
        title="Konzert",
        venue={"venue": "Saal", "city": "Chur"},
        organizer={"organizer": "Verein", "description": "Wir"},
        categories=["Musik"],
        tags=["laut"],
    )
    links = {
        "venues": (event["venue"]["id"], {"city": "Cuira"}),
        "organizers": (event["organizer"][0]["id"], {"organizer": "Uniun"}),
        "categories": (event["categories"][0]["id"], {"name": "Musica"}),
        "tags": (event["tags"][0]["id"], {"name": "dad aut"}),
    }
    for plural, (record_id, texts) in links.items():
        as_admin.post(f"/{plural}/{record_id}", translation_language="rm", **texts)
    current_event = anyone.get(f"/events/{event['id']}", translation_language="rm").json
    assert (current_event["venue"]["venue"], current_event["venue"]["city"]) == ("Saal", "Cuira")
    assert "venue" in current_event["venue"]["fallback_fields"]
    assert "city" not in current_event["venue"]["fallback_fields"]
    assert current_event["organizer"][0]["organizer"] == "Uniun"
    assert current_event["organizer"][0]["description"] == "<p>Wir</p>"
    assert current_event["categories"][0]["name"] == "Musica"
    assert current_event["tags"][0]["name"] == "dad aut"
    assert {
        part["language"]
        for part in [
            current_event["venue"],
            *current_event["organizer"],
            *current_event["categories"],
            *current_event["tags"],
        ]
    } == {"rm"}


def test_records_within_an_event_leak_nothing_without_fallback(anyone, as_admin, make_event):
    event = make_event(
        title="Konzert",
        venue={"venue": "Saal"},
        organizer={"organizer": "Verein"},
        categories=["Musik"],
    )
    as_admin.post(f"/events/{event['id']}", translation_language="rm", title="Concert")
    answer = anyone.get(f"/events/{event['id']}", translation_language="rm", fallback="none")
    record = answer.json
    assert record["title"] == "Concert"
    assert not record["venue"].get("venue")
    assert not record["organizer"][0].get("organizer")
    assert record["categories"][0]["name"] == ""
    assert [record["venue"]["id"], record["organizer"][0]["id"]] == [
        event["venue"]["id"],
        event["organizer"][0]["id"],
    ]
    assert "Saal" not in answer.get_data(as_text=True)


def test_content_language_is_the_requested_language(anyone, make_event):
    event = make_event(title="Konzert")
    path = f"/events/{event['id']}"
    assert anyone.get(path).headers["Content-Language"] == "de"
    assert anyone.get(path, translation_language="rm").headers["Content-Language"] == "rm"
    assert anyone.get("/events", translation_language="fr").headers["Content-Language"] == "fr"


def test_all_shows_the_stored_texts_of_every_language(anyone, make_event):
    variants = {"de": {"title": "Konzert"}, "rm": {"title": "Concert", "excerpt": "Saira"}}
    event = make_event(title=None, variants=variants)
    for event_body in (
        anyone.get(f"/events/{event['id']}", translation_language="all").json,
        anyone.get("/events", translation_language="all").json["events"][0],
    ):
        assert event_body["variants"] == {
            "de": {"title": "Konzert", "slug": "konzert"},
            "rm": {"title": "Concert", "excerpt": "<p>Saira</p>", "slug": "concert"},
        }
        assert (event_body["title"], event_body["language"]) == ("Konzert", "de")


def test_all_shows_the_stored_texts_of_terms_within_events(anyone, make_event, make_tag):
    tag = make_tag(name="Musik", variants={"rm": {"name": "Musica"}})
    event = make_event(categories=["Konzert"], tags=[tag["id"]])
    for path in (f"/events/{event['id']}", "/events"):
        record = anyone.get(path, translation_language="all").json
        (within,) = record.get("events", [record])
        names = [
            {language: texts["name"] for language, texts in term["variants"].items()}
            for term in (*within["categories"], *within["tags"])
        ]
        assert names == [{"de": "Konzert"}, {"de": "Musik", "rm": "Musica"}]


def test_variants_are_shown_only_for_all_languages(anyone, make_event):
    event = make_event(title="Konzert")
    assert "variants" not in anyone.get(f"/events/{event['id']}").json


def test_search_matches_the_shown_texts(anyone, make_event):
    both = make_event(
        title=None,
        variants={
            "de": {"title": "Sommerfest", "description": "Zürich"},
            "rm": {"title": "Festa da stad"},
        },
    )
    german = make_event(title="Sommernacht")

    def matching_ids(text, language, **query):
        page = anyone.get("/events", search=text, translation_language=language, **query).json
        return [event["id"] for event in page["events"]]

    assert matching_ids("sommer", "de") == [both["id"], german["id"]]
    # In Romansh the first one is called otherwise; the second one is shown in German.
    assert matching_ids("sommer", "rm") == [german["id"]]
    assert matching_ids("stad", "rm") == [both["id"]]
    assert matching_ids("stad", "de") == []
    assert matching_ids("zurich", "rm") == [both["id"]]
    assert matching_ids("zurich", "rm", fallback="none") == []


def test_search_in_romansh_overlooks_accents(anyone, make_event):
    event = make_event(translation_language="rm", title="Sün via d'aua, Engiadina ÈÒ")
    for text in ("sun", "SÜN", "eo", "èò"):
        page = anyone.get("/events", search=text, translation_language="rm").json
        assert [matching_ids["id"] for matching_ids in page["events"]] == [event["id"]]


def test_events_are_sorted_by_the_titles_that_are_shown(anyone, make_event):
    titles = [
        {"de": {"title": "Zebra"}, "rm": {"title": "àua"}},
        {"de": {"title": "Äpfel"}, "rm": {"title": "zebra"}},
        {"de": {"title": "Birnen"}},
    ]
    for variants in titles:
        make_event(title=None, variants=variants)

    def sorted_in(language):
        page = anyone.get("/events", orderby="title", translation_language=language).json
        return [event["title"] for event in page["events"]]

    assert sorted_in("de") == ["Äpfel", "Birnen", "Zebra"]
    assert sorted_in("rm") == ["àua", "Birnen", "zebra"]


def test_a_record_is_found_by_its_slug_in_any_language(anyone, make_event):
    event = make_event(
        title=None, variants={"de": {"title": "Konzert"}, "rm": {"title": "Concert"}}
    )
    for slug in ("konzert", "concert"):
        for language, title in (("de", "Konzert"), ("rm", "Concert"), ("fr", "Konzert")):
            response = anyone.get(f"/events/by-slug/{slug}", translation_language=language)
            assert (response.json["id"], response.json["title"]) == (event["id"], title)


def test_a_slug_means_the_record_that_has_it_in_the_language_asked_for(anyone, make_venue):
    german = make_venue(venue="Casa")
    romansh = make_venue(venue="Casa", translation_language="rm")
    assert german["id"] != romansh["id"]
    assert german["slug"] == romansh["slug"] == "casa"
    for language, venue in (("de", german), ("rm", romansh)):
        current_venue = anyone.get("/venues/by-slug/casa", translation_language=language).json
        assert current_venue["id"] == venue["id"]
