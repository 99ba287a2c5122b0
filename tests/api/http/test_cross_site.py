"""Pages of other sites cannot write with the credentials that a browser has stored."""

import pytest

pytestmark = pytest.mark.without_mongodb

FOREIGN = "https://other.example"
METHODS = ["POST", "PUT", "PATCH", "DELETE"]


def refused(answer):
    return (answer.status_code, answer.json.get("code")) == (403, "cross_site_request")


@pytest.fixture
def path(make_tag):
    return f"/tags/{make_tag()['id']}"


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize(
    "headers",
    [
        {"Sec-Fetch-Site": "cross-site"},
        {"Origin": FOREIGN},
        {"Origin": "null"},
        {"Origin": "http://calendar.example"},
        {"Origin": "https://www.calendar.example", "Sec-Fetch-Site": "same-site"},
    ],
)
def test_a_foreign_page_cannot_write_with_stored_credentials(as_admin, path, method, headers):
    assert refused(as_admin.send(method, path, headers=headers, json={"name": "Foreign"}))
    assert as_admin.get(path).json["name"] != "Foreign"


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"Origin": "https://calendar.example"},
        {"Origin": "http://localhost"},
        {"Origin": FOREIGN, "Sec-Fetch-Site": "same-origin"},
        {"Sec-Fetch-Site": "none"},
    ],
)
def test_own_pages_and_programs_may_write(as_admin, path, headers):
    assert as_admin.send("PUT", path, headers=headers, json={"name": "Own"}).json["name"] == "Own"


def test_trusted_sites_may_write(worker, path):
    trusting = worker("admin", cors_origins=(FOREIGN,))
    headers = {"Origin": FOREIGN, "Sec-Fetch-Site": "cross-site"}
    assert trusting.send("PUT", path, headers=headers, json={"name": "Ours"}).status_code == 200

    headers["Origin"] = f"{FOREIGN}.evil.example"
    assert refused(trusting.send("PUT", path, headers=headers, json={"name": "Theirs"}))


def test_a_program_with_a_bearer_secret_may_name_its_origin(anyone, path):
    headers = {"Origin": FOREIGN, "Authorization": "Bearer nobody"}
    assert anyone.send("PUT", path, headers=headers).code == "incorrect_password"


def test_reads_are_for_all_sites(as_admin, path):
    headers = {"Origin": FOREIGN, "Sec-Fetch-Site": "cross-site"}
    for method in ("GET", "HEAD", "OPTIONS"):
        assert as_admin.send(method, path, headers=headers).status_code == 200
