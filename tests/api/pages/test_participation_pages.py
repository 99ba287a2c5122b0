"""Who can take part in an event, on its page and in the filters of lists."""

import pytest
from extruct import extract

PARTICIPATION = {
    "title": "Konzert",
    "slug": "konzert",
    "accessibility": ["sign_language", "wheelchair"],
    "in_language": ["de", "en"],
    "audience": {"min_age": 6, "groups": ["families"]},
}
REGISTRATIONS = [
    ({"url": "https://a.example/1"}, ["Zur Anmeldung"]),
    ({"closes": "2030-03-01 18:00:00"}, ["Endet: Freitag, 1. März 2030, 18:00"]),
    ({"opens": "2030-03-01", "required": True}, ["Bitte anmelden.", "Beginnt: "]),
    ({"required": False}, ["Ohne Anmeldung möglich."]),
]


def facts(page):
    """Return the facts of a page by their headings."""
    rows = page.tree.xpath('//aside[@class="facts"]//dl/div')
    return {
        row.xpath("string(dt)").strip(): " ".join(row.xpath("string(dd)").split()) for row in rows
    }


def test_event_page_says_for_whom_in_which_languages_and_how_it_is_accessible(browse, make_event):
    make_event(**PARTICIPATION)
    rows = facts(browse("/event/konzert/"))
    assert rows["Für wen"] == "Ab 6 Jahren · Familien"
    assert rows["Sprache"] == "Deutsch und Englisch"
    assert rows["Barrierefreiheit"].split("Gebärden")[0].strip() == "Mit dem Rollstuhl zugänglich"
    assert "Gebärdensprache" in rows["Barrierefreiheit"]


@pytest.mark.parametrize(("registration", "texts"), REGISTRATIONS)
def test_event_page_says_how_to_register(browse, make_event, registration, texts):
    make_event(slug="kurs", registration=registration)
    registration_text = facts(browse("/event/kurs/"))["Anmeldung"]
    assert [text for text in texts if text not in registration_text] == []


def test_page_of_a_silent_event_has_no_empty_headings(browse, make_event):
    make_event(slug="still")
    names = {"Für wen", "Sprache", "Barrierefreiheit", "Anmeldung"}
    assert not names & facts(browse("/event/still/")).keys()


def test_extruct_reads_it_from_the_page(browse, make_event):
    make_event(**PARTICIPATION)
    (read,) = extract(browse("/event/konzert/").answer.text, syntaxes=["json-ld"])["json-ld"]
    assert [word["termCode"] for word in read["keywords"]] == ["wheelchair", "sign_language"]
    assert (read["inLanguage"], read["typicalAgeRange"]) == (["de", "en"], "6-")


def test_filters_offer_what_is_there_with_its_number(browse, make_event):
    make_event(**PARTICIPATION)
    make_event(title="Zwei", in_language=["de-CH"])
    make_event(title="Drei", accessibility=["wheelchair"], status="draft")
    page = browse("/events/list/")

    def offered(name):
        boxes = page.tree.xpath(f'//input[@name="{name}[]"]')
        numbers = {
            each.get("value"): each.getparent().xpath('string(*[@class="number"])')
            for each in boxes
        }
        return {value: number.strip() for value, number in numbers.items()}

    assert offered("accessibility") == {"wheelchair": "1", "sign_language": "1"}
    assert offered("in_language") == {"de": "2", "de-CH": "1", "en": "1"}
    assert page.tree.xpath('//input[@name="age"]')


def test_chosen_filters_are_named_and_can_be_taken_off(browse, make_event):
    make_event(**PARTICIPATION)
    page = browse("/events/list/?accessibility=wheelchair&in_language=en&age=8")
    assert "Konzert" in page.text
    for words in ("Mit dem Rollstuhl zugänglich", "Englisch"):
        assert page.tree.xpath(f'//a[contains(., "{words}")]')
    assert browse("/events/list/?age=5").tree.xpath("//input[@name='age']/@value") == ["5"]
