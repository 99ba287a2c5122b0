"""An update changes the sent fields, clears the empty ones and keeps the rest."""

import pytest
from keeping import kept


@kept
def full(make_event, make_venue, make_organizer, make_category, make_tag):
    """Return an event with a value in every field that an update might lose."""
    return make_event(
        title="Spring concert",
        description="An evening of jazz",
        excerpt="Jazz",
        timezone="America/New_York",
        cost="$10",
        website="https://spring.example/tickets",
        show_map=True,
        show_map_link=True,
        sticky=True,
        featured=True,
        ticketed=True,
        date="2029-12-01 08:00:00",
        image="https://pictures.example/poster.png",
        venue=make_venue()["id"],
        organizer=[make_organizer()["id"], make_organizer()["id"]],
        categories=[make_category()["id"]],
        tags=[make_tag()["id"]],
    )


@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH"])
def test_update_keeps_omitted_fields(as_admin, full, method):
    answer = as_admin.send(method, f"/events/{full['id']}", json={"excerpt": "Short"})

    assert answer.status_code == 200
    changed = {name for name in full if answer.json[name] != full[name]}
    assert changed <= {"excerpt", "modified", "modified_utc"}
    assert answer.json["excerpt"] == "<p>Short</p>"


@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH"])
def test_an_empty_update_changes_nothing(as_admin, full, clock, method):
    clock.advance(hours=1)
    answer = as_admin.send(method, f"/events/{full['id']}", json={})

    assert answer.status_code == 200
    assert answer.json == full


@pytest.mark.parametrize("empty", ["", None])
@pytest.mark.parametrize(
    ("field", "cleared"),
    [
        ("description", ""),
        ("excerpt", ""),
        ("cost", ""),
        ("website", ""),
        ("image", False),
        ("venue", []),
        ("organizer", []),
        ("categories", []),
        ("tags", []),
    ],
)
def test_empty_values_clear_on_update(as_admin, full, field, cleared, empty):
    answer = as_admin.patch(f"/events/{full['id']}", **{field: empty})

    assert answer.status_code == 200
    assert answer.json[field] == cleared
    assert as_admin.get(f"/events/{full['id']}").json[field] == cleared


@pytest.mark.parametrize("field", ["venue", "organizer", "categories", "tags"])
def test_an_empty_list_clears_on_update(as_admin, full, field):
    assert as_admin.patch(f"/events/{full['id']}", **{field: []}).json[field] == []


@pytest.mark.parametrize("field", ["cost", "website", "image", "venue", "organizer", "tags"])
def test_false_clears_optional_fields(as_admin, full, make_event, field):
    assert not as_admin.patch(f"/events/{full['id']}", **{field: False}).json[field]
    assert make_event(**{field: False})[field] == make_event()[field] or field == "website"


@pytest.mark.parametrize(
    "field",
    ["title", "start_date", "end_date", "slug", "status", "author", "timezone", "date", "all_day"],
)
def test_null_is_refused_where_nothing_can_be_empty(as_admin, full, field):
    answer = as_admin.patch(f"/events/{full['id']}", **{field: None})

    assert answer.status_code == 400
    assert answer.invalid_params == [field]
    assert as_admin.get(f"/events/{full['id']}").json[field] == full[field]


def test_an_id_in_body_or_query_never_changes_which_event_is_meant(as_admin, make_event):
    event, other_event = make_event(), make_event()
    answer = as_admin.send(
        "POST",
        f"/events/{event['id']}?id={other_event['id']}",
        json={"id": other_event["id"], "title": "New"},
    )

    assert answer.json["id"] == event["id"]
    assert as_admin.get(f"/events/{other_event['id']}").json["title"] == other_event["title"]


@pytest.mark.parametrize("address", ["/events/{id}", "/events/by-slug/{slug}"])
def test_a_slug_in_the_body_is_the_new_slug(as_admin, make_event, address):
    event = make_event(title="Concert")
    answer = as_admin.post(address.format(**event), slug="Großes Konzert")

    assert answer.status_code == 200
    assert answer.json["id"] == event["id"]
    assert answer.json["slug"] == "grosses-konzert"


def test_a_new_title_keeps_the_slug(as_admin, make_event):
    event = make_event(title="Concert")

    assert as_admin.patch(f"/events/{event['id']}", title="Recital").json["slug"] == "concert"
