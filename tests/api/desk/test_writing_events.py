"""Events are written in the form of the desk as through the interface."""

import pytest
from desking import values_of

WHEN = {"start_date": "12. Mai 2031", "start_time": "19 Uhr 30", "end_time": "21:00"}


def number_of(answer):
    """Return the id of the event to which a form has led."""
    assert answer.status == 303, answer.text
    return int(answer.headers["Location"].rpartition("/")[2].partition("?")[0])


@pytest.fixture
def editor(desk):
    return desk("editor")


def test_event_is_created_with_a_title_and_a_day(editor, as_editor):
    answer = editor.send("/events/new", title="Fest & Markt", button="publish", **WHEN)
    event = as_editor.get(f"/events/{number_of(answer)}").json
    assert event["title"] == "Fest &amp; Markt"
    assert event["start_date"] == "2031-05-12 19:30:00"
    assert event["end_date"] == "2031-05-12 21:00:00"
    assert event["status"] == "publish"


@pytest.mark.parametrize("end", ["", "23:00"])
def test_time_may_include_its_end(editor, as_editor, end):
    times = {"start_time": "19:30 \u2013 21:00", "end_time": end}
    answer = editor.send("/events/new", title="Fest", button="publish", **WHEN | times)
    event = as_editor.get(f"/events/{number_of(answer)}").json
    assert (event["start_date"], event["end_date"]) == (
        "2031-05-12 19:30:00",
        "2031-05-12 21:00:00",
    )


def test_stored_event_stands_in_the_form_and_changes_nothing(editor, as_editor):
    before = as_editor.post(
        "/events",
        title="Konzert",
        start_date="2031-05-12 19:30:00",
        end_date="2031-05-12 23:59:59",
        description="<p>Ein <strong>Abend</strong></p>",
        cost="CHF 20",
        recurrence={"rrule": "FREQ=WEEKLY;COUNT=3"},
        venue={"venue": "Halle", "city": "Chur"},
        organizer={"organizer": "Verein"},
        tags=["Jazz, live", "Tanz"],
        custom_fields={"dress": {"label": "Kleidung", "value": "festlich"}},
        online_url="https://example.org/?a=1&b=2",
        attendance_mode="mixed",
        accessibility=["wheelchair", "quiet"],
        in_language=["de", "sq"],
        audience={"min_age": 6, "groups": ["families"]},
        registration={"opens": "2031-04-01", "closes": "2031-05-01 18:30:00", "required": False},
    ).json
    path = f"/events/{before['id']}"
    stored = as_editor.get(path)
    assert number_of(editor.send(path, f"{path}?translation_language=de")) == before["id"]
    after = as_editor.get(path)
    assert after.json == stored.json


@pytest.mark.parametrize("is_hidden", [True, False])
def test_form_says_whether_an_event_is_hidden_from_lists(editor, as_editor, is_hidden):
    times = {"start_date": "2031-05-12", "end_date": "2031-05-12", "all_day": True}
    event = as_editor.post("/events", title="Fest", hide_from_listings=is_hidden, **times).json
    form = editor.get(f"/events/{event['id']}").tree.get_element_by_id("event-form")
    assert ("hide_from_listings" in values_of(form)) == is_hidden


@pytest.mark.parametrize(("status", "is_dated"), [("publish", True), ("draft", False)])
def test_form_says_when_an_event_was_published(editor, as_editor, status, is_dated):
    times = {"start_date": "2031-05-12", "end_date": "2031-05-12", "all_day": True}
    event = as_editor.post("/events", title="Fest", status=status, **times).json
    form = editor.get(f"/events/{event['id']}").tree.get_element_by_id("event-form")
    published = [bool(values_of(form).get(name)) for name in ("date", "date_time")]
    assert published == [is_dated, is_dated]


@pytest.fixture
def concert(as_editor):
    """Return a concert on a Monday, more than a year ahead."""
    times = {"start_date": "2031-05-12 19:30:00", "end_date": "2031-05-12 21:00:00"}
    return as_editor.post("/events", title="Konzert", **times).json


def confirmed(editor, page):
    """Save a form again with the days that it showed for the typed words."""
    assert page.status == 422
    form = page.tree.get_element_by_id("event-form")
    return number_of(editor.post(form.action, **values_of(form), button="save"))


def test_word_for_a_day_is_shown_as_a_day_before_it_is_saved(editor, as_editor, concert):
    path = f"/events/{concert['id']}"
    page = editor.send(path, start_date="Samstag", end_date="")
    assert as_editor.get(path).json["start_date"] == concert["start_date"]
    problem = page.tree.get_element_by_id("event-start_date-problem").text_content()
    assert "„Samstag“" in problem
    assert "Samstag, 17. Mai 2031" in problem
    assert page.tree.xpath("//input[@name='start_date']/@value") == ["17.05.2031"]


def test_word_whose_day_was_shown_is_saved_at_once(editor, as_editor, concert):
    path = f"/events/{concert['id']}"
    sent = values_of(editor.get(path).tree.get_element_by_id("event-form"))
    sent |= {"start_date": "Samstag", "end_date": ""}
    shown = editor.post("/events/reading", **sent).tree.xpath("//input[@name='days_meant']/@value")
    assert shown == ["start_date=2031-05-17"]
    number_of(editor.post(f"{path}?translation_language=de", **sent, days_meant=shown[0]))
    assert as_editor.get(path).json["start_date"] == "2031-05-17 19:30:00"


def test_words_for_days_count_from_the_day_of_the_event(editor, as_editor, concert):
    path = f"/events/{concert['id']}"
    confirmed(editor, editor.send(path, start_date="Samstag", end_date="Sonntag"))
    moved = as_editor.get(path).json
    assert moved["start_date"] == "2031-05-17 19:30:00"
    assert moved["end_date"] == "2031-05-18 21:00:00"


@pytest.mark.parametrize("day", ["Samstag", "morgen", "9.5."])
def test_end_moves_with_the_day_of_the_start(editor, as_editor, concert, day):
    path = f"/events/{concert['id']}"
    page = editor.send(path, start_date=day)
    if not day[0].isdigit():
        confirmed(editor, page)
    moved = as_editor.get(path).json
    assert moved["start_date"][:10] == moved["end_date"][:10] != concert["start_date"][:10]
    assert moved["end_date"][10:] == " 21:00:00"


def test_end_after_midnight_moves_with_the_day_of_the_start(editor, as_editor):
    times = {"start_date": "2031-05-12 22:00:00", "end_date": "2031-05-13 02:00:00"}
    path = f"/events/{as_editor.post('/events', title='Ball', **times).json['id']}"
    confirmed(editor, editor.send(path, start_date="Samstag"))
    moved = as_editor.get(path).json
    assert (moved["start_date"], moved["end_date"]) == (
        *("2031-05-17 22:00:00", "2031-05-18 02:00:00"),
    )
    notice = editor.get(path).tree.find_class("notice-done")[0].text_content()
    assert "22:00" in notice
    assert "02:00" in notice


def test_exhibition_that_begins_earlier_ends_as_before(editor, as_editor):
    times = {"start_date": "2031-05-12", "end_date": "2031-05-26", "all_day": True}
    path = f"/events/{as_editor.post('/events', title='Bilder', **times).json['id']}"
    number_of(editor.send(path, start_date="5.5.2031"))
    assert as_editor.get(path).json["end_date"][:10] == "2031-05-26"


def test_form_shows_how_a_word_for_a_day_is_read_before_it_is_saved(editor, concert):
    page = editor.get(f"/events/{concert['id']}")
    sent = dict(page.tree.get_element_by_id("event-form").form_values())
    read = editor.post("/events/reading", **{**sent, "start_date": "Samstag", "end_date": ""})
    assert "Sa., 17. Mai 2031" in read.text


def test_publication_is_seen_from_today(editor, as_editor, concert):
    path = f"/events/{concert['id']}"
    confirmed(editor, editor.send(path, date="morgen", date_time="8:00"))
    assert as_editor.get(path).json["date"] == "2030-01-16 08:00:00"


def test_moved_event_is_taken_back_from_the_notice(editor, as_editor, concert):
    path = f"/events/{concert['id']}"
    confirmed(editor, editor.send(path, start_date="Samstag", end_date=""))
    page = editor.get(path)
    (notice,) = page.tree.find_class("notice-done")
    text = " ".join(notice.text_content().split())
    assert "Verschoben von Mo., 12. Mai auf Sa., 17. Mai 2031, 19:30\u201321:00." in text
    (form,) = notice.xpath("form")
    back = dict(form.form_values())
    assert editor.post(form.get("action").removeprefix("/desk"), **back).status == 303
    assert as_editor.get(path).json["start_date"] == concert["start_date"]


@pytest.mark.parametrize("button", ["draft", "publish"])
def test_day_without_a_time_asks_for_one_and_stores_nothing(editor, as_editor, button):
    sent = {"title": "Markt", "start_date": "12.5.2031", "button": button}
    page = editor.send("/events/new", **sent)
    assert page.status == 422
    assert page.tree.xpath("//*[@id='event-start_time-problem']")
    assert as_editor.get("/events", status="any", start_date="2031-01-01").json["total"] == 0


@pytest.mark.parametrize(
    ("sent", "times"),
    [
        ({"all_day": "1"}, ("2031-05-12 00:00:00", "2031-05-12 23:59:59")),
        ({"start_time": "0:00"}, ("2031-05-12 00:00:00", "2031-05-12 00:00:00")),
        ({"start_date": "12.5.2031 8:00"}, ("2031-05-12 08:00:00", "2031-05-12 08:00:00")),
    ],
)
def test_whole_day_or_a_time_answers_the_question(editor, as_editor, sent, times):
    values = {"title": "Markt", "start_date": "12.5.2031", "button": "draft", **sent}
    event = as_editor.get(f"/events/{number_of(editor.send('/events/new', **values))}").json
    assert (event["start_date"], event["end_date"]) == times


def test_event_at_midnight_is_changed_without_a_question(editor, as_editor):
    times = {"start_date": "2031-05-12 00:00:00", "end_date": "2031-05-12 00:00:00"}
    path = f"/events/{as_editor.post('/events', title='Alt', **times).json['id']}"
    number_of(editor.send(path, title="Neu"))
    assert as_editor.get(path).json["start_date"] == "2031-05-12 00:00:00"


@pytest.mark.parametrize("kind", ["venue", "organizer"])
@pytest.mark.parametrize("status", ["private", "draft", "publish"])
def test_form_names_linked_records_that_its_writer_may_read_alone(
    desk, make_venue, make_organizer, kind, status
):
    make, town = {"venue": (make_venue, {"city": "Ftan"}), "organizer": (make_organizer, {})}[kind]
    number = make(**{kind: "Geheimnis"}, status=status, **town)["id"]
    answer = desk("contributor").send("/events/new", button="pictures", **{kind: str(number)})
    assert answer.status == 200
    page = answer.answer.get_data(as_text=True)
    assert ("Geheimnis" in page) == (status == "publish")
    assert status == "publish" or "Ftan" not in page


def test_detail_that_is_taken_out_of_the_form_is_gone(editor, as_editor):
    details = {key: {"label": key, "value": "ja"} for key in ("dress", "doors")}
    day = {"start_date": "2031-05-12", "end_date": "2031-05-12"}
    number = as_editor.post("/events", title="Fest", custom_fields=details, **day).json["id"]
    path = f"/events/{number}"
    rows = {"custom_key": ["doors"], "custom_label": ["doors"], "custom_value": ["nein"]}
    number_of(editor.send(path, f"{path}?translation_language=de", **rows))
    stored = as_editor.get(path).json["custom_fields"]
    assert {key: each["value"] for key, each in stored.items()} == {"doors": "nein"}


def test_password_typed_at_the_desk_locks_the_event_until_it_is_removed(editor, anyone):
    number = number_of(
        editor.send(
            "/events/new",
            title="Probe",
            password="Geige",
            status="publish",
            **WHEN,
        )
    )
    path = f"/events/{number}"
    form = f"{path}?translation_language=de"

    assert anyone.get(path).status_code == 403
    assert anyone.get(path, password="Geige").json["title"] == "Probe"
    number_of(editor.send(path, form, title="Probe II", password=""))
    assert anyone.get(path).status_code == 403
    assert anyone.get(path, password="Geige").json["title"] == "Probe II"
    number_of(editor.send(path, form, password_remove="1"))
    assert anyone.get(path).json["title"] == "Probe II"


def test_emptied_name_in_the_address_is_made_of_the_title(editor, as_editor):
    created = editor.send("/events/new", title="Fest", slug="party", button="publish", **WHEN)
    number = number_of(created)
    assert number_of(editor.send(f"/events/{number}", slug="", title="Großes Fest")) == number
    assert as_editor.get(f"/events/{number}").json["slug"] == "grosses-fest"


PARTICIPATION = {
    "accessibility": ["wheelchair", "hearing_loop"],
    "in_language": ["de"],
    "in_language_other": "Albanisch, pt-br",
    "audience_min": "6",
    "audience_max": "12",
    "audience_groups": ["families"],
    "registration_url": "tickets.example.org/1",
    "registration_opens": "1.4.2031",
    "registration_closes": "1. Mai 2031",
    "registration_required": "1",
}


def test_form_says_who_can_take_part(editor, as_editor):
    created = editor.send("/events/new", title="Fest", button="publish", **WHEN, **PARTICIPATION)
    event = as_editor.get(f"/events/{number_of(created)}").json
    assert event["accessibility"] == ["wheelchair", "hearing_loop"]
    assert event["in_language"] == ["de", "sq", "pt-BR"]
    assert event["audience"] == {"min_age": 6, "max_age": 12, "groups": ["families"]}
    assert event["registration"] == {
        "url": "https://tickets.example.org/1",
        "opens": "2031-04-01 00:00:00",
        "closes": "2031-05-01 23:59:59",
        "required": True,
    }


def test_form_takes_back_who_can_take_part(editor, as_editor):
    created = editor.send("/events/new", title="Fest", button="publish", **WHEN, **PARTICIPATION)
    path = f"/events/{number_of(created)}"
    emptied = {name: [] if isinstance(value, list) else "" for name, value in PARTICIPATION.items()}
    number_of(editor.send(path, f"{path}?translation_language=de", **emptied))
    event = as_editor.get(path).json
    assert (event["accessibility"], event["in_language"]) == ([], [])
    assert (event["audience"], event["registration"]) == (None, None)


@pytest.mark.parametrize(
    ("field", "value", "reason"),
    [
        ("audience_min", "sechs", "Bitte eine ganze Zahl von 0 bis 150 schreiben."),
        ("audience_max", "3", "Ein höheres Alter schreiben, oder keines."),
        ("in_language_other", "Plapperisch", "Sprachen mit Namen oder Kürzel schreiben"),
        ("registration_closes", "bald", ""),
        ("registration_closes", "1.1.2031", "Die Anmeldung muss nach ihrem Beginn enden."),
    ],
)
def test_form_says_what_is_wrong_and_keeps_what_was_typed(editor, field, value, reason):
    sent = {**PARTICIPATION, field: value}
    page = editor.send("/events/new", title="Fest", button="publish", **WHEN, **sent)
    assert page.status == 422
    assert reason in page.text
    assert page.tree.xpath(f'//input[@name="{field}"]/@value') == [value]
    assert page.tree.xpath('//details[@id="participation"]/@open')


def test_history_tells_in_words_who_could_take_part(editor, as_editor):
    created = editor.send("/events/new", title="Fest", button="publish", **WHEN)
    path = f"/events/{number_of(created)}"
    as_editor.patch(path, accessibility=["quiet"], in_language=["en"], audience={"min_age": 6})
    page = editor.get(f"{path}/history/1")
    for words in ("Ruhig, mit wenig Reizen", "Englisch", "Ab 6 Jahren"):
        assert words in page.text
