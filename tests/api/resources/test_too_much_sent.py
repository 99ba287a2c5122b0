"""Oversized input is refused; accepted input is stored in full."""

from io import BytesIO

import pytest
from api.resources.five_collections import EVENING, everything_stored

pytestmark = pytest.mark.without_mongodb

FORM = "application/x-www-form-urlencoded"


@pytest.mark.parametrize(
    "kind", ["application/json", "application/x-www-form-urlencoded", "text/plain", ""]
)
def test_a_body_over_the_limit_is_refused(as_admin, settings, kind):
    body = b'{"title": "' + b"x" * settings.max_body + b'"}'
    answer = as_admin.send("POST", "/events", data=body, content_type=kind)

    assert answer.status_code == 413
    assert answer.code == "request_too_large"
    assert answer.json["data"]["status"] == 413


@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH"])
def test_a_form_over_the_limit_is_refused(as_admin, settings, method):
    part = b'--x\r\nContent-Disposition: form-data; name="title"\r\n\r\n'
    body = part + b"x" * settings.max_body + b"\r\n--x--\r\n"
    path = "/events" if method == "POST" else "/events/1"
    answer = as_admin.send(method, path, data=body, content_type="multipart/form-data; boundary=x")

    assert answer.status_code == 413


@pytest.mark.with_mongodb
@pytest.mark.usefixtures("app")
def test_a_record_larger_than_mongodb_can_store_is_refused(worker):
    description = "x" * 9_000_000
    answer = worker("admin", max_body=2**25).post("/venues", venue="Hall", description=description)
    assert (answer.status_code, answer.code) == (413, "request_too_large")


MULTIPART = "multipart/form-data; boundary=x"
PART = b'--x\r\nContent-Disposition: form-data; name="%s"\r\n\r\n%s\r\n'


class Counted(BytesIO):
    """A body that counts the requested bytes."""

    bytes_read = 0

    def readinto(self, buffer):
        self.bytes_read += len(buffer)
        return super().readinto(buffer)


def of_unknown_length(stream):
    return {
        "input_stream": stream,
        "headers": {"Transfer-Encoding": "chunked"},
        "environ_overrides": {"wsgi.input_terminated": True},
    }


@pytest.mark.parametrize(
    ("kind", "body"),
    [
        (FORM, b"a=1&" * 1_000_000),
        ("application/json", b" " * 4_000_000),
        (MULTIPART, PART % (b"a", b"1" * 500_000) * 8 + b"--x--\r\n"),
    ],
    ids=["form", "json", "parts"],
)
def test_body_of_unknown_length_is_read_only_up_to_the_limit(anyone, settings, kind, body):
    sent = Counted(body)
    answer = anyone.send("POST", "/events", content_type=kind, **of_unknown_length(sent))
    assert (answer.status_code, answer.code) == (413, "request_too_large")
    assert sent.bytes_read <= settings.max_body + 1


@pytest.mark.parametrize("length", ["known", "unknown"])
@pytest.mark.parametrize(
    ("kind", "form"),
    [
        (FORM, b"name=Choir&description=%s"),
        (MULTIPART, PART % (b"name", b"Choir") + PART % (b"description", b"%s") + b"--x--\r\n"),
    ],
    ids=["form", "parts"],
)
def test_a_text_in_a_form_may_fill_the_largest_body(as_admin, settings, kind, form, length):
    body = form % (b"x" * (settings.max_body + len(b"%s") - len(form)))
    sent = {"data": body} if length == "known" else of_unknown_length(BytesIO(body))
    answer = as_admin.send("POST", "/tags", content_type=kind, **sent)
    assert (answer.status_code, answer.json["name"]) == (201, "Choir")
    assert answer.json["description"].count("x") > settings.max_body - 200


def test_body_size_is_checked_before_credentials(anyone, settings):
    body = b" " * (settings.max_body + 1)

    assert anyone.send("POST", "/events", data=body).status_code == 413
    assert anyone.send("POST", "/events", data=b"{", content_type="application/json").code == (
        "rest_invalid_json"
    )


def test_ten_thousand_categories_are_refused_or_taken_but_no_defect(as_admin, database):
    unknown = list(range(10**6, 10**6 + 10_000))
    answer = as_admin.post("/events", title="Concert", categories=unknown, **EVENING)
    assert answer.status_code == 400
    assert answer.invalid_params == ["categories"]
    assert everything_stored(database)["events"] == []


@pytest.mark.parametrize(
    ("name", "many"),
    [
        ("categories", [f"Category {number}" for number in range(10_000)]),
        ("tags", ",".join(f"tag-{number}" for number in range(10_000))),
        ("venue", [{"venue": f"Hall {number}"} for number in range(1_000)]),
        ("organizer", [{"organizer": f"Society {number}"} for number in range(1_000)]),
    ],
)
def test_more_links_than_one_write_can_make_are_refused(as_admin, database, name, many):
    answer = as_admin.post("/events", title="Concert", **{name: many}, **EVENING)

    assert answer.status_code == 400
    assert answer.invalid_params == [name]
    for kind in ("events", "venues", "organizers", "categories", "tags"):
        assert everything_stored(database)[kind] == []


@pytest.mark.parametrize(
    "pairs",
    [
        [f"venue[x{number}]=" for number in range(1_001)],
        ["venue[]=1"] * 1_001,
        ["venue[]="] * 1_000 + ["venue[x]="],
    ],
)
def test_more_than_a_thousand_values_in_brackets_are_refused(anyone, pairs):
    answer = anyone.send("POST", "/events", data="&".join(pairs), content_type=FORM)

    assert (answer.status_code, answer.invalid_params) == (400, ["venue"])


def test_a_thousand_values_in_brackets_are_read(as_admin):
    ignored = [f"other[{number}]=" for number in range(999)]
    event = "title=Concert&start_date=2030-03-10&end_date=2030-03-10&venue[venue]=Hall"
    answer = as_admin.send("POST", "/events", data="&".join([event, *ignored]), content_type=FORM)

    assert (answer.status_code, answer.json["venue"]["venue"]) == (201, "Hall")


def test_very_long_texts_are_stored_as_they_are(as_admin):
    answer = as_admin.post("/events", title="x" * 100_000, description="y" * 500_000, **EVENING)

    assert answer.status_code == 201
    assert answer.json["title"] == "x" * 100_000
    assert len(answer.json["slug"]) <= 200


@pytest.mark.parametrize("field", ["description", "excerpt"])
def test_a_text_of_too_many_different_words_is_refused_by_its_name(as_admin, database, field):
    text = " ".join(f"w{number}" for number in range(120_000))
    answer = as_admin.post("/events", title="Concert", **EVENING, **{field: text})
    assert (answer.status_code, answer.invalid_params) == (400, [field])

    variants = {"rm": {"title": "Concert", field: text}}
    answer = as_admin.post("/events", title="Concert", **EVENING, variants=variants)
    assert (answer.status_code, answer.invalid_params) == (400, ["variants"])
    assert everything_stored(database)["events"] == []


@pytest.mark.with_mongodb
def test_a_text_of_many_different_words_is_stored_and_found(as_admin, anyone):
    text = " ".join(f"w{number}" for number in range(20_000))
    assert as_admin.post("/events", title="Concert", **EVENING, description=text).status_code == 201
    assert anyone.get("/events", search="w19999").json["total"] == 1
