"""Sources at the desk: set up by the form, read with a report, doubles decided, fields taken."""

import io
from dataclasses import replace
from datetime import timedelta

import pytest
from calendars import calendar, vevent
from post_office import post_office
from serving import wait_for

from calendar_app.api.http.request.state import get_services
from calendar_app.app import create_app
from calendar_app.site.desk.sources.fields import MOST_WORDS
from calendar_app.site.desk.sources.letters import tell_of_failures

PATH = "/sources/"
AT = "20300301T190000"
CLUB = (
    vevent("1@club", "CATEGORIES:Concert", "LOCATION:Hall", title="Choir in the hall", start=AT),
    vevent("2@club", "CATEGORIES:Strange", title="Summer party", start="20300601T190000"),
)
TOWN = (vevent("7@town", "LOCATION:Hall", title="Choir, in the hall!", start=AT),)
CLUB_SOURCE = {"name": "Club", "kind": "ics", "address": "", "every": "0", "status": "publish"}


@pytest.fixture
def editor(desk):
    return desk("editor")


@pytest.fixture
def add(editor):
    """Return a function that adds a source by its form; it returns the page of the source."""

    def adding(**values):
        answer = editor.send("/sources/new", **CLUB_SOURCE | values)
        assert answer.status == 303, answer.text
        return answer.headers["Location"].removeprefix("/desk")

    return adding


@pytest.fixture
def read(editor):
    """Return a function that sends a file to a source, and waits for the end of its reading."""

    def reading(path, content, **fields):
        answer = editor.post(
            f"{path}/read",
            csrf_token=editor.token(),
            file=(io.BytesIO(content), "club.ics"),
            **fields,
        )
        wait_for(lambda: not editor.get(f"{path}/progress").answer.json["open"])
        return answer

    return reading


def feed(*events):
    return calendar(*events).encode()


@pytest.fixture
def listed(anyone):
    def events():
        return anyone.get("/events", start_date="2030-01-01", end_date="2031-01-01").json["events"]

    return events


def rows(page):
    lines = page.tree.xpath("//tbody/tr")
    return [" ".join(" ".join(line.itertext()).split()) for line in lines]


def test_a_source_is_set_up_and_listed_with_its_last_result(editor, add, read):
    path = add(name="Chor & Orchester")
    assert "noch nicht abgeglichen" in editor.get(PATH).text
    read(path, feed(*CLUB))
    (row,) = rows(editor.get(PATH))
    assert row.startswith("Chor & Orchester")
    assert "2 neu" in row
    (reading,) = rows(editor.get(path))
    assert "abgeglichen" in reading


def test_what_is_refused_stands_beside_its_field_and_what_was_typed_stays(editor):
    page = editor.send(
        "/sources/new",
        **CLUB_SOURCE | {"name": "", "address": "file:///etc/passwd", "filters.words": "Chor"},
    )
    assert page.status == 400
    wrong = page.tree.xpath("//*[@aria-invalid='true']/@name")
    assert wrong == ["name", "address"]
    assert page.tree.xpath("//textarea[@name='filters.words']")[0].text.strip() == "Chor"


def test_defaults_are_chosen_by_name(editor, add, make_venue, make_tag, as_editor):
    venue = make_venue(venue="Aula", city="Valdorta")["id"]
    tag = make_tag(name="Chor")["id"]
    path = add(**{"defaults.venue": "Aula, Valdorta", "defaults.tags": "Chor"})
    number = path.rpartition("/")[2]
    defaults = as_editor.get(f"/sources/{number}").json["defaults"]
    assert (defaults["venue"], defaults["tags"]) == (venue, [tag])
    page = editor.send(f"{path}/settings", **{"defaults.venue": "Nirgends"})
    assert page.tree.xpath("//*[@aria-invalid='true']/@name") == ["defaults.venue"]
    assert editor.send(f"{path}/settings", **{"defaults.venue": ""}).status == 303
    assert as_editor.get(f"/sources/{number}").json["defaults"]["venue"] == 0


def test_settings_that_two_people_change_are_shown_side_by_side(editor, add, desk):
    path = add()
    other = editor.get(f"{path}/settings")
    desk("admin").send(f"{path}/settings", name="Verein")
    form = other.tree.xpath("//main//form")[0]
    sent = {**dict(form.form_values()), "name": "Klub"}
    page = editor.post(f"{path}/settings", **sent)
    assert page.status == 412
    assert rows(page) == ["Name Verein Klub"]
    # What only the other one has changed holds.
    page = editor.post(f"{path}/settings", **{**sent, "name": "Club", "daily_at": ""})
    assert page.status == 303


def test_words_that_nobody_knows_become_terms_or_are_left_out(editor, add, read, as_editor):
    path = add()
    read(path, feed(*CLUB))
    form = f"{path}/settings"
    assert "2 Wörter" in editor.get(path).text
    words = editor.get(form).tree.xpath("//input[@name='terms.categories.word']/@value")
    assert words == ["Concert", "Strange"]
    assert editor.send(form, **{"terms.categories.term": ["new", "0"]}).status == 303
    number = path.rpartition("/")[2]
    (term,) = as_editor.get("/categories", hide_empty="false").json["categories"]
    assert term["name"] == "Concert"
    terms = as_editor.get(f"/sources/{number}").json["terms"]
    assert terms["categories"] == {"Concert": term["id"], "Strange": 0}


def test_words_that_wait_behind_those_of_the_form_are_counted(editor, add, read):
    path = add()
    names = ",".join(f"Word {number:02}" for number in range(MOST_WORDS + 3))
    read(path, feed(vevent("1@club", f"CATEGORIES:{names}", start=AT)))
    form = editor.get(f"{path}/settings")
    words = form.tree.xpath("//input[@name='terms.categories.word']/@value")
    assert len(words) == MOST_WORDS
    assert "3 weitere Wörter folgen, wenn diese geklärt sind." in form.text


def test_columns_of_a_table_are_set_at_the_form(editor, add, as_editor):
    path = add(kind="csv", **{"columns.title": " Anlass ", "columns.start": "Beginn"})
    source = f"/sources/{path.rpartition('/')[2]}"
    assert as_editor.get(source).json["columns"] == {"title": "Anlass", "start": "Beginn"}
    assert as_editor.patch(source, columns={"title": "Anlass", "x": "Y"}).status_code == 200
    assert editor.send(f"{path}/settings", **{"columns.start": "Von"}).status == 303
    changed = {"title": "Anlass", "start": "Von", "x": "Y"}
    assert as_editor.get(source).json["columns"] == changed


def test_a_preview_tells_what_would_come_and_stores_nothing(editor, add, read, anyone):
    path = add()
    page = read(path, feed(*CLUB), press="preview")
    assert len(page.tree.xpath("//main//thead//th")) == 2
    assert page.status == 200
    choir, summer = rows(page)
    assert (choir.split()[0], summer.split()[0]) == ("Choir", "Summer")
    assert "2030, 19:00 · Hall" in choir
    assert "2 Veranstaltungen würden veröffentlicht." in page.text
    assert anyone.get("/events").json["total"] == 0
    assert "noch nicht abgeglichen" in editor.get(path).text


def test_a_report_names_what_became_of_each_event(editor, add, read, as_editor):
    path = add()
    read(path, feed(*CLUB))
    event = as_editor.get("/events", search="Choir").json["events"][0]["id"]
    as_editor.put(f"/events/{event}", title="Our choir")
    read(path, feed(CLUB[0].replace("Choir", "Chorus"), CLUB[1].replace("Summer", "Winter")))
    report = editor.get(path).tree.xpath("//tbody//a/@href")[0]
    page = editor.get(report.partition("/desk")[2])
    assert any("Titel (de)" in row and "Winter" in row for row in rows(page))
    (kept,) = rows(editor.get(report.partition("/desk")[2] + "?outcome=kept"))
    assert "wie hier bearbeitet" in kept.lower() or "hier bearbeitet" in kept


def test_a_reading_that_waits_is_applied_all_the_same(editor, add, read):
    path = add(vanished="trash")
    many = [
        CLUB[0].replace("1@club", f"{n}@club").replace("20300301", f"203003{n:02}")
        for n in range(1, 11)
    ]
    read(path, feed(*many))
    read(path, feed(many[0]))
    page = editor.get(path)
    accept = page.tree.xpath("//input[@name='accept']/@value")[0]
    assert "9 von 10" in page.text
    assert "ungewöhnlich viele" in page.text
    assert "wartet" in editor.get("/").text
    read(path, feed(many[0]), accept=accept)
    assert not editor.get(path).tree.xpath("//input[@name='accept']")


def chosen(page):
    """Return the pairs of the table, as its form sends them."""
    return page.tree.xpath("//table//input[@name='id']/@value")


def test_the_same_event_of_two_sources_becomes_one(editor, add, read, listed):
    first, second = add(name="Club"), add(name="Town")
    read(first, feed(*CLUB))
    read(second, feed(*TOWN))
    page = editor.get("/sources/doubles/")
    origins = page.tree.xpath("//table//*[@class='origin-of']/text()")
    assert origins == ["Club", "Town"]
    links = page.tree.xpath("//table//tbody/tr[1]//a/@href")
    assert len(links) == 2
    answer = editor.post(
        "/sources/doubles/", csrf_token=editor.token(), id=chosen(page), action="same"
    )
    assert answer.status == 303
    assert len(listed()) == 2
    page = editor.get(links[0].removeprefix("/desk"))
    assert "Club" in page.text
    assert "Town" in page.text
    assert "Nichts" in editor.get("/sources/doubles/").text


def test_what_became_one_event_is_two_again_after_undo(editor, add, read, listed):
    for name, events in (("Club", CLUB), ("Town", TOWN)):
        read(add(name=name), feed(*events))
    before = listed()
    pair = chosen(editor.get("/sources/doubles/"))
    editor.post("/sources/doubles/", csrf_token=editor.token(), id=pair, action="same")
    (ids,) = editor.get("/sources/doubles/").tree.xpath("//form//input[@name='ids']/@value")
    assert len(listed()) == len(before) - 1
    editor.post("/sources/doubles/undo", csrf_token=editor.token(), ids=ids)
    assert [each["id"] for each in listed()] == [each["id"] for each in before]
    assert chosen(editor.get("/sources/doubles/")) == pair


def test_several_pairs_are_decided_at_once(editor, add, read, listed):
    events = [
        vevent(f"{n}@club", title=f"Concert {n}", start=f"203003{n:02}T190000") for n in range(1, 4)
    ]
    for name in ("Club", "Town"):
        read(add(name=name), feed(*events))
    pairs = chosen(editor.get("/sources/doubles/"))
    assert len(pairs) == 3
    token = editor.token()
    editor.post("/sources/doubles/", csrf_token=token, id=pairs[:2], action="different")
    assert chosen(editor.get("/sources/doubles/")) == pairs[2:]
    editor.post("/sources/doubles/undo", csrf_token=token, ids=" ".join(pairs[:2]))
    assert len(chosen(editor.get("/sources/doubles/"))) == 3
    editor.post("/sources/doubles/", csrf_token=token, id=pairs[:2], action="different")
    # Somebody else has decided on two of these.
    editor.post("/sources/doubles/", csrf_token=token, id=[*pairs, "1", "x-y"], action="same")
    assert chosen(editor.get("/sources/doubles/")) == []
    assert len(listed()) == 5


@pytest.fixture
def edited(add, read, as_editor, listed):
    """Return the page of a source, and its event with a title edited here."""
    path = add()
    read(path, feed(*CLUB))
    event = next(each["id"] for each in listed() if each["title"].startswith("Choir"))
    as_editor.put(f"/events/{event}", title="Our choir")
    read(path, feed(CLUB[0].replace("SUMMARY:Choir", "SUMMARY:Chorus"), CLUB[1]))
    return path, event


def test_an_event_shows_its_source(edited, editor):
    path, event = edited
    page = editor.get(f"/events/{event}")
    assert page.tree.xpath(f"//main//a[@href='/desk{path}']")
    assert "Chorus in the hall" in page.text
    assert "Club" in editor.get("/events/").text


@pytest.mark.parametrize("typed", [{}, {"cost": "20"}])
def test_the_words_of_the_source_are_taken_and_what_was_typed_stays(edited, editor, listed, typed):
    _, event = edited
    page = editor.get(f"/events/{event}")
    assert page.tree.xpath("//form[@id='event-form']/@data-unsaved") == [""]
    (press,) = page.tree.xpath("//button[starts-with(@value, 'take ')]/@value")
    form = dict(page.tree.xpath("//form[@id='event-form']")[0].form_values())
    page = editor.post(f"/events/{event}", **form | typed | {"button": press})
    assert page.status == (200 if typed else 303)
    assert "Chorus in the hall" in [each["title"] for each in listed()]
    if typed:
        names = ("title", "cost")
        shown = [page.tree.xpath(f"//input[@name='{name}']/@value")[0] for name in names]
        assert shown == ["Chorus in the hall", "20"]
        # The browser then keeps the form, and asks before the page is left.
        assert page.tree.xpath("//form[@id='event-form']/@data-unsaved") == ["yes"]


def test_a_source_of_programs_shows_what_they_send(editor, add):
    path = add(kind="push")
    page = editor.get(path)
    assert f"/events/by-source/{path.rpartition('/')[2]}/" in page.text
    assert not page.tree.xpath("//input[@type='file']")


def test_a_file_without_an_address_is_asked_for(editor, add):
    path = add()
    assert editor.post(f"{path}/read", csrf_token=editor.token()).status == 303
    assert "Datei" in editor.get(path).tree.xpath("//*[@role='status']")[0].text_content()


def test_a_deleted_source_leaves_its_events(editor, add, read, listed):
    path = add()
    read(path, feed(*CLUB))
    assert editor.send(f"{path}/delete").status == 303
    said = editor.get("/sources").tree.xpath("//*[@role='status']")[0].text_content()
    assert "gelöscht" in said
    assert editor.get(path).status == 404
    assert len(listed()) == 2


def test_texts_say_which_source_wrote_them_even_when_it_is_deleted(editor, add, read, listed):
    path = add()
    read(path, feed(CLUB[0]))
    event = f"/events/{listed()[0]['id']}"

    def writers():
        notes = editor.get(event).tree.xpath("//*[@class='text-note']/span[not(@class)]")
        return {note.text_content().partition(",")[0] for note in notes}

    assert writers() == {"Club"}
    assert editor.send(f"{path}/delete").status == 303
    assert writers() == {"eine gelöschte Quelle"}


@pytest.fixture
def mail(settings, database, clock, as_editor):
    """Return the services of a site that sends letters, and those letters."""
    database["users"].update_one({"_id": as_editor.id}, {"$set": {"email": "anna@example.org"}})
    with post_office() as (address, letters):
        mailing = replace(settings, smtp_url=f"smtp://{address}", mail_from="a@example.org")
        yield get_services(create_app(mailing, database, clock)), letters


def test_a_source_that_failed_for_a_week_is_told_once(mail, add, editor):
    services, letters = mail
    number, reports = int(add(name="Gone").rpartition("/")[2]), services.sources.reports
    for days, told in ((6, 0), (8, 1), (9, 1)):
        since = reports.now() - timedelta(days=days)
        reports.set_state(number, {"result": "failed", "failing_since": since})
        tell_of_failures(services)
        assert len(letters.taken) == told
    assert letters.taken[0]["To"] == "anna@example.org"
    assert f"/desk/sources/{number}" in letters.taken[0].get_body(("plain",)).get_content()
    overview = editor.get("/").text
    assert "Gone" in overview
    assert "Sie bekommen Bescheid" in overview


def test_who_publishes_the_events_is_set_at_the_form(editor, add, read, listed):
    path = add(
        **{"publisher.name": "Gemeinde Chur", "publisher.url": "https://chur.example.org/"},
        license="CC BY 4.0",
        show_provenance="1",
    )
    read(path, feed(*CLUB))
    expected = {"name": "Gemeinde Chur", "url": "https://chur.example.org/"}
    assert listed()[0]["provenance"] == expected | {"license": "CC BY 4.0", "attribution": ""}
    assert "Gemeinde Chur" in editor.get(f"{path}/settings").text
    refused = editor.send("/sources/new", **CLUB_SOURCE, license="CC0")
    assert refused.tree.xpath("//*[@id='source-publisher-name' and @aria-invalid='true']")


def test_copying_of_pictures_is_chosen_at_the_form(editor, add, as_editor):
    path = add(pictures="copy")
    number = path.rpartition("/")[2]
    assert as_editor.get(f"/sources/{number}").json["pictures"] == "copy"
    chosen = "//select[@name='pictures']/option[@selected]/@value"
    assert editor.get(f"{path}/settings").tree.xpath(chosen) == ["copy"]
    assert editor.get("/sources/new").tree.xpath(chosen) == ["link"]


# The register of a source.


@pytest.fixture
def correct(editor, add, read):
    """Return a function that corrects the only name of a source at its page."""
    path = add()
    read(path, feed(CLUB[0]))

    def correcting(record, **fields):
        form = editor.get(f"{path}/register").tree.xpath("//td//form")[0]
        sent = {**dict(form.form_values()), "record": record, **fields}
        answer = editor.post(form.action, **sent)
        assert answer.status == 303, answer.text
        return editor.get(f"{path}/register")

    return correcting


def _meant(page):
    """Return the id of the place that the only name of the register means."""
    links = page.tree.xpath("//tbody//td//a/@href")
    return int(links[0].rpartition("/")[2]) if links else 0


def test_a_name_of_the_register_is_corrected_by_name_or_number(correct, make_venue):
    hall, theater = (make_venue(venue=name)["id"] for name in ("Aula", "Theater"))
    assert _meant(correct("Aula")) == hall
    assert _meant(correct(f"#{theater}")) == theater
    page = correct("")
    assert _meant(page) == 0
    assert "Das nächste Einlesen sucht neu nach diesem Namen." in page.text


@pytest.mark.parametrize(
    ("record", "reason"),
    [
        ("Kino", "«Kino» gibt es hier nicht."),
        ("#x", "«#x» gibt es hier nicht."),
        ("#99999", "Muss die Nummer eines vorhandenen Eintrags sein"),
    ],
)
def test_a_correction_that_means_nothing_here_is_refused(correct, make_venue, record, reason):
    hall = make_venue(venue="Aula")["id"]
    assert _meant(correct("Aula")) == hall
    page = correct(record)
    assert _meant(page) == hall
    assert reason in page.text


def test_the_second_of_two_corrections_is_told_of_the_first(correct, make_venue):
    hall, theater = (make_venue(venue=name)["id"] for name in ("Aula", "Theater"))
    assert _meant(correct("Aula")) == hall
    page = correct(f"#{theater}", was="0")
    assert _meant(page) == hall
    assert "inzwischen" in page.text
