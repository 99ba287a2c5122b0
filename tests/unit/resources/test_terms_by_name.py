"""A term is the one that is called so, however much its slug is like that of another one."""

import pytest

TAXONOMIES = ["categories", "tags"]


@pytest.fixture(params=TAXONOMIES)
def taxonomy(request):
    return request.param


@pytest.mark.parametrize(
    "names", [("C++", "C#", "C"), ("Kunst & Bau", "Kunst Bau"), ("a/b", "a-b")]
)
def test_names_with_nearly_one_slug_are_not_confused(
    anyone, make_event, make_term, taxonomy, names
):
    ids = {name: make_term(taxonomy, name=name)["id"] for name in names}
    for name, number in ids.items():
        event = make_event(**{taxonomy: [name]})
        assert [term["id"] for term in event[taxonomy]] == [number]
        listed = anyone.get("/events", **{taxonomy: name}).json["events"]
        assert [each["id"] for each in listed] == [event["id"]]


def test_a_name_like_a_slug_makes_a_term_of_its_own(make_event, make_term, taxonomy):
    make_term(taxonomy, name="a/b")
    shown = make_event(**{taxonomy: ["a, b"]})[taxonomy]
    assert [term["name"] for term in shown] == ["a, b"]


def test_a_name_like_a_slug_is_refused_where_no_term_is_called_so(anyone, make_term, taxonomy):
    make_term(taxonomy, name="C++")
    assert anyone.get("/events", **{taxonomy: "C#"}).named == [taxonomy]


def test_a_name_as_it_is_shown_is_that_name(make_event, make_term, taxonomy):
    term = make_term(taxonomy, name="Kunst & Bau")
    assert term["name"] == "Kunst &amp; Bau"
    assert make_event(**{taxonomy: [term["name"]]})[taxonomy][0]["id"] == term["id"]


def test_of_several_with_a_name_it_is_the_one_that_has_the_slug(make_event, make_term, taxonomy):
    other = make_term(taxonomy, name="Jazz", slug="other")
    plain = make_term(taxonomy, name="Jazz", slug="jazz")
    for asked, term in (("Jazz", plain), ("jazz", plain), ("other", other)):
        assert make_event(**{taxonomy: [asked]})[taxonomy][0]["id"] == term["id"]


def test_a_slug_in_other_letters_is_found_as_it_is_and_as_addresses_have_it(
    make_event, make_term, taxonomy
):
    term = make_term(taxonomy, name="Musik aus Japan", slug="\u97f3\u697d")
    for asked in ("\u97f3\u697d", term["slug"], term["slug"].upper()):
        assert make_event(**{taxonomy: [asked]})[taxonomy][0]["id"] == term["id"]
