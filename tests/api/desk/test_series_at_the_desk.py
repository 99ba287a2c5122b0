"""Series at the desk: one date, those that follow, or all; copies, trash, preview."""

import pytest
from desking import form_of, values_of


@pytest.fixture
def editor(desk):
    return desk("editor")


@pytest.fixture
def dates(as_editor):
    """Return the ids of a weekly series of three events."""
    first = as_editor.post(
        "/events",
        title="Probe",
        start_date="2031-05-12 19:30:00",
        end_date="2031-05-12 21:00:00",
        recurrence={"rrule": "FREQ=WEEKLY;COUNT=3"},
    ).json
    listed = as_editor.get("/events", series=first["series"]["id"]).json["events"]
    return [event["id"] for event in listed]


def series_of(api, ids):
    return api.get(f"/events/{ids[0]}").json["series"]["id"]


def titles(api, ids):
    return [api.get(f"/events/{number}").json["title"] for number in ids]


def send(editor, number, **changes):
    form = form_of(editor.get(f"/events/{number}"))
    return editor.post(form.action, **{**dict(form.form_values()), **changes})


@pytest.mark.parametrize(
    ("scope", "expected"),
    [
        ("this", ["Probe", "Konzert", "Probe"]),
        ("following", ["Probe", "Konzert", "Konzert"]),
        ("all", ["Konzert"] * 3),
    ],
)
def test_change_reaches_as_far_as_its_scope(editor, dates, as_editor, scope, expected):
    answer = send(editor, dates[1], title="Konzert", scope=scope)
    assert answer.status == 303, answer.text
    assert titles(as_editor, dates) == expected


def test_series_has_a_form_that_changes_all_its_events(editor, dates, as_editor):
    series = as_editor.get(f"/events/{dates[0]}").json["series"]["id"]
    answer = editor.send(
        f"/series/{series}", f"/series/{series}?translation_language=de", cost="15"
    )
    assert answer.status == 303, answer.text
    assert {as_editor.get(f"/events/{each}").json["cost"] for each in dates} == {"$15"}


def press(editor, number, button, **fields):
    """Press a button beside a date of a series, and return the page that follows."""
    answer = editor.post(
        f"/events/{number}/date?translation_language=de",
        csrf_token=editor.token(),
        button=button,
        **fields,
    )
    if answer.status == 200:
        form = form_of(answer)
        answer = editor.post(form.action, **values_of(form), button=button)
    assert answer.status == 303, answer.text
    return editor.get(answer.headers["Location"])


def fields_of(api, ids):
    fields = ("code", "start_date", "event_status", "status_reason", "slug")
    return [{name: api.get(f"/events/{each}").json.get(name) for name in fields} for each in ids]


def test_one_date_is_called_off_with_a_reason(editor, dates, as_editor):
    press(editor, dates[1], "call-off", status_reason="Sturm")
    events = [as_editor.get(f"/events/{each}").json for each in dates]
    assert [event["event_status"] for event in events] == ["scheduled", "canceled", "scheduled"]
    assert events[1]["status_reason"] == "Sturm"


def test_one_date_is_moved(editor, dates, as_editor):
    press(editor, dates[1], "move", move_day="20.5.2031", move_from="18:00", move_until="20:00")
    event = as_editor.get(f"/events/{dates[1]}").json
    assert (event["start_date"], event["end_date"]) == (
        "2031-05-20 18:00:00",
        "2031-05-20 20:00:00",
    )
    assert event["recurrence_id"] == "2031-05-19 19:30:00"


@pytest.mark.parametrize(
    ("typed", "times"),
    [
        # The date is a Monday, 19 May 2031; the calendar shows 15 January 2030.
        (("Samstag", ""), ("2031-05-24 18:00:00", "2031-05-24 19:30:00")),
        (("Samstag", "Sonntag 2:00"), ("2031-05-24 18:00:00", "2031-05-25 02:00:00")),
        (("Samstag", "9:30 p.m."), ("2031-05-24 18:00:00", "2031-05-24 21:30:00")),
        (("Samstag", "20 Uhr"), ("2031-05-24 18:00:00", "2031-05-24 20:00:00")),
        (("morgen", "20:00"), ("2031-05-20 18:00:00", "2031-05-20 20:00:00")),
        (("16.5.", "20:00"), ("2031-05-16 18:00:00", "2031-05-16 20:00:00")),
    ],
)
def test_words_for_days_count_from_the_date_that_is_moved(editor, dates, as_editor, typed, times):
    day, until = typed
    press(editor, dates[1], "move", move_day=day, move_from="18:00", move_until=until)
    event = as_editor.get(f"/events/{dates[1]}").json
    assert (event["start_date"], event["end_date"]) == times


def test_date_over_midnight_moves_by_its_day_alone(editor, dates, as_editor):
    times = {"start_date": "2031-05-19 22:00", "end_date": "2031-05-20 02:00"}
    as_editor.patch(f"/events/{dates[1]}", **times)
    press(editor, dates[1], "move", move_day="Samstag")
    event = as_editor.get(f"/events/{dates[1]}").json
    assert (event["start_date"], event["end_date"]) == (
        *("2031-05-24 22:00:00", "2031-05-25 02:00:00"),
    )


@pytest.mark.parametrize(
    ("day", "days"),
    [("Samstag", ("2031-06-07", "2031-06-08")), ("2.6.", ("2031-06-02", "2031-06-03"))],
)
def test_date_of_two_whole_days_stays_as_long(editor, as_editor, day, days):
    first = as_editor.post(
        "/events",
        title="Lager",
        start_date="2031-06-03",
        end_date="2031-06-04",
        all_day=True,
        recurrence={"rrule": "FREQ=WEEKLY;COUNT=2"},
    ).json
    press(editor, first["id"], "move", move_day=day)
    moved = as_editor.get(f"/events/{first['id']}").json
    assert (moved["start_date"][:10], moved["end_date"][:10]) == days
    assert moved["all_day"]


def test_notice_says_which_date_is_moved_and_whither(editor, dates):
    page = press(editor, dates[1], "move", move_day="Samstag", move_from="18:00")
    (notice,) = page.tree.find_class("notice-done")
    text = " ".join(notice.text_content().split())
    assert "Verschoben von Mo., 19. Mai, 19:30\u201321:00 auf Sa., 24. Mai 2031, 18:00" in text


def test_date_that_is_moved_nowhere_stays_and_it_is_said(editor, dates, as_editor):
    before = fields_of(as_editor, dates)
    page = press(editor, dates[1], "move", move_day="nie", move_from="18:00")
    assert fields_of(as_editor, dates) == before
    assert page.tree.xpath("//*[contains(@class, 'notice-problem')]")


@pytest.mark.parametrize(
    ("button", "fields"),
    [
        ("leave-out", {}),
        ("call-off", {"status_reason": "Sturm"}),
        ("move", {"move_day": "20.5.2031", "move_from": "18:00", "move_until": "20:00"}),
    ],
)
def test_press_on_a_date_is_undone(editor, dates, as_editor, button, fields):
    before = fields_of(as_editor, dates)
    page = press(editor, dates[1], button, **fields)
    assert fields_of(as_editor, dates) != before
    [form] = page.tree.xpath("//form[contains(@action, '/undo')]")
    editor.post("/undo", **dict(form.form_values()))
    assert fields_of(as_editor, dates) == before


@pytest.mark.parametrize("button", ["leave-out", "call-off"])
def test_date_takes_place_after_all(editor, dates, as_editor, button):
    before = fields_of(as_editor, dates)
    page = press(editor, dates[1], button)
    assert page.tree.xpath("//button[@value='put-back']")
    press(editor, dates[1], "put-back")
    assert fields_of(as_editor, dates) == before


def test_dates_under_when_tell_what_is_called_off_and_moved(editor, dates, as_editor):
    press(editor, dates[1], "call-off", status_reason="Sturm")
    press(editor, dates[2], "move", move_day="28.5.2031", move_from="18:00", move_until="19:00")
    sent = values_of(form_of(editor.get(f"/series/{series_of(as_editor, dates)}")))
    read = editor.post("/events/reading", **{**sent, "repeat_count": "5"})
    changed = read.tree.xpath("//li[@data-date][.//s]")
    texts = [" ".join(each.text_content().split()) for each in changed]
    assert [each.get("data-date")[:10] for each in changed] == ["2031-05-19", "2031-05-26"]
    assert "abgesagt Sturm" in texts[0]
    assert "verschoben Mi., 28. Mai" in texts[1]


def test_dates_of_a_series_stand_once_in_its_form(editor, dates, as_editor):
    press(editor, dates[1], "call-off", status_reason="Sturm")
    page = editor.get(f"/series/{series_of(as_editor, dates)}")
    assert page.tree.xpath("//input[@name='event']/@value") == [str(each) for each in dates]
    assert page.text.count("26. Mai 2031") == 1
    (called_off,) = page.tree.xpath("//label[.//s]")
    assert "abgesagt Sturm" in " ".join(called_off.text_content().split())
    assert not page.tree.xpath("//li[@data-date]")


@pytest.fixture
def endless(as_editor):
    """Return the series of a weekly event without end."""
    return as_editor.post(
        "/events",
        title="Markt",
        start_date="2030-11-02 08:00:00",
        end_date="2030-11-02 12:00:00",
        recurrence={"rrule": "FREQ=WEEKLY"},
    ).json["series"]["id"]


@pytest.mark.parametrize(
    ("sent", "year", "count"), [("", "2030", 9), ("?year=2031", "2031", 52), ("?year=1", "2030", 9)]
)
def test_dates_of_an_endless_series_are_paged_by_year(editor, endless, sent, year, count):
    page = editor.get(f"/series/{endless}{sent}")
    assert page.tree.get_element_by_id("dates-heading").text_content().split()[-2] == year
    assert len(page.tree.xpath("//input[@name='event']")) == count


def test_date_is_chosen_in_the_list_of_its_series(editor, dates, as_editor):
    path = f"/series/{series_of(as_editor, dates)}"
    sent = {"event": str(dates[1]), "button": "move", "move_from": "18:00"}
    answer = editor.send(path, f"{path}/dates?translation_language=de", **sent)
    assert answer.headers["Location"] == f"/desk{path}?year=2031#dates"
    event = as_editor.get(f"/events/{dates[1]}").json
    assert (event["start_date"], event["end_date"]) == (
        *("2031-05-19 18:00:00", "2031-05-19 19:30:00"),
    )


@pytest.mark.parametrize(
    "sent", [{"button": "call-off"}, {"button": "move", "event": "1"}, {"button": "move"}]
)
def test_list_of_dates_changes_nothing_without_a_date_or_a_time(editor, dates, as_editor, sent):
    path, before = f"/series/{series_of(as_editor, dates)}", fields_of(as_editor, dates)
    if "event" in sent:
        sent = {**sent, "event": str(dates[1])}
    answer = editor.send(path, f"{path}/dates?translation_language=de", **sent)
    assert answer.status == 303
    assert fields_of(as_editor, dates) == before


def test_form_of_one_date_has_no_rhythm_and_leads_to_the_series(editor, dates, as_editor):
    page = editor.get(f"/events/{dates[1]}")
    assert not page.tree.xpath("//*[starts-with(@name, 'repeat')]")
    assert not page.tree.xpath("//input[@name='event'][@type='radio']")
    assert page.tree.xpath(f"//a[contains(@href, '/series/{series_of(as_editor, dates)}')]")


def test_rhythm_that_is_sent_for_one_date_changes_no_series(editor, dates, as_editor):
    answer = send(editor, dates[1], title="Konzert", repeat="DAILY", repeat_count="9")
    assert answer.status == 303, answer.text
    assert titles(as_editor, dates) == ["Probe", "Konzert", "Probe"]
    series = as_editor.get(f"/series/{series_of(as_editor, dates)}").json
    assert series["recurrence"]["rrule"] == "FREQ=WEEKLY;COUNT=3"


@pytest.mark.with_mongodb
def test_one_date_begins_another_rhythm(editor, dates, as_editor):
    path = f"/events/{dates[1]}?rhythm=following"
    form = form_of(editor.get(path))
    sent = {**values_of(form), "repeat": "DAILY", "repeat_count": "2", "button": "save"}
    answer = editor.post(form.action, **sent)
    assert answer.status == 303, answer.text
    events = as_editor.get("/events", start_date="2031-05-01").json["events"]
    assert [each["start_date"][:10] for each in events] == [
        "2031-05-12",
        "2031-05-19",
        "2031-05-20",
    ]


def test_series_that_no_longer_repeats_is_refused_without_the_words_of_the_interface(
    editor, dates, as_editor
):
    path = f"/series/{series_of(as_editor, dates)}"
    answer = editor.send(path, f"{path}?translation_language=de", repeat="", button="save")
    assert "scope" not in answer.text


def test_event_goes_to_the_trash_and_back(editor, dates, as_editor):
    path = f"/events/{dates[1]}"
    editor.send(path, f"{path}/trash", scope="this")
    assert as_editor.get(path).code == "event-no-longer-available"
    editor.send(path, f"{path}/take-back")
    assert as_editor.get(path).json["status"] == "publish"


def test_copy_is_a_new_event_with_the_same_texts(editor, dates, as_editor):
    answer = editor.send(f"/events/new?copy={dates[0]}", button="draft")
    number = int(answer.headers["Location"].rpartition("/")[2].partition("?")[0])
    copy = as_editor.get(f"/events/{number}").json
    assert (copy["title"], copy["status"]) == ("Probe", "draft")
    assert "series" not in copy


def test_dates_and_price_are_shown_without_saving(editor, as_editor):
    page = editor.send(
        "/events/new",
        start_date="12.5.2031",
        start_time="19:30",
        repeat="WEEKLY",
        repeat_count="14",
        cost="20",
        button="check",
    )
    assert page.status == 200
    assert "14-mal" in page.text
    assert "19. Mai 2031" in page.text
    assert "$20" in page.text
    assert as_editor.get("/events", start_date="2031-01-01").json["total"] == 0


def test_preview_shows_the_page_and_stores_nothing(editor, dates, as_editor):
    page = send(editor, dates[1], title="Gala", button="preview")
    assert page.status == 200
    assert "Gala" in page.tree.xpath("//h1")[0].text_content()
    assert titles(as_editor, dates) == ["Probe"] * 3


def test_new_event_is_previewed_with_its_new_venue(editor, as_editor):
    sent = {"title": "Gala", "start_date": "12.5.2031", "venue_new[venue]": "Neue Halle"}
    page = editor.send("/events/new", button="preview", **sent)
    assert page.status == 200, page.text
    assert "Neue Halle" in page.text
    assert as_editor.get("/venues", status="any").json["total"] == 0


def test_series_goes_to_the_trash_with_its_events_and_comes_back(editor, dates, as_editor):
    series = as_editor.get(f"/events/{dates[0]}").json["series"]["id"]
    path = f"/series/{series}"
    assert editor.send(path, f"{path}/trash").status == 303
    assert as_editor.get("/events", series=series).json["events"] == []
    page = editor.get(path)
    assert "Diese Serie ist im Papierkorb" in page.text
    assert editor.send(path, f"{path}/take-back").status == 303
    assert titles(as_editor, dates) == ["Probe"] * 3


@pytest.mark.parametrize(
    ("address", "target"),
    [("/", "/events/?recurring=true&first_in_series=true"), ("/new", "/events/new")],
)
def test_addresses_of_series_lead_to_the_table_and_the_form(editor, address, target):
    assert editor.get(f"/series{address}").headers["Location"] == f"/desk{target}"


NEW_SERIES = {
    "title": "Markt",
    "start_date": "12.5.2031",
    "start_time": "8:00",
    "end_time": "12:00",
    "repeat": "WEEKLY",
    "repeat_count": "4",
}


def test_date_is_pressed_without_scripts(editor, as_editor):
    button = "leave-out 2031-05-19T08:00:00"
    page = editor.send("/events/new", button=button, **NEW_SERIES)
    assert page.status == 200
    assert page.tree.xpath("//*[@name='repeat_except']")[0].text_content() == "19.05.2031 08:00"
    assert page.tree.xpath("//button[@value='put-back 2031-05-19T08:00:00']")
    assert as_editor.get("/events", start_date="2031-01-01").json["total"] == 0


@pytest.mark.with_mongodb
def test_new_series_is_stored_with_what_differs_on_single_dates(editor, as_editor):
    answer = editor.send(
        "/events/new",
        **NEW_SERIES,
        repeat_except="19.5.2031",
        repeat_moved="26.5.2031 → 27.5.2031 9:00 - 11:00",
        repeat_off="2.6.2031: Sturm",
        button="publish",
    )
    assert answer.status == 303, answer.text
    events = as_editor.get("/events", start_date="2031-01-01").json["events"]
    stored = [(e["start_date"], e["end_date"][11:], e["event_status"]) for e in events]
    assert stored == [
        ("2031-05-12 08:00:00", "12:00:00", "scheduled"),
        ("2031-05-27 09:00:00", "11:00:00", "scheduled"),
        ("2031-06-02 08:00:00", "12:00:00", "canceled"),
    ]
    assert events[2]["status_reason"] == "Sturm"
    assert events[1]["recurrence_id"] == "2031-05-26 08:00:00"


@pytest.mark.with_mongodb
def test_date_that_the_series_has_not_is_refused_and_nothing_is_stored(editor, as_editor):
    page = editor.send("/events/new", **NEW_SERIES, repeat_off="20.5.2031: Sturm", button="publish")
    assert page.status == 422
    assert "20.5.2031: Sturm" in page.tree.xpath("//*[@id='event-repeat_off-problem']")[0].text
    assert as_editor.get("/events", status="any", start_date="2031-01-01").json["total"] == 0


def test_words_are_in_the_language_of_the_desk(editor):
    editor.send("/me/", "/me/own", language="it")
    page = editor.send("/events/new", button="check", **NEW_SERIES)
    assert "ogni lunedì" in page.text
    assert "Si ripete" in page.text
