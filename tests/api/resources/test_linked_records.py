"""Venues and organizers within an event: by id, or as data of new ones."""

import pytest

EVENING = {"start_date": "2030-03-10 19:00:00", "end_date": "2030-03-10 22:00:00"}
KINDS = [("venue", "venues"), ("organizer", "organizers")]


@pytest.fixture
def write(as_admin):
    """Return a function that creates an event with the given links and gives the answer."""
    return lambda **links: as_admin.post("/events", title="Concert", **EVENING, **links)


@pytest.fixture
def make(make_venue, make_organizer):
    """Return a function that creates a venue or an organizer and gives its id."""
    makers = {"venue": make_venue, "organizer": make_organizer}
    return lambda field, **changes: makers[field](**changes)["id"]


def names_in(answer, field):
    """Return the names of the linked records, in order."""
    assert answer.status_code == 201, answer.json
    linked_records = answer.json[field]
    records = linked_records if isinstance(linked_records, list) else [linked_records]
    return [record[field] for record in records]


def test_no_venue_is_an_empty_list_one_an_object_several_a_list(write, make):
    first, two = make("venue"), make("venue")

    assert write().json["venue"] == []
    assert write(venue=first).json["venue"]["id"] == first
    assert [venue["id"] for venue in write(venue=[two, first]).json["venue"]] == [two, first]


def test_organizers_are_always_a_list(write, make):
    organizer_id = make("organizer")

    assert write().json["organizer"] == []
    assert [organizer["id"] for organizer in write(organizer=organizer_id).json["organizer"]] == [
        organizer_id
    ]


@pytest.mark.parametrize(("field", "collection"), KINDS)
def test_links_are_taken_in_every_form(write, make, field, collection):
    a, b = make(field, **{field: "A"}), make(field, **{field: "B"})
    forms = {
        "number": (a, ["A"]),
        "text": (str(a), ["A"]),
        "csv": (f"{b}, {a}", ["B", "A"]),
        "list": ([a, b], ["A", "B"]),
        "texts": ([str(a), str(b)], ["A", "B"]),
        "object": ({"id": a, field: "ignored"}, ["A"]),
        "objects": ([{"id": b}, {"id": str(a)}], ["B", "A"]),
        "data": ({field: "C"}, ["C"]),
        "list of data": ([{field: "D"}, {field: "E"}], ["D", "E"]),
        "mixed": ([a, {"id": b}, {field: "F"}], ["A", "B", "F"]),
        "twice": ([a, a, {"id": a}, {field: "A"}], ["A"]),
        "nothing": ("", []),
        "zero": (0, []),
        "empty list": ([], []),
        "list of empties": (["", None], []),
        "list of zeros": ([0, "0"], []),
        "zeros with commas": ("0, 0", []),
        "false": (False, []),
        "list of false": ([False], []),
        "empty object": ({}, []),
        "list of empty objects": ([{}, {}], []),
    }

    for form, (value, expected) in forms.items():
        assert names_in(write(**{field: value}), field) == expected, form
    assert collection


@pytest.mark.parametrize("field", ["venue", "organizer"])
@pytest.mark.parametrize("empty", [0, "0", False, {}])
def test_empty_value_beside_a_link_is_refused(write, make, field, empty):
    answer = write(**{field: [make(field), empty]})
    assert (answer.status_code, answer.invalid_params) == (400, [field])


@pytest.mark.parametrize(("field", "collection"), KINDS)
def test_the_name_of_a_linked_record_is_not_changed_by_its_id(
    write, make, as_admin, field, collection
):
    number = make(field, **{field: "Kept"})
    write(**{field: {"id": number, field: "Changed", "phone": "1"}})

    assert as_admin.get(f"/{collection}/{number}").json[field] == "Kept"


@pytest.mark.parametrize(("field", "collection"), KINDS)
def test_a_record_of_the_same_name_is_used_again(write, make, as_admin, field, collection):
    number = make(field, **{field: "Musikhaus Chur", "phone": "1"})
    answer = write(**{field: {field: "MUSIKHAUS  chur", "website": "https://a.example/"}})

    linked_records = answer.json[field]
    linked = linked_records if field == "venue" else linked_records[0]
    assert linked["id"] == number
    assert linked["phone"] == "1"
    assert linked["website"] == "https://a.example/"
    assert as_admin.get(f"/{collection}").json["total"] == 1


@pytest.mark.parametrize(("field", "collection"), KINDS)
def test_an_inline_name_counts_in_any_language_of_the_site(write, as_admin, field, collection):
    write(**{field: {field: "Haus"}})
    write(**{field: {field: "Haus"}}, translation_language="rm")

    assert as_admin.get(f"/{collection}").json["total"] == 1
    assert (
        as_admin.get(f"/{collection}", translation_language="rm", fallback="none").json["total"]
        == 0
    )


@pytest.mark.parametrize(("field", "collection"), KINDS)
def test_an_inline_name_counts_first_in_the_language_of_the_request(
    write, as_admin, field, collection
):
    german = as_admin.post(f"/{collection}", **{field: "Haus"}).json["id"]
    romansh = as_admin.post(f"/{collection}", translation_language="rm", **{field: "Haus"}).json
    assert romansh["id"] != german

    linked_records = write(**{field: {field: "Haus"}}, translation_language="rm").json[field]
    assert (linked_records if field == "venue" else linked_records[0])["id"] == romansh["id"]


@pytest.mark.parametrize(("field", "collection"), KINDS)
def test_new_linked_records_are_published_by_publishers_alone(
    as_author, as_contributor, as_admin, field, collection
):
    for client, status in ((as_author, "publish"), (as_contributor, "draft")):
        body = {field: [{field: f"By {client.id}"}], "status": "draft"}
        client.post("/events", title="Concert", **EVENING, **body)
        newest = as_admin.get(f"/{collection}", search=f'"By {client.id}"').json[collection][0]

        assert newest["status"] == status
        assert newest["author"] == str(client.id)


@pytest.mark.parametrize(("field", "collection"), KINDS)
def test_the_data_of_a_new_record_is_checked_like_its_own_route(write, database, field, collection):
    for data in ({"phone": "1"}, {field: " "}, {field: "X", "website": "foo"}, {field: 7}):
        answer = write(**{field: data})

        assert answer.status_code == 400
        assert answer.invalid_params == [field]
    assert database[collection].count_documents({}) == 0


def test_nothing_is_stored_when_one_part_is_refused(write, make, database):
    organizer_id = make("organizer")
    for links in (
        {"venue": {"venue": "New"}, "organizer": [organizer_id, {"organizer": ""}]},
        {"venue": {"venue": "New"}, "categories": [999999]},
        {"organizer": [{"organizer": "New"}], "venue": [999999]},
        {"organizer": [{"organizer": "New"}, {"organizer": "X", "image": 999999}]},
    ):
        assert write(**links).status_code == 400

    assert database["events"].count_documents({}) == 0
    assert database["venues"].count_documents({}) == 0
    assert database["organizers"].count_documents({}) == 1


@pytest.mark.parametrize("path", ["/events/{id}", "/events/by-slug/{slug}"])
def test_records_created_with_a_change_get_their_slugs(as_admin, make_event, path):
    answer = as_admin.patch(
        path.format(**make_event()),
        venue={"venue": "Hall", "slug": "my-hall"},
        organizer=[{"organizer": "Club", "slug": "my-club"}],
    )

    assert answer.json["venue"]["slug"] == "my-hall"
    assert [organizer["slug"] for organizer in answer.json["organizer"]] == ["my-club"]


def test_forms_nest_data_in_brackets(as_admin, make_organizer):
    organizer_id = make_organizer(organizer="Known")["id"]
    form = {
        **EVENING,
        "title": "Concert",
        "venue[venue]": "Hall",
        "venue[city]": "Chur",
        "organizer[0][organizer]": "Club",
        "organizer[1]": str(organizer_id),
    }
    answer = as_admin.send("POST", "/events", data=form)

    assert names_in(answer, "venue") == ["Hall"]
    assert answer.json["venue"]["city"] == "Chur"
    assert names_in(answer, "organizer") == ["Club", "Known"]
