"""Several events changed together at the desk: the form, the preview, the save, the undo."""

from io import BytesIO

import pytest
from desking import form_of
from werkzeug.datastructures import MultiDict

PATH = "/events/together"


def press(browser, events, button="", **fields):
    """Send the form of these events, as its button does."""
    ids = [str(each) for each in events]
    return browser.post(PATH, csrf_token=browser.token(), id=ids, button=button, **fields)


def save(browser, preview):
    """Send the form of a preview; return the next page."""
    answer = browser.post(PATH, **fields_of(preview), button="save")
    assert answer.status == 303, answer.text
    return browser.get("/events/")


def fields_of(page):
    """Return the fields of the form of a page, each with all of its values."""
    return MultiDict(form_of(page, PATH).form_values()).to_dict(flat=False)


def notices(page):
    return [each.text.strip() for each in page.tree.xpath("//*[contains(@class, 'notice')]/p")]


def undo(browser, page):
    [form] = page.tree.xpath("//form[contains(@action, '/undo')]")
    browser.post("/undo", **dict(form.form_values()))
    return notices(browser.get("/events/"))


def rows(page):
    """Return the title of each event that would change, with its differences in words."""
    return {
        row.xpath(".//h2/a")[0].text: [
            " ".join(each.text_content().split()) for each in row.xpath(".//dl/div")
        ]
        for row in page.tree.xpath("//ol[contains(@class, 'together-rows')]/li")
    }


@pytest.fixture
def concerts(make_event, as_editor):
    """Make three events with a typo in German, and one of them in Romansh too."""
    texts = {"rm": {"title": "Orgelkonzrt en baselgia"}}
    made = [
        make_event(by=as_editor, title=f"Orgelkonzrt {n}", variants=texts if n == 1 else {})
        for n in (1, 2, 3)
    ]
    return [each["id"] for each in made]


TYPO = {"sought": "Orgelkonzrt", "replacement": "Orgelkonzert"}


def test_preview_shows_each_place_in_each_language_and_stores_nothing(desk, concerts, as_editor):
    page = press(desk(), concerts, "preview", **TYPO)
    assert page.status == 200, page.text
    assert rows(page)["Orgelkonzrt 1"] == [
        "Titel Deutsch Orgelkonzrt Orgelkonzert 1",
        "Titel Rätoromanisch Orgelkonzrt Orgelkonzert en baselgia",
    ]
    assert as_editor.get(f"/events/{concerts[0]}").json["title"] == "Orgelkonzrt 1"


def test_long_preview_folds_all_events_but_the_first(desk, make_event, as_editor):
    made = [make_event(by=as_editor, title=f"Orgelkonzrt {n}")["id"] for n in range(26)]
    page = press(desk(), made, "preview", **TYPO)
    lists = page.tree.xpath("//ol[contains(@class, 'together-rows')]")
    assert [len(each.xpath("li")) for each in lists] == [25, 1]
    assert [each.getparent().tag for each in lists] == ["form", "details"]
    [summary] = page.tree.xpath("//details[contains(@class, 'together-further')]/summary")
    assert " ".join(summary.text_content().split()).startswith("26 bis 26 von 26")


def test_typo_is_mended_in_all_of_them_and_undone_at_once(desk, concerts, as_editor):
    browser = desk()
    saved = save(browser, press(browser, concerts, "preview", **TYPO))
    assert notices(saved) == ["Geändert: 3."]
    titles = [as_editor.get(f"/events/{each}").json["title"] for each in concerts]
    assert titles == ["Orgelkonzert 1", "Orgelkonzert 2", "Orgelkonzert 3"]

    assert undo(browser, saved) == ["Wieder wie vorher: 3."]
    first = as_editor.get(f"/events/{concerts[0]}", translation_language="rm").json
    assert first["title"] == "Orgelkonzrt en baselgia"


def test_one_undo_takes_back_the_changes_of_several_transactions(desk, make_event, as_editor):
    events = [make_event(by=as_editor, title="Orgelkonzrt")["id"] for _ in range(51)]
    browser = desk()
    preview = press(browser, events, "preview", **TYPO)
    assert "26 bis 50 von 51" in preview.text
    saved = save(browser, preview)
    assert notices(saved) == ["Geändert: 51."]
    assert undo(browser, saved) == ["Wieder wie vorher: 51."]
    titles = {as_editor.get(f"/events/{each}").json["title"] for each in (events[0], events[-1])}
    assert titles == {"Orgelkonzrt"}


def test_undo_leaves_what_somebody_changed_since_and_names_it(desk, concerts, as_admin):
    browser = desk()
    saved = save(browser, press(browser, concerts, "preview", **TYPO))
    as_admin.post(f"/events/{concerts[1]}", title="Anders")
    assert undo(browser, saved) == [
        "Wieder wie vorher: 2.",
        "Nicht geändert: Anders. Jemand hat es seither geändert.",
    ]


def test_what_somebody_changed_after_the_preview_is_left_and_named(desk, concerts, as_admin):
    browser = desk()
    preview = press(browser, concerts, "preview", **TYPO)
    as_admin.post(f"/events/{concerts[1]}", title="Orgelkonzrt, neu")
    assert notices(save(browser, preview)) == [
        "Geändert: 2.",
        "Nicht geändert: Orgelkonzrt, neu. Jemand hat es seither geändert.",
    ]


def test_event_without_its_tick_stays(desk, concerts, as_editor):
    browser = desk()
    preview = press(browser, concerts, "preview", **TYPO)
    browser.post(PATH, **{**fields_of(preview), "id": [str(concerts[0])]}, button="save")
    titles = [as_editor.get(f"/events/{each}").json["title"] for each in concerts]
    assert titles == ["Orgelkonzert 1", "Orgelkonzrt 2", "Orgelkonzrt 3"]


def test_event_of_another_is_named_and_stays(desk, make_event, as_editor, calling_as):
    own = make_event(by=calling_as("author"), title="Own")["id"]
    other = make_event(by=as_editor, title="Other")["id"]
    browser = desk("author")
    preview = press(browser, [own, other], "preview", days="1")
    assert list(rows(preview)) == ["Own"]
    [refused] = preview.tree.xpath("//details[contains(@class, 'together-stay')]//li")
    assert "Other" in refused.text_content()
    assert "Das dürfen Sie leider nicht." in refused.text_content()
    save(browser, preview)
    assert as_editor.get(f"/events/{own}").json["start_date"] == "2030-03-11 19:00:00"
    assert as_editor.get(f"/events/{other}").json["start_date"] == "2030-03-10 19:00:00"


def test_hidden_event_is_as_one_that_does_not_exist(desk, make_event, as_editor):
    draft = make_event(by=as_editor, title="Secret", status="draft")["id"]
    page = press(desk("contributor"), [draft, 9999], "preview", days="1")
    assert "Secret" not in page.text
    assert page.text.count("Das gibt es nicht mehr.") == 2


def test_hidden_event_tells_nothing_by_the_form(desk, make_event, as_editor):
    tag = {"tags": ["geheimes Schlagwort"]}
    draft = make_event(by=as_editor, title="Secret", status="draft", **tag)["id"]
    page = press(desk("contributor"), [draft], query="search=Secret")
    assert page.tree.xpath("//input[@name='sought']/@value") == [""]
    assert page.tree.xpath("//select[@name='take_tags']/option/@value") == [""]


def test_event_from_a_source_says_what_becomes_of_its_field(desk, as_admin):
    source = as_admin.post("/sources", name="Club", kind="push").json["id"]
    sent = {"start_date": "2030-03-01 19:00:00", "end_date": "2030-03-01 21:00:00"}
    path = f"/events/by-source/{source}/1"
    event = as_admin.put(path, title="Orgelkonzrt", **sent).json["id"]
    browser = desk()
    page = press(browser, [event], "preview", **TYPO)
    assert "Aus Club: Was sich hier ändert" in page.text
    save(browser, page)
    as_admin.put(path, title="Orgelkonzrt", **sent)
    assert as_admin.get(f"/events/{event}").json["title"] == "Orgelkonzert"


@pytest.mark.parametrize(
    "case",
    [
        ({"days": "7"}, "start_date", "2030-05-08 19:00:00"),
        (
            {"hours": "1", "minutes": "30", "direction": "earlier"},
            "end_date",
            "2030-05-01 19:30:00",
        ),
        ({"cost": "15"}, "cost", "$15"),
        ({"add_tags": "neu, 1291"}, "tags", ["1291", "neu"]),
    ],
)
def test_each_field_changes_in_every_event(desk, make_event, as_editor, case):
    fields, name, expected = case
    span = {"start_date": "2030-05-01 19:00:00", "end_date": "2030-05-01 21:00:00"}
    events = [make_event(by=as_editor, **span)["id"] for _ in range(2)]
    browser = desk()
    assert notices(save(browser, press(browser, events, "preview", **fields))) == ["Geändert: 2."]
    for event in events:
        value = as_editor.get(f"/events/{event}").json[name]
        assert (sorted(tag["name"] for tag in value) if name == "tags" else value) == expected


def test_place_is_chosen_by_its_name_and_taken_away(desk, make_event, make_venue, as_editor):
    venue = make_venue(by=as_editor, venue="Kirche St. Martin")["id"]
    events, browser = [make_event(by=as_editor)["id"] for _ in range(2)], desk()
    save(browser, press(browser, events, "preview", venue_find="Kirche St. Martin"))
    assert [as_editor.get(f"/events/{n}").json["venue"]["id"] for n in events] == [venue] * 2
    save(browser, press(browser, events, "preview", venue_remove="1"))
    assert not any(as_editor.get(f"/events/{n}").json["venue"] for n in events)


def test_category_is_taken_from_those_that_have_it(desk, make_event, as_editor):
    category = as_editor.post("/categories", name="Music").json["id"]
    having = make_event(by=as_editor, title="With", categories=[category])["id"]
    without = make_event(by=as_editor, title="Without")["id"]
    browser = desk()
    page = press(browser, [having, without], "preview", take_categories=str(category))
    assert list(rows(page)) == ["With"]
    assert notices(save(browser, page)) == ["Geändert: 1."]
    assert as_editor.get(f"/events/{having}").json["categories"] == []


def test_picture_is_sent_once_for_all_of_them(desk, make_event, as_editor, png):
    events, browser = [make_event(by=as_editor)["id"] for _ in range(2)], desk()
    preview = press(browser, events, "preview", image_file=(BytesIO(png), "poster.png"))
    save(browser, preview)
    [picture] = {as_editor.get(f"/events/{each}").json["image"]["id"] for each in events}
    assert picture


def test_one_date_of_a_series_changes_alone(desk, make_event, as_editor):
    first = make_event(
        by=as_editor,
        title="Probe",
        start_date="2030-05-01 19:00:00",
        end_date="2030-05-01 21:00:00",
        recurrence={"rrule": "FREQ=WEEKLY;COUNT=3"},
    )
    dates = as_editor.get("/events", series=first["series"]["id"]).json["events"]
    browser = desk()
    page = press(browser, [each["id"] for each in dates[:2]], "preview", days="1")
    assert page.text.count("Ein Termin einer Serie") == 2
    saved = save(browser, page)
    assert notices(saved) == ["Geändert: 2."]
    after = as_editor.get("/events", series=first["series"]["id"]).json["events"]
    days = ["2030-05-02", "2030-05-09", "2030-05-15"]
    assert [each["start_date"][:10] for each in after] == days
    assert undo(browser, saved) == ["Wieder wie vorher: 2."]


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({}, "was leer ist"),
        ({"replacement": "neu"}, "welcher Text ersetzt"),
        ({"sought": "Orgel"}, "was dort stehen soll"),
        ({"sought": "a", "replacement": "b", "replacement_remove": "1"}, "nicht beides"),
        ({"sought": "a", "replacement": "a"}, "gleich"),
        ({"days": "-1"}, "ganze Zahl"),
        ({"minutes": "10000"}, "9999"),
        ({"venue_find": "Nowhere"}, "Nowhere"),
        ({"image": "9999"}, "9999"),
        ({"cost": "5", "cost_remove": "1"}, "nicht beides"),
    ],
)
def test_what_is_wrong_is_said_beside_its_field(desk, concerts, as_editor, fields, reason):
    browser = desk()
    for button in ("preview", "save"):
        page = press(browser, concerts, button, **fields)
        assert page.status == 422
        assert reason in page.text
    assert as_editor.get(f"/events/{concerts[0]}").json["title"] == "Orgelkonzrt 1"


@pytest.mark.parametrize("button", ["", "preview", "save"])
def test_more_than_five_hundred_events_are_refused(desk, concerts, as_editor, button):
    browser = desk()
    answer = press(browser, [*concerts, *range(10_000, 10_498)], button, **TYPO)
    assert answer.status == 303
    [notice] = notices(browser.get("/events/"))
    assert "500" in notice
    assert "501" in notice
    assert as_editor.get(f"/events/{concerts[0]}").json["title"] == "Orgelkonzrt 1"


def test_search_of_the_table_is_the_text_to_replace_where_it_stands(desk, concerts, as_editor):
    browser = desk()
    for search, sought in (("Orgelkonzrt", ["Orgelkonzrt"]), ("orgelkonzrt", [""])):
        page = press(browser, concerts, query=f"search={search}")
        assert page.tree.xpath("//input[@name='sought']/@value") == sought
    query = {"query": "search=Orgelkonzrt", "sought": "Orgelkonzrt"}
    saved = save(browser, press(browser, concerts, "preview", cost="5", **query))
    assert notices(saved) == ["Geändert: 3."]
    assert as_editor.get(f"/events/{concerts[0]}").json["title"] == "Orgelkonzrt 1"


def test_text_is_taken_out_where_that_is_ticked(desk, concerts, as_editor):
    browser = desk()
    save(browser, press(browser, concerts, "preview", sought="konzrt", replacement_remove="1"))
    assert as_editor.get(f"/events/{concerts[0]}").json["title"] == "Orgel 1"


@pytest.mark.usefixtures("concerts")
def test_all_that_match_are_chosen(desk):
    browser = desk()
    page = browser.post(PATH, csrf_token=browser.token(), query="search=Orgelkonzrt", all="1")
    assert len(page.tree.xpath("//form//input[@name='id']")) == 3


def test_nothing_chosen_leads_back(desk):
    browser = desk()
    assert press(browser, []).headers["Location"] == "/desk/events/"
    assert notices(browser.get("/events/")) == ["Nichts ist ausgewählt."]


def test_back_to_the_form_keeps_the_events_and_what_was_typed(desk, concerts):
    browser = desk()
    preview = press(browser, concerts, "preview", sought="Orgelkonzrt 1", replacement="x")
    page = browser.post(PATH, **fields_of(preview), button="edit")
    assert len(page.tree.xpath("//form//input[@name='id']")) == 3
    assert page.tree.xpath("//input[@name='sought']/@value") == ["Orgelkonzrt 1"]
