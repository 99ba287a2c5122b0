"""Pages say of each text whether a machine wrote it, and lead to the original."""

import json
from functools import partial
from urllib.parse import urlsplit

import extruct
import pytest

pytestmark = pytest.mark.without_mongodb

UNCHECKED, CHECKED = "ai-autonomous", "ai-assisted"
NOTE = "Translatà cun ina maschina, betg anc controllà."
NOTE_OF_A_LIST = "Inscunts da quests texts derivan d\u2019ina maschina"
EVENING = {"start_date": "2030-02-01 19:00", "end_date": "2030-02-01 21:00"}
ROMANSH = {
    "events": {"title": "Concert en il parc", "description": "<p>Musica</p>", "excerpt": "Curt"},
    "venues": {"venue": "Il parc", "address": "Via dal parc", "description": "Verd"},
    "organizers": {"organizer": "Il chor", "description": "Chant"},
    "categories": {"name": "Musica"},
    "tags": {"name": "chant"},
}
LISTS = ("list", "photo", "map", "print", "2030-02-01", "month/2030-02", "week/2030-02-01")
LISTS_OF_A_TERM = ("/rm/events/category/musik/list/", "/rm/embed/list/")


@pytest.fixture
def visit(browse):
    """Return a function that opens a page, also where it has an address in each language."""
    return partial(follow, browse)


def follow(browse, path):
    page = browse(path)
    return browse(page.headers["Location"]) if page.status == 301 else page


@pytest.fixture
def event(make_event):
    return make_event(
        title="Konzert im Park",
        description="Musik",
        excerpt="Kurz",
        venue={"venue": "Der Park", "address": "Parkweg", "description": "Grün"},
        organizer={"organizer": "Der Chor", "description": "Gesang"},
        categories=["Musik"],
        tags=["Gesang"],
        **EVENING,
    )


@pytest.fixture
def records(event):
    """Return the paths of an event and of all that it shows, by collection."""
    linked = {
        "events": event,
        "venues": event["venue"],
        "organizers": event["organizer"][0],
        "categories": event["categories"][0],
        "tags": event["tags"][0],
    }
    return {name: f"/{name}/{record['id']}" for name, record in linked.items()}


@pytest.fixture
def by_a_machine(as_admin, records):
    """Let a machine translate all of them; return the path of each."""
    for name, path in records.items():
        body = {"translation_origin": "machine", **ROMANSH[name]}
        assert as_admin.post(f"{path}?translation_language=rm", **body).status_code == 200
    return records


@pytest.fixture
def see(browse):
    """Return a function that opens a page where it has moved to."""
    return following(browse)


def following(browse):
    def see(path):
        page = browse(path)
        while page.status == 301:
            page = browse(page.headers["Location"])
        assert page.status == 200, path
        return page

    return see


def pages_of(event):
    """Return the address of each page in Romansh on which the event is shown."""
    paths = [urlsplit(event[name]["url"]).path for name in ("venue",)]
    paths += [urlsplit(event["organizer"][0]["url"]).path, f"/event/{event['slug']}/"]
    lists = [f"/rm/events/{view}/" for view in LISTS]
    return [*(f"/rm{path}" for path in paths), f"/rm/event/{event['slug']}/poster/", *lists]


def marked(page, text):
    """Return the marks of the elements that hold a text, outside the head."""
    elements = page.tree.xpath("//body//*[text()[contains(., $text)]]", text=text)
    assert elements, text
    return {
        each.xpath("string(ancestor-or-self::*[@ai-disclosure][1]/@ai-disclosure)")
        for each in elements
    }


@pytest.mark.parametrize("number", range(4 + len(LISTS)))
def test_element_of_a_text_says_that_a_machine_wrote_it(visit, event, by_a_machine, number):
    path = pages_of(event)[number]
    page = visit(path)
    assert marked(page, "Concert en il parc") == {UNCHECKED}, path
    assert by_a_machine


@pytest.mark.parametrize("path", LISTS_OF_A_TERM)
def test_term_and_frame_are_marked_too(visit, by_a_machine, path):
    page = visit(path)
    assert marked(page, "Concert en il parc") == {UNCHECKED}
    assert marked(page, "Musica") == {UNCHECKED}
    assert by_a_machine


def test_each_text_of_a_record_is_marked(visit, event, by_a_machine):
    page = visit(f"/rm/event/{event['slug']}/")
    for text in ("Concert en il parc", "Il parc", "Via dal parc", "Il chor", "Musica", "chant"):
        assert marked(page, text) == {UNCHECKED}
    assert by_a_machine


def test_line_leads_to_the_original(visit, event, by_a_machine):
    for path in (event["url"], event["venue"]["url"], event["organizer"][0]["url"]):
        own = urlsplit(path).path
        page = visit(f"/rm{own}")
        note = page.tree.find_class("machine-note")[0]
        assert NOTE in note.text_content()
        assert [link.get("href") for link in note.xpath(".//a")] == [own]
    assert by_a_machine


@pytest.mark.parametrize("view", LISTS)
def test_list_has_one_line_for_all_its_events(visit, make_event, by_a_machine, view):
    make_event(title="Markt", **EVENING)
    page = visit(f"/rm/events/{view}/")
    [note] = page.tree.find_class("machine-note")
    assert NOTE_OF_A_LIST in note.text_content()
    [link] = note.xpath(".//a")
    assert link.get("href").startswith("/events/")
    assert by_a_machine


def test_what_somebody_has_checked_has_no_line(visit, as_admin, event, by_a_machine):
    for path in by_a_machine.values():
        as_admin.post(f"{path}?translation_language=rm", translation_reviewed=True)
    for path in pages_of(event):
        page = visit(path)
        assert marked(page, "Concert en il parc") == {CHECKED}
        assert not page.tree.find_class("machine-note")


def test_texts_of_people_are_not_marked(visit, as_admin, event, records):
    for name, path in records.items():
        as_admin.post(f"{path}?translation_language=rm", **ROMANSH[name])
    for path in pages_of(event):
        page = visit(path)
        assert "Concert en il parc" in page.text
        assert not page.tree.xpath("//*[@ai-disclosure]")
        assert not page.tree.find_class("machine-note")


def test_text_that_a_machine_wrote_first_has_no_original(visit, as_admin, event):
    as_admin.post(f"/events/{event['id']}", translation_origin="machine")
    [note] = visit(event["url"]).tree.find_class("machine-note")
    assert note.text_content() == "Maschinell verfasst, noch nicht geprüft."


@pytest.mark.parametrize("machine_text", ["reviewed", "never"])
def test_no_page_shows_what_the_site_holds_back(browse_with, event, by_a_machine, machine_text):
    visit = partial(follow, browse_with(machine_text=machine_text))
    hidden = {text for texts in ROMANSH.values() for text in texts.values()} - {"Curt"}
    for path in (
        *pages_of(event),
        *LISTS_OF_A_TERM,
        f"/rm/events/list/?venue={event['venue']['id']}",
    ):
        page = visit(path)
        words = "" if page.tree is None else page.tree.xpath("string(//body)")
        assert not [text for text in hidden if text.replace("<p>", "") in words], path
        assert not page.tree.find_class("machine-note")
    page = visit(f"/rm/event/{event['slug']}/")
    assert page.link("alternate", hreflang="rm") == []
    assert page.link("canonical") == [event["url"]]
    answer = visit("/rm/events/suggestions?search=concert").answer
    assert json.loads(answer.data) == ["Konzert im Park"]
    assert "/rm/event/" not in visit("/sitemap-events-1.xml").answer.text
    assert by_a_machine


def test_structured_data_names_machine_and_original(visit, as_admin, event, by_a_machine):
    def page_of(path):
        page = visit(path)
        text = page.answer.text
        [described] = extruct.extract(text, syntaxes=["json-ld"])["json-ld"]
        return described["subjectOf"]

    path = f"/rm/event/{event['slug']}/"
    node = page_of(path)
    assert node["digitalSourceType"] == "https://schema.org/TrainedAlgorithmicMediaDigitalSource"
    assert node["creativeWorkStatus"]["termCode"] == UNCHECKED
    own = "/rm/event/concert-en-il-parc/"
    assert (node["inLanguage"], urlsplit(node["url"]).path) == ("rm", own)
    assert node["translationOfWork"]["url"].endswith(urlsplit(event["url"]).path)
    assert node["translationOfWork"]["inLanguage"] == "de"
    assert "reviewedBy" not in node
    as_admin.post(f"{by_a_machine['events']}?translation_language=rm", translation_reviewed=True)
    checked = page_of(path)
    assert checked["creativeWorkStatus"]["termCode"] == CHECKED
    assert checked["reviewedBy"]["name"] == "Calendar"
    for linked in (event["venue"], event["organizer"][0]):
        node = page_of(f"/rm{urlsplit(linked['url']).path}")
        assert node["creativeWorkStatus"]["termCode"] == UNCHECKED
        assert node["translationOfWork"]["url"].endswith(urlsplit(linked["url"]).path)
