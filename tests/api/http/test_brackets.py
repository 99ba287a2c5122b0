"""Brackets in forms and queries make lists and objects, as PHP makes them."""

import pytest

pytestmark = pytest.mark.without_mongodb

EVENING = {"title": "Concert", "start_date": "2027-06-01 20:00", "end_date": "2027-06-01 22:00"}
FORM = "application/x-www-form-urlencoded"


@pytest.fixture
def send_form(as_admin):
    def send(brackets):
        form = "&".join(f"{name}={value}" for name, value in EVENING.items())
        return as_admin.send("POST", "/events", data=f"{form}&{brackets}", content_type=FORM)

    return send


def test_each_empty_bracket_begins_a_new_member(send_form):
    answer = send_form("organizer[][organizer]=Anna&organizer[][organizer]=Ben&tags[]=a&tags[]=b")

    assert [organizer["organizer"] for organizer in answer.json["organizer"]] == ["Anna", "Ben"]
    assert [tag["name"] for tag in answer.json["tags"]] == ["a", "b"]


def test_each_empty_bracket_begins_a_new_item(send_form):
    answer = send_form("organizer[][organizer]=Anna&organizer[][phone]=111")

    assert (answer.status_code, answer.invalid_params) == (400, ["organizer"])


def test_empty_brackets_are_accepted_in_query_and_multipart(as_admin, make_category):
    first, second = (make_category(name=name)["id"] for name in ("Music", "Dance"))
    query = f"categories[][id]={first}&categories[][id]={second}"
    data = {**EVENING, "multipart": "true"}
    options = {"data": data, "content_type": "multipart/form-data"}
    answer = as_admin.send("POST", f"/events?{query}", **options)

    assert {term["id"] for term in answer.json["categories"]} == {first, second}


def test_empty_brackets_follow_numbered_ones(send_form):
    answer = send_form("organizer[3][organizer]=Anna&organizer[][organizer]=Ben")

    assert [organizer["organizer"] for organizer in answer.json["organizer"]] == ["Anna", "Ben"]


@pytest.mark.parametrize(
    ("query", "expected"), [("page[]=x&page=1", 200), ("page=1&page[]=x", 400)]
)
def test_last_of_bracketed_and_plain_parameter_wins(anyone, query, expected):
    assert anyone.send("GET", f"/events?{query}").status_code == expected


def test_a_bracket_without_a_parameter_is_ignored(anyone):
    assert anyone.send("GET", "/events?[a]=1&[]=2&=3&a[=4").status_code == 200


@pytest.mark.parametrize("brackets", ["[]", "[", "[1", "[a]"])
def test_too_long_bracketed_name_is_refused(anyone, as_admin, brackets):
    form = {"tags" + brackets * 100_000: "Jazz", "name": "Choir"}
    for caller in (anyone, as_admin):
        answer = caller.send("POST", "/tags", data=form)
        assert (answer.status_code, answer.invalid_params) == (400, ["tags"])
