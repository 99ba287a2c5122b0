"""The list of texts that wait for translators: exact numbers, of editable records only."""

import pytest


@pytest.fixture
def numbers(desk):
    """Return a function that reads the numbers of the table, by kind and state."""

    def read(user="editor", **query):
        page = desk(user).get("/translations/", query_string={"language": "rm", **query})
        assert page.status == 200, page.text
        rows = page.tree.xpath('//table[contains(@class, "standings")]/tbody/tr')
        cells = (
            [cell.xpath("string((a/text() | span/text())[1])") for cell in row.xpath("td")]
            for row in rows
        )
        names = [row.xpath("string(th)") for row in rows]
        waiting = ([int(cell) for cell in row[:-1]] for row in cells)
        return dict(zip(names, waiting, strict=True))

    return read


@pytest.fixture
def calendar(make_event, make_venue, as_admin):
    """Make an outdated event, a missing and a current one, and a missing venue."""
    outdated, _, current = (make_event(title=title)["id"] for title in ("Eins", "Zwei", "Drei"))
    for number in (outdated, current):
        as_admin.patch(f"/events/{number}", variants={"rm": {"title": f"Rm {number}"}})
    as_admin.patch(f"/events/{outdated}", title="Eins plus")
    make_venue(venue="Halle")
    return outdated


@pytest.mark.usefixtures("calendar")
def test_numbers_of_a_language_are_exact(numbers):
    counted = numbers()
    assert counted["Veranstaltungen"] == [1, 1, 0]
    assert counted["Orte"] == [0, 1, 0]


def test_events_that_are_over_are_counted_on_request(numbers, make_event):
    make_event(title="Alt", start_date="2001-01-01 10:00:00", end_date="2001-01-01 11:00:00")
    assert numbers()["Veranstaltungen"] == [0, 0, 0]
    assert numbers(past="1")["Veranstaltungen"] == [0, 1, 0]


def test_what_is_in_the_trash_does_not_wait(numbers, make_event, as_admin):
    as_admin.delete(f"/events/{make_event(title='Weg')['id']}")
    assert numbers()["Veranstaltungen"] == [0, 0, 0]


def test_dates_of_a_series_wait_once_as_their_series(numbers, make_event):
    make_event(title="Markt", recurrence={"rrule": "FREQ=WEEKLY;COUNT=5"})
    counted = numbers()
    assert counted["Veranstaltungen"] == [0, 0, 0]
    assert counted["Serien"] == [0, 1, 0]


@pytest.mark.usefixtures("calendar")
def test_author_sees_own_records_alone(numbers):
    assert numbers("author")["Veranstaltungen"] == [0, 0, 0]
    assert numbers("author")["Kategorien"] == [0, 0, 0]


def test_contributor_sees_no_kinds_that_are_for_others(numbers):
    assert "Kategorien" not in numbers("contributor")


def test_list_leads_to_the_translation(desk, calendar):
    page = desk().get("/translations/?language=rm&kind=events&state=outdated")
    assert "Eins plus" in page.text
    (link,) = page.tree.xpath('//table[contains(@class, "as-cards")]//a/@href')
    assert link.startswith(f"/desk/events/{calendar}/translate/rm")


@pytest.mark.usefixtures("calendar")
def test_list_shows_the_kind_and_state_that_are_asked_for(desk):
    page = desk().get("/translations/?language=rm&kind=venues&state=missing")
    assert "Halle" in page.text


@pytest.mark.parametrize("query", ["language=xx", "kind=users", "state=lost", "page=0", "page=x"])
def test_what_makes_no_sense_shows_the_usual_list(desk, query):
    assert desk().get(f"/translations/?{query}").status == 200


def test_subscriber_may_not_open_the_list(desk):
    assert desk("subscriber").get("/translations/").status == 403


@pytest.mark.usefixtures("calendar")
def test_list_shows_what_is_up_to_date_on_request(desk):
    table = '//table[contains(@class, "standings")]'
    (link,) = (
        desk().get("/translations/?language=rm").tree.xpath(f"({table}//tr)[2]/td[last()]/a/@href")
    )
    assert desk().get(link).tree.xpath('//table[contains(@class, "as-cards")]//a/text()') == [
        "Drei"
    ]


@pytest.mark.usefixtures("calendar")
@pytest.mark.parametrize("kind", ["events", "venues"])
def test_list_is_searched_by_words(desk, kind):
    path = f"/translations/?language=rm&kind={kind}&state=missing&search="
    names = desk().get(path).tree.xpath('//table[contains(@class, "as-cards")]//a/text()')
    (word,) = names
    links = '//table[contains(@class, "as-cards")]//a/text()'
    assert desk().get(path + word.lower()).tree.xpath(links) == [word]
    page = desk().get(path + "nirgends")
    assert page.tree.xpath('//table[contains(@class, "as-cards")]') == []
    assert "Nichts passt zur Suche" in page.text


def test_search_leads_on_to_what_fits_it(desk, make_event):
    make_event(title="Konzert")
    match = make_event(title="Markt")
    answer = desk().get("/translations/next?language=rm&state=missing&search=markt")
    assert answer.headers["Location"].startswith(f"/desk/events/{match['id']}/translate/rm")
    assert "search=markt" in answer.headers["Location"]


def test_search_of_too_many_words_is_refused(desk):
    page = desk().get(
        "/translations/", query_string={"search": " ".join(map(str, range(51))), "language": "rm"}
    )
    assert page.status == 400
