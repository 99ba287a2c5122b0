"""What a form does not offer any more, or not to everybody, it does not change."""

import pytest
from desking import form_of, values_of


def settings_of(source):
    return f"/sources/{source['id']}/settings"


@pytest.fixture
def club(as_admin):
    return as_admin.post("/sources", name="Club", kind="push").json


def test_source_keeps_what_is_offered_no_more_when_it_is_renamed(desk, as_admin, database, club):
    former = {"language": "it", "kind": "of a plugin"}
    database["sources"].update_one({"_id": club["id"]}, {"$set": former})
    answer = desk("admin").send(settings_of(club), name="The club")
    assert answer.status == 303, answer.text
    saved = as_admin.get(f"/sources/{club['id']}").json
    assert saved["name"] == "The club"
    assert {name: saved[name] for name in former} == former


def test_source_keeps_rules_on_languages_of_former_times(desk, as_admin, database, club):
    rule = {"if": {"has": ["it"], "words": ["Jazz"]}, "then": {"featured": True}}
    database["sources"].update_one({"_id": club["id"]}, {"$set": {"rules": [rule]}})
    desk("admin").send(settings_of(club), name="The club")
    saved = as_admin.get(f"/sources/{club['id']}").json
    assert (saved["name"], saved["rules"]) == ("The club", [rule])


def test_source_with_a_comma_in_a_term_of_its_rules_can_be_renamed(desk, as_admin, club):
    arts = as_admin.post("/categories", name="Theater, Tanz").json["id"]
    rule = {"if": {"words": ["Jazz"]}, "then": {"categories": [arts]}}
    as_admin.post(f"/sources/{club['id']}", rules=[rule])
    desk("admin").send(settings_of(club), name="The club")
    saved = as_admin.get(f"/sources/{club['id']}").json
    assert (saved["name"], saved["rules"][0]["then"]) == ("The club", {"categories": [arts]})


@pytest.fixture
def hook(as_admin):
    """Return a function that adds a webhook with a filter by categories."""

    def add(categories, **settings):
        answer = as_admin.post(
            "/webhooks",
            name="Mirror",
            address="https://example.org/a",
            filters={"categories": categories, "featured": "true"},
            **settings,
        )
        assert answer.status_code == 201, answer.json
        return answer.json

    return add


def test_webhook_keeps_categories_by_slug_and_deleted_ones(desk, as_admin, hook):
    music, dance, film = (
        as_admin.post("/categories", name=name).json for name in ("Music", "Dance", "Film")
    )
    added = hook(f"{music['slug']},{dance['id']},{film['id']}")
    as_admin.delete(f"/categories/{film['id']}")
    path = f"/webhooks/{added['id']}/settings"
    assert values_of(form_of(desk("admin").get(path)))["categories"] == str(dance["id"])
    answer = desk("admin").send(path, name="Another")
    assert answer.status == 303, answer.text
    saved = as_admin.get(f"/webhooks/{added['id']}").json
    assert (saved["name"], saved["filters"]) == ("Another", added["filters"])


def test_categories_of_a_webhook_stand_beside_those_by_slug(desk, as_admin, hook):
    music, dance = (as_admin.post("/categories", name=name).json for name in ("Music", "Dance"))
    added = hook(music["slug"])
    desk("admin").send(f"/webhooks/{added['id']}/settings", categories=str(dance["id"]))
    saved = as_admin.get(f"/webhooks/{added['id']}").json["filters"]
    assert saved == {"categories": f"{dance['id']},{music['slug']}", "featured": "true"}


def test_webhook_names_no_other_reader_than_its_own(desk, as_admin, database, hook):
    category = as_admin.post("/categories", name="Music").json["id"]
    added = hook(str(category))
    database["webhooks"].update_one({"_id": added["id"]}, {"$set": {"reads_as": 102}})
    form = form_of(desk("admin").get(f"/webhooks/{added['id']}/settings"))
    assert values_of(form)["reads_as"] == "102"


@pytest.mark.parametrize("kind", ["venue", "organizer"])
def test_author_keeps_the_hidden_links_of_an_event(desk, as_author, as_editor, kind):
    hidden, trashed, shown, added = (
        as_editor.post(f"/{kind}s", **{kind: f"{word} {kind}"}).json["id"]
        for word in ("Hidden", "Trashed", "Shown", "Added")
    )
    times = {"start_date": "2030-03-01 19:00:00", "end_date": "2030-03-01 21:00:00"}
    event = as_author.post(
        "/events", title="Concert", status="publish", **times, **{kind: [hidden, trashed, shown]}
    ).json["id"]
    as_editor.post(f"/{kind}s/{hidden}", status="private")
    as_editor.delete(f"/{kind}s/{trashed}")
    answer = desk("author").send(f"/events/{event}", **{kind: [str(shown), str(added)]})
    assert answer.status == 303, answer.text
    linked = as_editor.get(f"/events/{event}").json[kind]
    assert [each["id"] for each in linked] == [shown, added, hidden]
