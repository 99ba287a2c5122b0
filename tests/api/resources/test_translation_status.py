"""Translations that are current, outdated or missing: judged by what their source says."""

import pytest
from api.resources.five_collections import PLURALS
from keeping import kept


@pytest.fixture
def settings(settings):
    """Return the settings of a site in three languages."""
    return type(settings).load(
        environment={},
        site_url=settings.site_url,
        languages=["de", "rm", "fr"],
        default_language="de",
        timezone="Europe/Zurich",
    )


@pytest.fixture
def standing(anyone):
    """Return a function that reads a record's translation status per language."""

    def read(path):
        translations = anyone.get(path).json["translations"]
        standings = {tag: each["status"] for tag, each in translations.items()}
        return {tag: status for tag, status in standings.items() if status != "missing"}

    return read


@kept
def translated(make_event, as_admin):
    """Return the path of an event written in German and translated to Romansh."""
    event = make_event(title="Konzert im Park", description="Musik für alle", excerpt="Musik")
    path = f"/events/{event['id']}"
    texts = {"title": "Concert en il parc", "description": "Musica per tuts"}
    as_admin.post(path, translation_language="rm", **texts)
    return path


@pytest.mark.parametrize("kind", PLURALS)
def test_a_changed_name_of_the_source_outdates_the_translation(as_admin, make_kind, standing, kind):
    plural, label = PLURALS[kind]
    record = make_kind(kind, **{label: "Konzert"})
    path = f"/{plural}/{record['id']}"
    as_admin.post(path, translation_language="rm", **{label: "Concert"})
    assert standing(path) == {"de": "current", "rm": "current"}
    as_admin.post(path, **{label: "Konzert am See"})
    assert standing(path) == {"de": "current", "rm": "outdated"}


def test_a_changed_text_that_the_translation_has_not_outdates_nothing(
    as_admin, translated, standing
):
    as_admin.post(translated, excerpt="Lärm")
    assert standing(translated) == {"de": "current", "rm": "current"}
    as_admin.post(translated, translation_language="rm", excerpt="Canera")
    as_admin.post(translated, excerpt="Stille")
    assert standing(translated)["rm"] == "outdated"


@pytest.mark.parametrize(
    "change",
    [
        {"title": "Konzert am See"},
        {"description": "Musik für einige"},
        {"description": ""},
    ],
)
def test_any_changed_text_of_the_source_outdates(as_admin, translated, standing, change):
    as_admin.post(translated, **change)
    assert standing(translated)["rm"] == "outdated"


@pytest.mark.parametrize(
    "change",
    [
        {"cost": "25"},
        {"start_date": "2030-03-10 18:00:00"},
        {"slug": "konzert"},
        {"website": "https://other.example/"},
        {"title": "  Konzert  im   Park "},
        {"description": "Musik  für\nalle"},
        {"description": "<p>Musik für <em>alle</em></p>"},
        {"categories": ["Musik"]},
    ],
)
def test_prices_addresses_and_white_space_outdate_nothing(as_admin, translated, standing, change):
    assert as_admin.post(translated, **change).status_code == 200
    assert standing(translated)["rm"] == "current"


def test_time_outdates_nothing(as_admin, translated, standing, clock):
    clock.advance(days=400)
    as_admin.post(translated, cost="25")
    assert standing(translated)["rm"] == "current"


def test_a_source_that_reads_as_it_did_makes_translations_current_again(
    as_admin, translated, standing
):
    as_admin.post(translated, title="Konzert am See")
    as_admin.post(translated, title="Konzert im Park")
    assert standing(translated)["rm"] == "current"


def test_a_changed_translation_does_not_outdate_its_source(as_admin, translated, standing):
    as_admin.post(translated, translation_language="rm", title="Concert al lai")
    assert standing(translated) == {"de": "current", "rm": "current"}


def test_new_translation_of_a_changed_text_is_current(as_admin, translated, standing):
    as_admin.post(translated, title="Konzert am See")
    as_admin.post(translated, translation_language="rm", title="Concert al lai")
    assert standing(translated)["rm"] == "current"


def test_translation_of_another_field_leaves_the_title_outdated(as_admin, translated, standing):
    as_admin.post(translated, title="Konzert am See")
    as_admin.post(translated, translation_language="rm", description="Musica per insaquants")
    assert standing(translated)["rm"] == "outdated"


def test_a_translation_can_be_confirmed(as_admin, translated, standing):
    as_admin.post(translated, title="Konzert am Park")
    answer = as_admin.post(translated, translation_language="rm", translation_status="current")
    assert answer.json["translations"]["rm"]["status"] == "current"
    assert answer.json["title"] == "Concert en il parc"
    as_admin.post(translated, title="Konzert am See")
    assert standing(translated)["rm"] == "outdated"


def test_sending_back_a_record_leaves_translations_outdated(as_admin, translated, standing):
    as_admin.post(translated, title="Konzert am See")
    for language in ("rm", "all"):
        read = as_admin.get(translated, translation_language=language).json
        written_in = {"translation_language": "rm" if language == "rm" else "de"}
        answer = as_admin.send("POST", translated, json=read, query_string=written_in)
        assert answer.status_code == 200
        assert standing(translated)["rm"] == "outdated"


def test_both_languages_written_at_once_are_current(as_admin, translated, standing):
    variants = {"de": {"title": "Konzert am See"}, "rm": {"title": "Concert al lai"}}
    as_admin.post(translated, variants=variants)
    assert standing(translated) == {"de": "current", "rm": "current"}


def test_first_written_language_is_the_source(as_admin, make_event, standing):
    event = make_event(translation_language="rm", title="Concert")
    path = f"/events/{event['id']}"
    as_admin.post(path, title="Konzert")
    as_admin.post(path, title="Konzert am See")
    assert standing(path) == {"de": "current", "rm": "current"}
    as_admin.post(path, translation_language="rm", title="Concert al lai")
    assert standing(path) == {"de": "outdated", "rm": "current"}


def test_a_translation_may_have_been_made_from_another_one(as_admin, translated, standing):
    french = {"title": "Concert au parc", "translated_from": "rm"}
    as_admin.post(translated, translation_language="fr", **french)
    as_admin.post(translated, title="Konzert am See")
    assert standing(translated) == {"de": "current", "rm": "outdated", "fr": "current"}
    as_admin.post(translated, translation_language="rm", title="Concert al lai")
    assert standing(translated) == {"de": "current", "rm": "current", "fr": "outdated"}


@pytest.mark.parametrize("source", ["xx", "fr", "rm", "DE", "", 5])
def test_a_source_that_the_record_does_not_have_is_refused(as_admin, translated, standing, source):
    answer = as_admin.post(translated, translation_language="rm", translated_from=source)
    assert (answer.status_code, answer.invalid_params) == (400, ["translated_from"])
    assert standing(translated) == {"de": "current", "rm": "current"}


def test_a_language_that_is_missing_cannot_be_confirmed(as_admin, translated):
    answer = as_admin.post(translated, translation_language="fr", translation_status="current")
    assert (answer.status_code, answer.invalid_params) == (400, ["translation_status"])


@pytest.mark.parametrize("status", ["outdated", "missing", "done", True])
def test_translation_status_accepts_only_current(as_admin, translated, status):
    answer = as_admin.post(translated, translation_language="rm", translation_status=status)
    assert (answer.status_code, answer.invalid_params) == (400, ["translation_status"])


def test_translation_keeps_its_state_without_its_source(as_admin, translated, standing):
    as_admin.post(translated, translation_language="fr", title="Concert au parc")
    as_admin.post(translated, title="Konzert am See")
    as_admin.post(translated, translation_language="rm", translation_status="current")
    as_admin.delete(translated, translation_language="de", translation_only=True)
    assert standing(translated) == {"rm": "current", "fr": "outdated"}


def test_the_source_that_takes_over_outdates_the_others(as_admin, make_event, standing):
    event = make_event(title="Konzert")
    path = f"/events/{event['id']}"
    for language in ("rm", "fr"):
        as_admin.post(path, translation_language=language, title=f"Concert {language}")
    as_admin.delete(path, translation_language="de", translation_only=True)
    assert standing(path) == {"rm": "current", "fr": "current"}
    outdated = set()
    for language in ("rm", "fr"):
        as_admin.post(path, translation_language=language, title=f"Concert {language} 2")
        outdated |= {tag for tag, status in standing(path).items() if status == "outdated"}
    # One of the two is the source now, and outdates the other one.
    assert len(outdated) == 1


@pytest.mark.parametrize("kind", PLURALS)
def test_editors_filter_by_translation_status(as_editor, as_admin, make_kind, kind):
    plural, label = PLURALS[kind]
    records = {
        standing: make_kind(kind, **{label: standing})
        for standing in ("missing", "outdated", "current")
    }
    for standing in ("outdated", "current"):
        path = f"/{plural}/{records[standing]['id']}"
        as_admin.post(path, translation_language="rm", **{label: f"rm {standing}"})
    path = f"/{plural}/{records['outdated']['id']}"
    as_admin.post(path, **{label: "Anders"})
    for standing, record in records.items():
        page = as_editor.get(
            f"/{plural}",
            translation_status=standing,
            translation_language="rm",
            hide_empty=False,
        ).json
        assert [listed_record["id"] for listed_record in page[plural]] == [record["id"]]
        assert page["total"] == 1


@pytest.mark.parametrize("plural", [plural for plural, _ in PLURALS.values()])
def test_strangers_cannot_filter_by_translation_status(anyone, plural):
    answer = anyone.get(f"/{plural}", translation_status="missing")
    assert (answer.status_code, answer.invalid_params) == (400, ["translation_status"])


def test_an_unknown_standing_is_refused(as_editor):
    answer = as_editor.get("/events", translation_status="done")
    assert (answer.status_code, answer.invalid_params) == (400, ["translation_status"])


@pytest.fixture
def twice_outdated(as_admin, translated):
    """Return the path of an event of which two texts in Romansh are outdated."""
    as_admin.patch(translated, title="Konzert am See", description="Musik für einige")
    return translated


def test_single_fields_are_confirmed(as_admin, twice_outdated, standing):
    as_admin.patch(twice_outdated, translation_status={"rm": {"title": "current"}})
    assert standing(twice_outdated)["rm"] == "outdated"
    as_admin.patch(twice_outdated, translation_status={"RM": {"description": "current"}})
    assert standing(twice_outdated)["rm"] == "current"


def test_confirmed_field_is_outdated_by_the_next_change(as_admin, twice_outdated, standing):
    fields = {"title": "current", "description": "current"}
    as_admin.patch(twice_outdated, translation_status={"rm": fields})
    as_admin.patch(twice_outdated, title="Konzert am Fluss")
    assert standing(twice_outdated)["rm"] == "outdated"


@pytest.mark.parametrize(
    "status",
    [{"rm": {"title": "outdated"}}, {"rm": {"cost": "current"}}, {"rm": ["title"]}, {"it": {}}],
)
def test_confirmation_that_makes_no_sense_is_refused(as_admin, translated, status):
    answer = as_admin.patch(translated, translation_status=status)
    assert answer.status_code == 400
    assert "translation_status" in answer.json["data"]["params"]
