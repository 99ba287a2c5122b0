"""Custom fields of events."""

import pytest

DOORS = {"label": "Türöffnung", "value": "19 Uhr"}
EVENT = {"title": "Konzert", "start_date": "2030-02-01 20:00", "end_date": "2030-02-01 22:00"}


@pytest.fixture
def event(make_event):
    return make_event(custom_fields={"doors": DOORS})


@pytest.fixture
def path(event):
    return f"/events/{event['id']}"


def test_custom_field_is_shown_as_it_was_sent(anyone, event, path):
    assert event["custom_fields"] == {"doors": DOORS}
    assert anyone.get(path).json["custom_fields"] == {"doors": DOORS}
    (listed,) = anyone.get("/events").json["events"]
    assert listed["custom_fields"] == {"doors": DOORS}


def test_numbers_are_texts_in_custom_fields(make_event):
    fields = {"seats": {"label": 1, "value": 120.5}}
    assert make_event(custom_fields=fields)["custom_fields"] == {
        "seats": {"label": "1", "value": "120.5"}
    }


def test_custom_fields_are_harmless(make_event):
    fields = {"more": {"label": "<b>A & B</b>", "value": '<a href="https://x.example/">x</a>'}}
    fields["bad"] = {"label": "Bad", "value": "<script>alert(1)</script><b onclick='x()'>b</b>"}
    assert make_event(custom_fields=fields)["custom_fields"] == {
        "more": {"label": "A &amp; B", "value": '<a href="https://x.example/">x</a>'},
        "bad": {"label": "Bad", "value": "<b>b</b>"},
    }


def test_custom_field_without_a_label_is_labeled_by_its_key(make_event):
    event = make_event(custom_fields={"doors": {"value": "19 Uhr"}})
    assert event["custom_fields"] == {"doors": {"label": "doors", "value": "19 Uhr"}}


def test_custom_field_without_a_value_is_not_shown(make_event):
    assert make_event(custom_fields={"doors": {"label": "Türöffnung"}})["custom_fields"] == []


def test_custom_fields_that_are_not_sent_stay(as_admin, path):
    changed = as_admin.patch(path, custom_fields={"seats": {"label": "Plätze", "value": "80"}})
    assert changed.json["custom_fields"] == {
        "doors": DOORS,
        "seats": {"label": "Plätze", "value": "80"},
    }
    renamed = as_admin.patch(path, custom_fields={"doors": {"value": "18 Uhr"}}).json
    assert renamed["custom_fields"]["doors"] == DOORS | {"value": "18 Uhr"}
    assert renamed["custom_fields"].keys() == {"doors", "seats"}


@pytest.mark.parametrize("empty", [None, "", [], {}])
def test_custom_fields_are_emptied(as_admin, anyone, path, empty):
    assert as_admin.patch(path, custom_fields=empty).json["custom_fields"] == []
    assert anyone.get(path).json["custom_fields"] == []


@pytest.mark.parametrize("empty", [None, "", [], {}, {"value": ""}, {"value": None}])
def test_custom_field_is_emptied_alone(as_admin, path, empty):
    as_admin.patch(path, custom_fields={"seats": {"label": "Plätze", "value": "80"}})
    changed = as_admin.patch(path, custom_fields={"doors": empty}).json
    assert changed["custom_fields"] == {"seats": {"label": "Plätze", "value": "80"}}


@pytest.mark.parametrize("fallback", ["rm", "de"])
def test_custom_fields_that_were_read_change_nothing(as_admin, path, fallback):
    for language in ("de", "rm", "all"):
        query = {"translation_language": language}
        before = as_admin.get(path, **query, fallback=fallback).json
        write = {} if language == "all" else query
        answer = as_admin.put(f"{path}?fallback={fallback}", **before, **write)
        assert answer.status_code == 200
        assert as_admin.get(path, **query, fallback=fallback).json == before


def test_custom_fields_have_texts_in_each_language(as_admin, anyone, path):
    fields = {"doors": {"label": "Avertura", "value": "las 19"}}
    as_admin.patch(path, translation_language="rm", title="Concert", custom_fields=fields)
    assert anyone.get(path).json["custom_fields"] == {"doors": DOORS}
    romansh = anyone.get(path, translation_language="rm").json
    assert romansh["custom_fields"] == fields
    assert "custom_fields" not in romansh["fallback_fields"]
    variants = anyone.get(path, translation_language="all").json["variants"]
    assert variants["de"]["custom_fields"] == {"doors": DOORS}
    assert variants["rm"]["custom_fields"] == fields


def test_custom_fields_fall_back_one_text_at_a_time(as_admin, anyone, path):
    as_admin.patch(path, custom_fields={"seats": {"label": "Plätze", "value": "80"}})
    fields = {"doors": {"value": "las 19"}}
    as_admin.patch(path, translation_language="rm", title="Concert", custom_fields=fields)
    romansh = anyone.get(path, translation_language="rm").json
    assert romansh["custom_fields"] == {
        "doors": {"label": "Türöffnung", "value": "las 19"},
        "seats": {"label": "Plätze", "value": "80"},
    }
    assert "custom_fields" in romansh["fallback_fields"]
    alone = anyone.get(path, translation_language="rm", fallback="none").json
    assert alone["custom_fields"] == {"doors": {"label": "doors", "value": "las 19"}}


def test_borrowed_custom_fields_are_not_stored_when_they_are_sent_back(as_admin, path):
    as_admin.patch(path, translation_language="rm", title="Concert")
    romansh = as_admin.get(path, translation_language="rm").json
    as_admin.put(path, **romansh | {"excerpt": "Curt"}, translation_language="rm")
    variants = as_admin.get(path, translation_language="all").json["variants"]
    assert "custom_fields" not in variants["rm"]


def test_fallback_custom_fields_marked_current_are_stored(as_admin, path):
    as_admin.patch(
        path,
        translation_language="rm",
        title="Concert",
        custom_fields={"doors": DOORS},
        translation_status="current",
    )
    romansh = as_admin.get(path, translation_language="rm", fallback="none").json
    assert romansh["custom_fields"] == {"doors": DOORS}


def test_variants_take_custom_fields(as_admin, make_event):
    variants = {
        "de": {"title": "Konzert", "custom_fields": {"doors": DOORS}},
        "rm": {"title": "Concert", "custom_fields": {"doors": {"value": "las 19"}}},
    }
    event = make_event(title="Konzert", variants=variants)
    path = f"/events/{event['id']}"
    record = as_admin.get(path, translation_language="all").json
    assert {tag: texts["custom_fields"] for tag, texts in record["variants"].items()} == {
        tag: texts["custom_fields"] for tag, texts in variants.items()
    }
    as_admin.patch(path, variants={"rm": {"custom_fields": None}})
    record = as_admin.get(path, translation_language="all").json
    assert "custom_fields" not in record["variants"]["rm"]
    assert record["custom_fields"] == {"doors": DOORS}


def test_copy_has_the_custom_fields_of_each_language(as_admin, path):
    fields = {"seats": {"label": "Plazs", "value": "80"}}
    as_admin.patch(path, translation_language="rm", title="Concert", custom_fields=fields)
    record = as_admin.get(path, translation_language="all").json
    copy = as_admin.post("/events", **record).json
    copied = as_admin.get(f"/events/{copy['id']}", translation_language="all").json
    assert {tag: texts["custom_fields"] for tag, texts in copied["variants"].items()} == {
        "de": {"doors": DOORS},
        "rm": fields,
    }


def test_two_texts_for_one_custom_field_are_refused(as_admin, path):
    answer = as_admin.patch(
        path,
        custom_fields={"doors": {"value": "17 Uhr"}},
        variants={"de": {"custom_fields": {"doors": {"value": "18 Uhr"}}}},
    )
    assert (answer.status_code, [*answer.json["data"]["params"]]) == (400, ["custom_fields"])


def test_custom_fields_of_request_and_variants_are_merged(as_admin, path):
    changed = as_admin.patch(
        path,
        custom_fields={"a": {"value": "1"}},
        variants={"de": {"custom_fields": {"b": {"value": "2"}}}},
    ).json
    assert {key: field["value"] for key, field in changed["custom_fields"].items()} == {
        "doors": "19 Uhr",
        "a": "1",
        "b": "2",
    }


def test_changed_custom_field_makes_its_translation_outdated(as_admin, path):
    fields = {"doors": {"label": "Avertura", "value": "las 19"}}
    as_admin.patch(path, translation_language="rm", title="Concert", custom_fields=fields)
    changed = as_admin.patch(path, custom_fields={"doors": {"value": "18 Uhr"}}).json
    assert changed["translations"]["rm"]["status"] == "outdated"


def test_removed_language_takes_its_custom_fields_along(as_admin, path):
    fields = {"doors": {"label": "Avertura", "value": "las 19"}}
    as_admin.patch(path, translation_language="rm", title="Concert", custom_fields=fields)
    as_admin.delete(path, translation_language="rm", translation_only=True)
    assert as_admin.get(path, translation_language="rm").json["custom_fields"] == {"doors": DOORS}


@pytest.mark.parametrize("name", ["author", "contributor"])
def test_authors_write_no_custom_fields_of_any_key(calling_as, name):
    client = calling_as(name)
    answer = client.post("/events", **EVENT, custom_fields={"doors": DOORS})
    assert (answer.status_code, [*answer.json["data"]["params"]]) == (400, ["custom_fields"])
    event = client.post("/events", **EVENT, custom_fields=[])
    assert (event.status_code, event.json["custom_fields"]) == (201, [])


@pytest.mark.parametrize("change", [{"doors": {"value": "18 Uhr"}}, {"doors": None}, None, []])
def test_authors_keep_the_custom_fields_of_editors(as_author, as_editor, make_event, change):
    path = f"/events/{make_event(by=as_author)['id']}"
    as_editor.patch(path, custom_fields={"doors": DOORS})
    record = as_author.get(path).json
    assert as_author.put(path, **record | {"excerpt": "Kurz"}).status_code == 200
    for body in ({"custom_fields": change}, {"variants": {"de": {"custom_fields": change}}}):
        refused = as_author.patch(path, **body)
        assert (refused.status_code, [*refused.json["data"]["params"]]) == (400, [*body])
    assert as_author.get(path).json["custom_fields"] == {"doors": DOORS}


@pytest.mark.parametrize(
    "fields",
    [
        "doors",
        7,
        ["doors"],
        {"doors": {"text": "19 Uhr"}},
        {"doors": {"value": True}},
        {"doors": {"value": ["19 Uhr"]}},
        {"": DOORS},
        {"a.b": DOORS},
        {"$set": DOORS},
        {"a\0b": DOORS},
        {"k" * 101: DOORS},
        {str(number): DOORS for number in range(101)},
    ],
)
def test_custom_fields_of_another_shape_are_refused(as_admin, path, fields):
    for answer in (
        as_admin.patch(path, custom_fields=fields),
        as_admin.post("/events", **EVENT, custom_fields=fields),
    ):
        assert answer.status_code == 400
        assert [*answer.json["data"]["params"]] == ["custom_fields"]
    refused = as_admin.patch(path, variants={"de": {"custom_fields": fields}})
    assert (refused.status_code, [*refused.json["data"]["params"]]) == (400, ["variants"])
    assert as_admin.get(path).json["custom_fields"] == {"doors": DOORS}


def test_key_that_the_caller_chooses_may_be_any_word(make_event):
    fields = {"_ecp_custom_2": DOORS, "Tür öffnet": DOORS, "id": DOORS}
    assert make_event(custom_fields=fields)["custom_fields"] == fields


def test_custom_fields_behind_a_password_are_hidden(as_admin, anyone, path):
    as_admin.patch(path, password="Open sesame")
    (listed,) = anyone.get("/events", translation_language="all").json["events"]
    assert listed["custom_fields"] == []
    assert "custom_fields" not in listed["variants"]["de"]


FIELDS = {"doors": {"de": "Türöffnung", "rm": "Avertura"}, "seats": {}}


@pytest.mark.usefixtures("app")
def test_known_custom_field_is_open_to_authors_and_has_its_label(worker):
    author = worker("author", custom_fields=FIELDS)
    fields = {"doors": {"value": "19"}, "seats": {"value": 80}}
    event = author.post("/events", **EVENT, custom_fields=fields).json
    assert event["custom_fields"] == {
        "doors": {"label": "Türöffnung", "value": "19"},
        "seats": {"label": "seats", "value": "80"},
    }
    romansh = author.get(f"/events/{event['id']}", translation_language="rm").json
    assert romansh["custom_fields"]["doors"]["label"] == "Avertura"
    copy = author.post("/events", **event).json
    current_event = author.get(f"/events/{copy['id']}", translation_language="all").json
    assert current_event["variants"]["de"]["custom_fields"] == {
        "doors": {"value": "19"},
        "seats": {"value": "80"},
    }


@pytest.mark.usefixtures("app")
@pytest.mark.parametrize("name", ["author", "admin"])
def test_unknown_custom_field_is_refused_where_the_site_names_its_own(worker, name):
    client = worker(name, custom_fields=FIELDS)
    answer = client.post("/events", **EVENT, custom_fields={"parking": DOORS})
    assert (answer.status_code, [*answer.json["data"]["params"]]) == (400, ["custom_fields"])


def test_custom_field_that_the_site_gave_up_can_be_sent_back(worker, path, anyone):
    client = worker("admin", custom_fields={"seats": {}})
    record = client.get(path, translation_language="all").json
    record["variants"]["de"]["custom_fields"]["seats"] = {"value": "80"}
    assert client.put(path, **record).status_code == 200
    assert anyone.get(path).json["custom_fields"].keys() == {"doors", "seats"}
