"""Texts of series and of occurrences, in several languages."""

from keeping import kept


def in_all(client, path):
    return client.get(path, translation_language="all").json["variants"]


def changed(answer):
    assert answer.status_code == 200, answer.json
    return answer.json


@kept
def weekly(make_weekly, occurrences):
    variants = {"rm": {"title": "Martgà"}}
    return [event["id"] for event in occurrences(make_weekly(variants=variants)["id"])]


def test_each_language_has_its_own_addresses(weekly, anyone):
    variants = in_all(anyone, f"/events/{weekly[1]}")
    assert variants["de"]["slug"] == "market-2030-03-13"
    assert variants["rm"]["slug"] == "martga-2030-03-13"
    assert anyone.get("/events/by-slug/martga/2030-03-13").json["id"] == weekly[1]


def test_translation_of_all_reaches_every_occurrence(weekly, as_admin, anyone):
    changed(
        as_admin.patch(
            f"/events/{weekly[0]}?translation_language=rm", description="Mintga emna", scope="all"
        )
    )
    for number in weekly:
        variants = in_all(anyone, f"/events/{number}")
        assert variants["rm"]["description"] == "<p>Mintga emna</p>"
        assert "description" not in variants["de"]


def test_override_in_one_language_leaves_the_other_to_the_series(weekly, as_admin, anyone):
    event = changed(
        as_admin.patch(f"/events/{weekly[1]}?translation_language=rm", title="Martgà da notg")
    )
    assert event["overrides"] == ["title"]
    changed(
        as_admin.patch(
            f"/events/{weekly[0]}",
            variants={"de": {"title": "Messe"}, "rm": {"title": "Fiera"}},
            scope="all",
        )
    )
    variants = in_all(anyone, f"/events/{weekly[1]}")
    assert {tag: texts["title"] for tag, texts in variants.items()} == {
        "de": "Messe",
        "rm": "Martgà da notg",
    }
    states = anyone.get(f"/events/{weekly[1]}").json["translations"]
    assert states["rm"]["status"] == "outdated"
    states = anyone.get(f"/events/{weekly[2]}").json["translations"]
    assert states["rm"]["status"] == "current"
    assert anyone.get("/events", search="fiera", translation_language="rm").json["total"] == 4
    assert anyone.get("/events", search="notg", translation_language="rm").json["total"] == 1


def test_date_keeps_who_wrote_its_own_text_when_the_series_changes(weekly, as_admin, anyone):
    def origins(number):
        texts = anyone.get(f"/events/{number}", translation_language="all").json["text_origins"]
        return {name: each["origin"] for name, each in texts["rm"].items()}

    changed(
        as_admin.patch(
            f"/events/{weekly[1]}?translation_language=rm",
            title="Martgà da notg",
            translation_origin="machine",
        )
    )
    changed(as_admin.patch(f"/events/{weekly[0]}", cost="5", scope="all"))
    assert origins(weekly[1])["title"] == "machine"
    assert origins(weekly[2])["title"] == "human"


def test_changed_source_makes_the_translation_of_all_outdated(weekly, as_admin, anyone):
    changed(as_admin.patch(f"/events/{weekly[0]}", title="Messe", scope="all"))
    for number in weekly:
        states = anyone.get(f"/events/{number}").json["translations"]
        assert states["rm"]["status"] == "outdated"
    changed(
        as_admin.patch(
            f"/events/{weekly[3]}?translation_language=rm",
            translation_status="current",
            scope="all",
        )
    )
    for number in weekly:
        states = anyone.get(f"/events/{number}").json["translations"]
        assert states["rm"]["status"] == "current"


def test_language_taken_from_one_occurrence_stays_away(weekly, as_admin, anyone):
    event = changed(
        as_admin.delete(f"/events/{weekly[1]}", translation_language="rm", translation_only=True)
    )
    assert event["overrides"] == ["translations"]
    changed(
        as_admin.patch(f"/events/{weekly[0]}?translation_language=rm", excerpt="Curt", scope="all")
    )
    assert set(in_all(anyone, f"/events/{weekly[1]}")) == {"de"}
    assert set(in_all(anyone, f"/events/{weekly[2]}")) == {"de", "rm"}


def test_language_that_the_series_lost_is_no_override(weekly, as_admin):
    query = {"translation_language": "rm", "translation_only": True}
    as_admin.delete(f"/events/{weekly[1]}", **query)
    as_admin.delete(f"/events/{weekly[0]}", **query, scope="all")
    as_admin.patch(f"/events/{weekly[0]}", cost="5", scope="all")
    assert as_admin.get(f"/events/{weekly[1]}").json["overrides"] == []


def test_language_taken_from_all(weekly, as_admin, anyone):
    query = {"translation_language": "rm", "translation_only": True, "scope": "all"}
    changed(as_admin.delete(f"/events/{weekly[1]}", **query))
    for number in weekly:
        assert set(in_all(anyone, f"/events/{number}")) == {"de"}
    query["translation_language"] = "de"
    assert as_admin.delete(f"/events/{weekly[1]}", **query).status_code == 409


def test_rule_text_is_in_the_language_of_the_reader(weekly, anyone):
    texts = [
        anyone.get(f"/events/{weekly[0]}", translation_language=tag).json["series"]["text"]
        for tag in ("de", "rm")
    ]
    assert texts[0].startswith("jeden Mittwoch")
    assert texts[1] != texts[0]
