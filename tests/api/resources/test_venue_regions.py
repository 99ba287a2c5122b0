"""The state or province of a venue: what is shown of it, and what it follows from."""

import pytest


@pytest.mark.parametrize(
    ("sent", "expected"),
    [
        ({"state": "CA", "province": "P", "country": "US"}, "CA"),
        ({"state": "CA", "province": "P", "country": "United States"}, "CA"),
        ({"state": "CA", "province": "P"}, "CA"),
        ({"state": "CA", "province": "ZH", "country": "Switzerland"}, "ZH"),
        ({"province": "ZH", "country": "Switzerland"}, "ZH"),
        ({"state": "CA", "country": "Switzerland"}, "CA"),
        ({"state": "CA", "stateprovince": "Mine"}, "Mine"),
        ({"city": "Chur"}, None),
    ],
)
def test_state_and_province_are_merged_in_stateprovince(make_venue, sent, expected):
    assert make_venue(**sent).get("stateprovince") == expected


def test_an_update_of_a_venue_keeps_its_state_or_province(make_venue, as_admin):
    venue = make_venue(stateprovince="ZH")

    assert as_admin.put(f"/venues/{venue['id']}", city="Chur").json["stateprovince"] == "ZH"


ZURICH = {"country": "Switzerland", "province": "ZH", "stateprovince": "ZH"}


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"province": "BE"}, "BE"),
        ({"province": ""}, None),
        ({"country": "US", "state": "CA"}, "CA"),
        ({"province": "BE", "stateprovince": "Mine"}, "Mine"),
        ({"variants": {"de": {"province": "BE"}}}, "BE"),
    ],
)
@pytest.mark.parametrize("before", [ZURICH, ZURICH | {"stateprovince": "Old"}])
def test_the_state_or_province_follows_a_new_province(
    make_venue, as_admin, before, changes, expected
):
    path = f"/venues/{make_venue(**before)['id']}"
    assert as_admin.patch(path, **changes).json.get("stateprovince") == expected
    region = as_admin.get(path).json["json_ld"].get("address", {}).get("addressRegion")
    assert region == expected


def test_who_sends_back_a_venue_with_another_province_changes_its_region(make_venue, as_admin):
    for sent, expected in (("ZH", "BE"), ("Mine", "Mine")):
        path = f"/venues/{make_venue(**ZURICH | {'stateprovince': sent})['id']}"
        changed = as_admin.get(path).json | {"province": "BE"}
        assert as_admin.put(path, **changed).json["stateprovince"] == expected


def test_a_region_that_follows_from_others_follows_them_in_each_language(make_venue, as_admin):
    path = f"/venues/{make_venue(**ZURICH)['id']}"
    changed = as_admin.patch(path, province="Turitg", translation_language="rm").json
    assert changed["stateprovince"] == "Turitg"
    assert as_admin.get(path).json["stateprovince"] == "ZH"


GRISONS = {"country": "Switzerland", "province": "GR", "stateprovince": "Graubünden"}


@pytest.mark.parametrize(
    "same",
    [
        {"country": " Switzerland"},
        {"country": "Switzerland", "province": "GR", "state": ""},
        {"variants": {"de": {"country": "Switzerland", "city": "Chur"}}},
    ],
)
def test_region_stays_when_the_same_place_is_sent(make_venue, as_admin, same):
    path = f"/venues/{make_venue(**GRISONS)['id']}"
    assert as_admin.put(path, **same).json["stateprovince"] == "Graubünden"
    assert as_admin.get(path).json["stateprovince"] == "Graubünden"


def test_a_venue_that_is_used_again_keeps_its_region(make_venue, make_event):
    first = make_venue(venue="Hall", **GRISONS)
    again = {"venue": "Hall", "country": "Switzerland"}
    for venue in (make_venue(**again), make_event(venue=again)["venue"]):
        assert (venue["id"], venue["stateprovince"]) == (first["id"], "Graubünden")


SWISS = {
    "de": {"venue": "Halle", "country": "Schweiz", "province": "Graubünden"},
    "rm": {"venue": "Halla", "country": "Svizra", "province": "Grischun"},
}


def test_derived_region_is_not_stored_in_another_language(make_venue, as_admin):
    path = f"/venues/{make_venue(venue=None, variants=SWISS)['id']}"
    as_admin.patch(path, venue="Halle 1")
    record = as_admin.get(path, translation_language="all").json
    assert as_admin.send("PUT", f"{path}?translation_language=rm", json=record).status_code == 200
    assert as_admin.get(path, translation_language="all").json == record
    assert as_admin.get(path, translation_language="rm").json["stateprovince"] == "Grischun"


def test_region_sent_with_all_languages_is_stored(make_venue, as_admin):
    path = f"/venues/{make_venue(venue=None, variants=SWISS)['id']}"
    record = as_admin.get(path, translation_language="all").json | {"stateprovince": "Surselva"}
    changed = as_admin.send("PUT", f"{path}?translation_language=rm", json=record).json
    assert changed["stateprovince"] == "Surselva"
    texts = as_admin.get(path, translation_language="all").json["variants"]
    assert [tag for tag in texts if "stateprovince" in texts[tag]] == ["rm"]


def test_a_region_of_its_own_stays_beside_a_new_province_among_all_languages(make_venue, as_admin):
    own = {"de": SWISS["de"] | {"stateprovince": "Surselva"}}
    path = f"/venues/{make_venue(venue=None, variants=own)['id']}"
    record = as_admin.get(path, translation_language="all").json
    record["variants"]["de"]["province"] = "GR"
    assert as_admin.put(path, **record).json["stateprovince"] == "Surselva"
