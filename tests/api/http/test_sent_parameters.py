"""Whatever a body is made of, it is read or refused."""

import pytest

pytestmark = pytest.mark.without_mongodb

FORM = "application/x-www-form-urlencoded"
MULTIPART = {"Content-Type": "multipart/form-data; boundary=edge"}


def part(head, value):
    return f"--edge\r\nContent-Disposition: form-data{head}\r\n\r\n{value}\r\n"


@pytest.mark.parametrize("head", ["", '; name=""', '; filename="a.txt"', '; name="x"; filename=""'])
def test_parts_of_a_form_that_have_no_name_are_ignored(as_admin, head):
    body = part(head, "nothing") + part('; name="name"', "Konzert") + "--edge--\r\n"
    answer = as_admin.send("POST", "/tags", data=body.encode(), headers=MULTIPART)
    assert (answer.status_code, answer.json["name"]) == (201, "Konzert")


def test_a_form_that_is_cut_off_cannot_be_read(as_admin):
    answer = as_admin.send("POST", "/tags", data=b"--edge\r\n10", headers=MULTIPART)
    assert (answer.status_code, answer.code) == (400, "bad_request")


@pytest.mark.parametrize("body", [b"name=Z%FCrich", b"name=Z\xfcrich", b"name=%ED%A0%80"])
@pytest.mark.parametrize(
    "announced", [FORM, f"{FORM}; charset=UTF-8", f"{FORM}; charset=iso-8859-1"]
)
def test_a_form_that_is_not_in_utf_8_is_refused(as_admin, announced, body):
    answer = as_admin.send("POST", "/tags", data=body, content_type=announced)
    assert (answer.status_code, answer.invalid_params) == (400, ["name"])
    assert as_admin.get("/tags", hide_empty=False).json["total"] == 0


def test_a_form_without_a_type_is_utf_8(as_admin, make_tag):
    tag = f"/tags/{make_tag()['id']}"
    refused = as_admin.send("PUT", tag, data=b"name=Z%FCrich")
    assert (refused.status_code, refused.invalid_params) == (400, ["name"])
    assert as_admin.send("PUT", tag, data=b"name=Z%C3%BCrich").json["name"] == "Z\xfcrich"


def test_a_name_of_a_field_that_is_not_in_utf_8_is_refused(as_admin):
    answer = as_admin.send("POST", "/tags", data=b"n%FCme=Choir", content_type=FORM)
    assert (answer.status_code, answer.invalid_params) == (400, ["n\ufffdme"])


def test_a_part_of_a_form_that_is_not_in_utf_8_is_refused(as_admin):
    body = (part("; name=name", "Z\xfcrich") + "--edge--\r\n").encode("latin-1")
    answer = as_admin.send("POST", "/tags", data=body, headers=MULTIPART)
    assert (answer.status_code, answer.invalid_params) == (400, ["name"])


def test_a_part_of_a_form_is_read_in_the_charset_that_it_announces(as_admin):
    latin = part("; name=name\r\nContent-Type: text/plain; charset=iso-8859-1", "Z\xfcrich")
    usual = part("; name=description", "Genf")
    body = f"{part('', 'nameless')}{usual}{latin}--edge--\r\n".encode("latin-1")
    answer = as_admin.send("POST", "/tags", data=body, headers=MULTIPART)
    assert (answer.status_code, answer.json["name"]) == (201, "Z\xfcrich")


def test_a_name_of_a_part_that_is_not_in_utf_8_cannot_be_read(as_admin):
    body = (part('; name="n\xfcme"', "Choir") + "--edge--\r\n").encode("latin-1")
    answer = as_admin.send("POST", "/tags", data=body, headers=MULTIPART)
    assert (answer.status_code, answer.code) == (400, "bad_request")
