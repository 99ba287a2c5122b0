"""The slug of a date: one segment with a dash in answers, with a slash in addresses of pages."""

import pytest

DAY = "2030-03-13"
SINGLE = {
    "title": f"Market {DAY}",
    "start_date": f"{DAY} 18:00:00",
    "end_date": f"{DAY} 20:00:00",
}


@pytest.mark.parametrize("slug", [f"market-{DAY}", f"market/{DAY}"])
@pytest.mark.parametrize("ending", ["", ".ics"])
def test_date_is_found_by_both_forms(make_weekly, occurrences, anyone, slug, ending):
    second = occurrences(make_weekly()["id"])[1]
    answer = anyone.get(f"/events/by-slug/{slug}{ending}")
    assert answer.status_code == 200
    assert second["url"] in answer.text.replace("\r\n ", "")


def test_second_one_of_a_day_is_found_by_both_forms(make_weekly, occurrences, anyone):
    first = make_weekly(recurrence={"rdate": ["2030-03-06 14:00:00"]})
    second = occurrences(first["id"])[1]
    for slug in ("market-2030-03-06-2", "market/2030-03-06-2"):
        assert anyone.get(f"/events/by-slug/{slug}").json["id"] == second["id"]


def test_new_event_gets_no_slug_that_a_date_shows(make_weekly, make_event, anyone):
    first = make_weekly()["id"]
    single = make_event(**SINGLE)
    assert single["slug"] == f"market-{DAY}-2"
    assert anyone.get(f"/events/by-slug/market-{DAY}").json["series"]["id"] == first
    assert anyone.get(f"/events/by-slug/market-{DAY}-2").json["id"] == single["id"]


def test_event_with_the_slug_of_a_later_series_keeps_it(make_weekly, make_event, anyone):
    single = make_event(**SINGLE)
    first = make_weekly()["id"]
    assert anyone.get(f"/events/by-slug/market-{DAY}").json["id"] == single["id"]
    assert anyone.get(f"/events/by-slug/market/{DAY}").json["series"]["id"] == first


def test_event_leaves_the_slug_to_the_date_again(make_weekly, make_event, as_admin, anyone):
    single = make_event(**SINGLE)
    first = make_weekly()["id"]
    as_admin.delete(f"/events/{single['id']}")
    assert anyone.get(f"/events/by-slug/market-{DAY}").json["series"]["id"] == first


def test_event_that_is_left_of_a_series_takes_its_slug(make_weekly, as_admin):
    path = f"/events/{make_weekly()['id'] + 1}"
    assert as_admin.get(path).json["slug"] == f"market-{DAY}"
    assert as_admin.patch(path, recurrence="", scope="all").json["slug"] == "market"


@pytest.mark.parametrize("scope", ["this", "following", "all"])
def test_shown_slugs_sent_back_change_nothing(make_weekly, as_admin, scope):
    texts = {"rm": {"title": "Martgà", "slug": "martga"}}
    first = make_weekly(variants=texts)["id"]
    path = f"/events/{first + 1}"
    before = as_admin.get(path, translation_language="all").json
    assert before["variants"]["rm"]["slug"] == f"martga-{DAY}"
    assert as_admin.put(path, **before, scope=scope).status_code == 200
    assert as_admin.get(path, translation_language="all").json == before


def test_borrowed_slug_sent_back_changes_nothing(make_weekly, as_admin):
    path = f"/events/{make_weekly()['id'] + 1}"
    before = as_admin.get(path, translation_language="rm").json
    assert "slug" in before["fallback_fields"]
    as_admin.put(path, **before)
    assert as_admin.get(path, translation_language="rm").json == before


def test_shown_slug_sent_for_all_is_that_of_the_series(make_weekly, as_admin, occurrences):
    first = make_weekly()["id"]
    as_admin.patch(f"/events/{first + 1}", slug=f"fair-{DAY}", scope="all")
    assert [event["slug"] for event in occurrences(first)][:2] == ["fair-2030-03-06", f"fair-{DAY}"]


def test_trashed_date_is_found_by_the_slug_that_it_shows(make_weekly, as_admin):
    path = f"/events/{make_weekly()['id'] + 1}"
    slug = as_admin.delete(path).json["slug"]
    assert slug == f"market-{DAY}__trashed"
    assert (
        as_admin.patch(f"/events/by-slug/{slug}", status="publish").json["slug"] == f"market-{DAY}"
    )


def test_former_slug_of_a_series_leads_to_the_present_one(make_weekly, as_admin, anyone):
    number = make_weekly()["id"]
    as_admin.patch(f"/series/{number}", slug="fair")
    answer = anyone.get("/events/by-slug/market")
    assert answer.status_code == 301
    assert answer.headers["Location"].endswith("/events/by-slug/fair")
