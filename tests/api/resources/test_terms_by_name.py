"""A term is found by its exact name before a similar slug."""

import pytest

from calendar_app.accounts.callers import Caller
from calendar_app.api.http.request.state import get_services
from calendar_app.domain.kinds import EVENT
from calendar_app.errors import NotAllowed

TAXONOMIES = ["categories", "tags"]


@pytest.fixture(params=TAXONOMIES)
def taxonomy(request):
    return request.param


@pytest.mark.parametrize(
    "names", [("C++", "C#", "C"), ("Kunst & Bau", "Kunst Bau"), ("a/b", "A b")]
)
def test_names_with_similar_slugs_are_distinguished(anyone, make_event, make_term, taxonomy, names):
    ids = {name: make_term(taxonomy, name=name)["id"] for name in names}
    for name, number in ids.items():
        event = make_event(**{taxonomy: [name]})
        assert [term["id"] for term in event[taxonomy]] == [number]
        listed = anyone.get("/events", **{taxonomy: name}).json["events"]
        assert [each["id"] for each in listed] == [event["id"]]


def test_name_like_a_slug_creates_a_separate_term(make_event, make_term, taxonomy):
    make_term(taxonomy, name="a/b")
    linked_terms = make_event(**{taxonomy: ["a, b"]})[taxonomy]
    assert [term["name"] for term in linked_terms] == ["a, b"]


def test_unknown_name_selects_the_term_with_its_slug(anyone, make_event, make_term, taxonomy):
    term = make_term(taxonomy, name="Theater & Tanz")
    event = make_event(**{taxonomy: [term["id"]]})
    for spelling in ("Theater Tanz", "th\u00e9ater-tanz", "theater--tanz"):
        listed = anyone.get("/events", **{taxonomy: spelling}).json["events"]
        assert [each["id"] for each in listed] == [event["id"]]
    assert anyone.get("/events", **{taxonomy: "Tanz"}).invalid_params == [taxonomy]


def test_slug_of_a_term_wins_over_names_of_others(
    anyone, as_admin, make_event, make_term, taxonomy
):
    first = make_term(taxonomy, name="Music")["id"]
    as_admin.put(f"/{taxonomy}/{first}", name="Concerts")
    second = make_term(taxonomy, name="music")
    assert second["slug"] == "music-2"
    for spelling, number in (("music", first), ("music-2", second["id"]), ("Music", second["id"])):
        event = make_event(**{taxonomy: [spelling]})
        assert [term["id"] for term in event[taxonomy]] == [number]
        total = anyone.get("/events", include=event["id"], **{taxonomy: spelling}).json["total"]
        assert total == 1


def test_name_copied_from_a_response_selects_its_term(make_event, make_term, taxonomy):
    term = make_term(taxonomy, name="Kunst & Bau")
    assert term["name"] == "Kunst &amp; Bau"
    assert make_event(**{taxonomy: [term["name"]]})[taxonomy][0]["id"] == term["id"]


def test_shared_name_selects_the_term_with_its_slug(make_event, make_term, taxonomy):
    other_term = make_term(taxonomy, name="Jazz", slug="other")
    plain = make_term(taxonomy, name="Jazz", slug="jazz")
    for spelling, term in (("Jazz", plain), ("jazz", plain), ("other", other_term)):
        assert make_event(**{taxonomy: [spelling]})[taxonomy][0]["id"] == term["id"]


def test_non_latin_slug_is_found_plain_and_percent_encoded(make_event, make_term, taxonomy):
    term = make_term(taxonomy, name="Musik aus Japan", slug="\u97f3\u697d")
    for spelling in ("\u97f3\u697d", term["slug"], term["slug"].upper()):
        assert make_event(**{taxonomy: [spelling]})[taxonomy][0]["id"] == term["id"]


def test_who_seeks_by_a_number_means_the_slug_first_and_then_the_id(
    anyone, make_event, make_term, taxonomy
):
    first = make_term(taxonomy, name="First")["id"]
    second = make_term(taxonomy, name="Second", slug=str(first))["id"]
    event = make_event(**{taxonomy: [second]})
    for spelling in (first, second):
        listed = anyone.get("/events", **{taxonomy: spelling}).json["events"]
        assert [each["id"] for each in listed] == [event["id"]]


def test_who_writes_a_number_means_the_id(make_event, make_term, taxonomy):
    first = make_term(taxonomy, name="First")["id"]
    make_term(taxonomy, name="Second", slug=str(first))
    linked_terms = make_event(**{taxonomy: [first]})[taxonomy]
    assert [term["id"] for term in linked_terms] == [first]


def test_include_selects_terms_by_id_not_by_slug(anyone, make_term, taxonomy):
    first = make_term(taxonomy, name="First")["id"]
    make_term(taxonomy, name="Second", slug=str(first))
    listed = anyone.get(f"/{taxonomy}", include=first, hide_empty=False).json[taxonomy]
    assert [each["id"] for each in listed] == [first]


@pytest.mark.parametrize("member", ["name", "slug"])
@pytest.mark.parametrize("spelling", ["{}", "{}.0", "{}e0"])
def test_figures_in_an_object_are_a_name_and_no_id(
    make_event, make_term, taxonomy, member, spelling
):
    other_term_id = make_term(taxonomy, name="Other")["id"]
    figures = spelling.format(other_term_id)
    linked_terms = make_event(**{taxonomy: [{member: figures}]})[taxonomy]
    assert [term["name"] for term in linked_terms] == [figures]
    again = make_event(**{taxonomy: {member: figures}})[taxonomy]
    assert [term["id"] for term in again] == [linked_terms[0]["id"]] != [other_term_id]


@pytest.mark.parametrize("name", [5, 5.0, True, ["Jazz"], {"name": "Jazz"}])
def test_a_name_in_an_object_is_a_text(as_admin, taxonomy, name):
    sent = {"title": "Fair", "start_date": "2030-03-10", "end_date": "2030-03-10"}
    answer = as_admin.post("/events", **sent, **{taxonomy: [{"name": name}]})
    assert answer.status_code == 400
    assert answer.invalid_params == [taxonomy]


def test_writer_without_the_right_makes_no_term_by_any_door(
    app, anyone, as_contributor, make_event, taxonomy
):
    event = make_event(by=as_contributor)["id"]
    contributor = Caller(as_contributor.id, "contributor", "contributor")
    with app.test_request_context(), pytest.raises(NotAllowed):
        get_services(app).editor.change(EVENT, event, {taxonomy: ["New"]}, contributor, "de")
    assert anyone.get(f"/{taxonomy}", hide_empty=False).json[taxonomy] == []
