"""To whom a picture is owed, and under which terms it may be used."""

import pytest
from browsing import Browser

OWED = {"credit": "Ladina & Gian", "license": "CC BY-SA 4.0"}
ADDRESS = "https://creativecommons.org/licenses/by-sa/4.0/"


@pytest.fixture
def picture(upload):
    return upload(alt_text="Eine Bühne", **OWED)


def owed(body):
    return {name: body[name] for name in OWED}


def test_credit_and_license_come_with_the_upload_in_all_languages(picture, as_author):
    path = f"/media/{picture['id']}"
    assert owed(picture) == owed(as_author.get(path, translation_language="rm").json) == OWED
    answer = as_author.patch(path, credit="", license=None, translation_language="rm")
    assert answer.status_code == 200, answer.json
    assert owed(as_author.get(path).json) == {"credit": "", "license": ""}


def test_records_and_linked_data_name_them(picture, make_event, described):
    event = make_event(image=picture["id"])
    assert owed(event["image"]) == OWED
    images = described(event)["image"]
    assert {(each["creditText"], each["license"]) for each in images} == {(OWED["credit"], ADDRESS)}


@pytest.mark.parametrize(
    ("terms", "address"),
    [
        ("CC0", "https://creativecommons.org/publicdomain/zero/1.0/"),
        ("cc-by-nc-nd-3.0", "https://creativecommons.org/licenses/by-nc-nd/3.0/"),
        ("https://example.org/terms", "https://example.org/terms"),
        ("All rights reserved", None),
    ],
)
def test_linked_data_has_a_license_where_it_has_an_address(
    upload, make_event, described, terms, address
):
    event = make_event(image=upload(license=terms)["id"])
    assert {image.get("license") for image in described(event)["image"]} == {address}


def test_page_names_them_beside_the_picture(picture, make_event, app):
    event = make_event(image=picture["id"], slug="konzert")
    (caption,) = Browser(app)(f"/event/{event['slug']}/").tree.xpath("//figure/figcaption")
    assert caption.text_content() == "Bild: Ladina & Gian · CC BY-SA 4.0"
    assert caption.xpath("a/@href") == [ADDRESS]
