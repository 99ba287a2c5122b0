"""The form takes contributions without an account, as the interface does, and loses no input."""

import pytest
from browsing import Browser, labels_above

pytestmark = pytest.mark.without_mongodb

FORM = {
    "languages[]": "de",
    "title[de]": "Hausmusik",
    "description[de]": "Mit Flöte\n\nund Laute",
    "start_day": "2030-03-10",
    "start_time": "19:00",
    "end_day": "",
    "end_time": "21:00",
    "venue": "Alte Mühle",
    "organizer": "Musikfreunde",
    "cost": "15",
    "website": "www.example.org",
    "contact_name": "Ursina Caflisch",
    "contact_email": "ursina@example.org",
    "consent": "true",
    "subject": "",
}
# The fields of the German texts, in tests that have no other ones.
GERMAN = {"title": "title[de]", "description": "description[de]"}
PATH = "/events/submit/"


class Form:
    """Opens the form, waits, and sends it."""

    def __init__(self, app, clock):
        self.browse, self._clock = Browser(app), clock

    def stamp(self, page):
        return page.tree.xpath('//input[@name="form"]/@value')[0]

    def send(self, path=PATH, seconds=60, **changes):
        stamp = self.stamp(self.browse(path))
        self._clock.advance(seconds=seconds)
        return self.post(path, form=stamp, **changes)

    def post(self, path=PATH, **changes):
        sent = FORM | {GERMAN.get(name, name): value for name, value in changes.items()}
        data = {name: value for name, value in sent.items() if value is not None}
        return self.browse(path, method="POST", data=data)

    def value(self, page, name):
        field = page.tree.xpath(f'//form//*[@name="{GERMAN.get(name, name)}"]')[0]
        return field.text.lstrip("\n") if field.tag == "textarea" else field.get("value")


@pytest.fixture
def form(app, clock):
    return Form(app, clock)


@pytest.fixture
def events(as_editor):
    """Return a function that lists the waiting contributions, whole."""
    return lambda: [
        as_editor.get(f"/events/{each['id']}").json
        for each in as_editor.get("/submissions").json["submissions"]
    ]


def test_form_is_linked_and_open_to_everybody(form):
    assert form.browse("/events/").tree.xpath('//footer//a[@href="/events/submit/"]')
    page = form.browse(PATH)
    assert page.status == 200
    assert page.headers["Cache-Control"] == "private, no-store"


def test_sent_form_arrives_and_leads_to_the_page_of_the_sender(form, events):
    answer = form.send()
    assert answer.status == 303
    (event,) = events()
    assert (event["title"], event["status"]) == ("Hausmusik", "pending")
    assert (event["start_date"], event["end_date"]) == (
        "2030-03-10 19:00:00",
        "2030-03-10 21:00:00",
    )
    assert event["website"] == "https://www.example.org/"
    assert event["cost"] == "$15"
    assert event["description"] == "<p>Mit Flöte</p>\n<p>und Laute</p>"
    page = form.browse(answer.headers["Location"])
    assert page.status == 200
    assert page.headers["Cache-Control"] == "private, no-store"
    assert "Hausmusik" in page.text
    assert "ursina" not in page.text.lower()


def test_event_past_midnight_ends_on_the_next_day(form, events):
    form.send(start_time="20.30 Uhr", end_time="1 Uhr")
    assert events()[0]["end_date"] == "2030-03-11 01:00:00"


def test_whole_days_need_no_times(form, events):
    form.send(all_day="true", start_time="", end_time="", end_day="12.3.2030")
    (event,) = events()
    assert (event["all_day"], event["end_date"]) == (True, "2030-03-12 23:59:59")


@pytest.mark.parametrize(
    ("path", "day"),
    [
        ("/events/submit/", "Sonntag, 10. März 2030"),
        ("/rm/events/submit/", "ils 10 da mars 2030"),
        ("/events/submit/", "10.3.30"),
    ],
)
def test_days_are_written_as_readers_write_them(form, events, path, day):
    assert form.send(path, start_day=day).status == 303
    assert events()[0]["start_date"] == "2030-03-10 19:00:00"


def test_text_in_another_language_than_the_page(form, events, as_editor):
    form.send(**{"languages[]": "rm", "title[rm]": "Musica da chasa"})
    (event,) = events()
    variants = as_editor.get(f"/events/{event['id']}", translation_language="all").json["variants"]
    assert list(variants) == ["rm"]


def test_sender_writes_in_every_language_that_is_chosen(form, events, as_editor):
    words = {"title[rm]": "Musica", "description[rm]": "Cun flauta", "title[it]": "Non scelto"}
    form.send(**{"languages[]": ["de", "rm"]}, **words)
    (event,) = events()
    variants = as_editor.get(f"/events/{event['id']}", translation_language="all").json["variants"]
    assert {tag: texts["title"] for tag, texts in variants.items()} == {
        "de": "Hausmusik",
        "rm": "Musica",
    }
    assert variants["rm"]["description"] == "<p>Cun flauta</p>"


def test_every_chosen_language_needs_a_title(form, events):
    page = form.send(**{"languages[]": ["de", "rm"], "description[rm]": "Cun flauta"})
    assert page.tree.xpath('//*[@aria-invalid="true"]/@id') == ["title-rm"]
    assert form.value(page, "description[rm]") == "Cun flauta"
    page = form.send(**{"languages[]": None})
    assert page.tree.xpath('//fieldset[@aria-invalid="true"]//*[@id="problem-languages"]')
    assert form.value(page, "title") == "Hausmusik"
    assert events() == []


def test_every_wrong_field_is_named_and_nothing_is_lost(form, events):
    wrong = {
        "title-de": " ",
        "start_day": "übermorgen vielleicht",
        "start_time": "abends",
        "website": "im Netz",
        "venue": "x" * 201,
        "consent": None,
    }
    page = form.send(**wrong, title=" ")
    assert page.status == 400
    names = [name for name in wrong if page.tree.xpath(f'//*[@id="problem-{name}"]')]
    assert names == list(wrong)
    invalid = page.tree.xpath('//*[@aria-invalid="true"]/@id')
    assert {*invalid, "consent"} == set(wrong)
    assert page.tree.xpath("//*[@autofocus]/@id") == ["title-de"]
    for name in ("start_day", "start_time", "website", "venue"):
        assert form.value(page, name) == wrong[name]
    assert form.value(page, "description") == FORM["description[de]"]
    assert events() == []


def test_form_shows_in_another_language_what_was_typed(form, events):
    page = form.send("/events/submit/", page_language="rm", start_time="abends")
    page = form.post(
        "/rm/events/submit/", page_language="rm", title="Musica", form=form.stamp(page)
    )
    assert (page.status, page.tree.get("lang")) == (200, "rm")
    assert form.value(page, "title") == "Musica"
    assert form.value(page, "description") == FORM["description[de]"]
    assert form.value(page, "venue") == "Alte Mühle"
    assert not page.tree.xpath('//*[@aria-invalid="true"]')
    assert events() == []
    assert form.post("/rm/events/submit/", form=form.stamp(page)).status == 303


def test_nobody_is_asked_for_an_address_to_which_no_letter_goes(form, database):
    names = form.browse(PATH).tree.xpath("//form//input/@name")
    assert not [name for name in names if name.startswith("contact")]
    assert form.send(contact_email="ursina").status == 303
    assert database["submissions"].find_one()["email"] == ""


def test_problems_are_told_in_the_language_of_the_page(form):
    assert "Bitte einen Titel angeben." in form.send(title="").text
    assert "Dai in titel" in form.send("/rm/events/submit/", title="").text


def test_problems_above_the_form_name_their_fields(form):
    page = form.send(start_day="", start_time="")
    links = page.tree.xpath('//*[@role="alert"]//li')
    assert [link.text_content() for link in links] == [
        "Erster Tag: Bitte ausfüllen.",
        "Beginnt um: Bitte ausfüllen.",
    ]


def test_event_in_the_past_is_asked_about(form, events):
    page = form.send(start_day="2029-12-31")
    assert page.status == 400
    assert page.tree.xpath("//*[@autofocus]/@name") == ["past"]
    assert form.send(start_day="2029-12-31", past="true").status == 303
    assert events()[0]["start_date"] == "2029-12-31 19:00:00"


def test_end_before_the_start_is_refused_beside_the_end(form):
    page = form.send(end_day="2030-03-09")
    assert page.tree.xpath('//*[@aria-invalid="true"]/@name') == ["end_day"]


def test_robot_that_fills_the_hidden_field_is_thanked_and_nothing_is_stored(form, events):
    page = form.send(subject="Cheap pills")
    assert page.status == 200
    assert "Vielen Dank" in page.text
    assert events() == []


def test_who_is_too_fast_presses_once_more(form, events, clock):
    page = form.send(seconds=1)
    assert page.status == 400
    assert form.value(page, "title") == "Hausmusik"
    assert events() == []
    clock.advance(seconds=3)
    assert form.post(form=form.stamp(page), consent="true").status == 303


@pytest.mark.parametrize("stamp", ["", "x.y", "WyJ4IiwiMjAzMC0wMS0xNVQxMjowMDowMCJd.AAAA"])
def test_form_without_our_stamp_is_shown_again(form, events, stamp):
    page = form.post(form=stamp)
    assert page.status == 400
    assert form.value(page, "title") == "Hausmusik"
    assert events() == []
    assert form.post(form=form.stamp(page)).status == 303


def test_form_that_was_open_for_days_is_sent_once_more(form, events):
    page = form.send(seconds=2 * 86400)
    assert (page.status, events()) == (400, [])
    assert form.post(form=form.stamp(page)).status == 303


def test_form_sent_twice_is_one_contribution(form, events, clock):
    stamp = form.stamp(form.browse(PATH))
    clock.advance(seconds=60)
    first, second = form.post(form=stamp), form.post(form=stamp)
    assert first.headers["Location"] == second.headers["Location"]
    assert len(events()) == 1


def test_pages_of_other_sites_may_not_send(form, events, clock):
    stamp = form.stamp(form.browse(PATH))
    clock.advance(seconds=60)
    answer = form.browse(
        PATH, headers={"Sec-Fetch-Site": "cross-site"}, method="POST", data=FORM | {"form": stamp}
    )
    assert (answer.status, events()) == (403, [])


def test_flood_of_forms_is_refused_and_nothing_typed_is_lost(form, events):
    statuses = [form.send(seconds=4, title=f"Fest {number}").status for number in range(21)]
    assert statuses == [303] * 20 + [429]
    page = form.send(seconds=4, title="Noch eines")
    assert form.value(page, "title") == "Noch eines"
    assert int(page.headers["Retry-After"]) > 0
    assert len(events()) == 12


def test_days_and_times_are_read_as_people_write_them(form, events):
    typed = {"start_day": "29.2.2032", "start_time": "ab 19 Uhr", "end_time": "Mitternacht"}
    assert form.send(**typed).status == 303
    (event,) = events()
    assert (event["start_date"], event["end_date"]) == (
        "2032-02-29 19:00:00",
        "2032-03-01 00:00:00",
    )


def test_refusals_bear_the_labels_above_the_fields(form):
    page = form.send(title="", start_day="nie", end_time="spät", website="kein", venue="x" * 300)
    in_summary, above = labels_above(page)
    assert in_summary == ["Titel", "Erster Tag", "Endet um", "Ort", "Website"]
    assert in_summary == above
