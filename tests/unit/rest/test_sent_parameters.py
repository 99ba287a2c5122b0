"""Whatever a body is made of, it is read or refused."""

import pytest

MULTIPART = {"Content-Type": "multipart/form-data; boundary=edge"}


def part(head, value):
    return f"--edge\r\nContent-Disposition: form-data{head}\r\n\r\n{value}\r\n"


@pytest.mark.parametrize("head", ["", '; name=""', '; filename="a.txt"', '; name="x"; filename=""'])
def test_parts_of_a_form_that_have_no_name_are_ignored(as_admin, head):
    body = part(head, "nothing") + part('; name="name"', "Konzert") + "--edge--\r\n"
    answer = as_admin.send("POST", "/tags", data=body.encode(), headers=MULTIPART)
    assert (answer.status_code, answer.json["name"]) == (201, "Konzert")


def test_a_form_that_is_cut_off_lacks_what_was_not_sent(as_admin):
    answer = as_admin.send("POST", "/tags", data=b"--edge\r\n10", headers=MULTIPART)
    assert (answer.status_code, answer.code) == (400, "rest_missing_callback_param")
