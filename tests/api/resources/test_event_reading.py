"""Reading one event."""

from keeping import kept


@kept
def event(make_event, make_venue, make_organizer):
    """Return an event that has something to tell in every part."""
    return make_event(
        title="Tom & Jerry's concert",
        description="<p>An <b>evening</b></p>",
        cost=["0", "30"],
        image="https://pictures.example/a.png",
        venue=make_venue(venue="Hall & more", city="Chur")["id"],
        organizer=[make_organizer(organizer="Club")["id"], make_organizer()["id"]],
        website="https://a.example/?a=1&b=2",
    )


def test_by_id_and_by_slug_read_the_same(event, anyone):
    by_id = anyone.get(f"/events/{event['id']}").json
    by_slug = anyone.get(f"/events/by-slug/{event['slug']}").json

    assert by_id == by_slug
    assert {name: by_id[name] for name in ("id", "title", "slug")} == {
        name: event[name] for name in ("id", "title", "slug")
    }


def test_leading_zeros_do_not_count(event, anyone):
    assert anyone.get(f"/events/000{event['id']}").json["id"] == event["id"]


def test_slugs_are_found_in_any_letter_case(make_event, anyone):
    event = make_event(title="Été à Zürich")

    assert event["slug"] == "ete-a-zurich"
    for slug in ("ETE-a-Zurich", "ete-a-zurich/", "%C3%89t%C3%A9%20%C3%A0%20Z%C3%BCrich"):
        assert anyone.get(f"/events/by-slug/{slug}").json["id"] == event["id"]


def test_slugs_in_other_scripts_are_found(make_event, anyone):
    event = make_event(title="日本の祭り")

    assert event["slug"].startswith("%e6%97%a5")
    for slug in ("日本の祭り", event["slug"], event["slug"].replace("%", "%25")):
        assert anyone.get(f"/events/by-slug/{slug}").json["id"] == event["id"]


def test_only_a_single_event_describes_itself_as_json_ld(event, anyone, as_admin):
    assert "json_ld" not in event
    assert "json_ld" not in anyone.get("/events").json["events"][0]
    current_event = anyone.get(f"/events/{event['id']}").json
    assert current_event["json_ld"]["@type"] == "Event"
    assert current_event["venue"]["json_ld"]["@type"] == "Place"
    assert current_event["organizer"][0]["json_ld"]["@type"] == "Organization"
    changed = as_admin.patch(f"/events/{event['id']}", featured=True).json
    assert "json_ld" not in changed
    assert "json_ld" not in changed["venue"]


def test_json_ld_describes_the_event_in_schema_org_terms(event, anyone):
    described = anyone.get(f"/events/{event['id']}").json["json_ld"]

    assert described["@context"] == "https://schema.org"
    assert described["name"] == "Tom & Jerry's concert"
    assert described["description"] == "An evening"
    assert described["image"] == "https://pictures.example/a.png"
    assert described["url"] == event["url"]
    assert described["eventStatus"] == "https://schema.org/EventScheduled"
    assert described["location"]["name"] == "Hall & more"
    assert described["organizer"][0]["name"] == "Club"
    assert described["offers"]["@type"] == "Offer"
    assert described["offers"]["url"] == event["url"]


def test_json_ld_leaves_out_absent_fields(make_event, anyone):
    described = anyone.get(f"/events/{make_event()['id']}").json["json_ld"]

    assert {"location", "organizer", "offers", "image"}.isdisjoint(described)


def test_costs_join_their_ends(event):
    assert event["cost"] == "Kostenlos \N{EN DASH} $30"
    assert event["cost_details"]["values"] == ["0", "30"]


def test_a_website_is_shown_escaped(event):
    assert event["website"] == "https://a.example/?a=1&amp;b=2"


def test_draft_has_its_own_address(make_event):
    event = make_event(status="draft")

    assert event["url"].startswith("https://calendar.example/?post_type=")
    assert event["url"].endswith(f"p={event['id']}")


def test_lists_and_single_events_show_the_same(event, anyone):
    single = anyone.get(f"/events/{event['id']}").json
    listed = anyone.get("/events").json["events"][0]

    single.pop("json_ld")
    single["venue"].pop("json_ld")
    for organizer in single["organizer"]:
        organizer.pop("json_ld")
    assert listed == single


def test_context_parameter_of_the_reference_is_accepted(event, anyone):
    assert anyone.get(f"/events/{event['id']}", context="edit").status_code == 200
