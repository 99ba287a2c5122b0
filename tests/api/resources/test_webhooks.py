"""Webhooks over HTTP: who manages them, what they may be, their secrets and deliveries."""

import dataclasses

import pytest
from post_office import post_office
from receivers import receiving

from calendar_app.api.http.request.state import get_services
from calendar_app.changes.mail import Mailer
from calendar_app.changes.webhooks.explaining import tell_owners

MIRROR = {"name": "Mirror", "address": "https://mirror.example.org/changes"}


@pytest.fixture
def settings(settings):
    return dataclasses.replace(settings, webhook_networks=("127.0.0.0/8",))


@pytest.fixture
def mirror(as_admin):
    """Return a webhook that an administrator added."""
    answer = as_admin.post("/webhooks", **MIRROR)
    assert answer.status_code == 201, answer.json
    return answer.json


@pytest.fixture
def receiver(as_admin):
    """Return a receiver with its webhook."""
    with receiving() as receiver:
        webhook = as_admin.post("/webhooks", name="Mirror", address=receiver.address).json
        receiver.webhook = f"/webhooks/{webhook['id']}"
        receiver.secret = webhook["secret"]
        yield receiver


def test_added_webhook_shows_its_settings_and_its_secret_once(as_admin, mirror):
    secret = mirror.pop("secret")
    assert secret.startswith("whsec_")
    answer = as_admin.get(f"/webhooks/{mirror['id']}")
    assert (answer.status_code, answer.json) == (200, mirror)
    assert {name: answer.json[name] for name in MIRROR} == MIRROR
    usual = {
        "kinds": ["events.upsert", "events.delete"],
        "filters": {},
        "language": "de",
        "content": "thin",
        "off": False,
    }
    assert {name: answer.json[name] for name in usual} == usual
    assert (answer.json["reads_as"], answer.json["owner"]) == (0, as_admin.id)
    assert answer.json["state"] == "on"
    assert secret not in as_admin.get("/webhooks").text


def test_webhooks_are_listed_by_name_in_pages(as_admin):
    for name in ("Tirol", "Chor", "Museum"):
        as_admin.post("/webhooks", **MIRROR | {"name": name})
    first = as_admin.get("/webhooks", per_page=2).json
    assert [each["name"] for each in first["webhooks"]] == ["Chor", "Museum"]
    assert (first["total"], first["total_pages"]) == (3, 2)


def test_settings_that_are_sent_change_and_the_others_stay(as_admin, mirror, make_category):
    category = make_category()["id"]
    new = {"content": "full", "kinds": ["events.delete"], "filters": {"categories": category}}
    changed = as_admin.put(f"/webhooks/{mirror['id']}", **new)
    assert changed.status_code == 200
    assert changed.json["filters"] == {"categories": str(category)}
    assert changed.json["kinds"] == ["events.delete"]
    assert changed.json["address"] == MIRROR["address"]
    assert as_admin.put(f"/webhooks/{mirror['id']}", off=True).json["state"] == "off"


def test_removed_webhook_is_gone(as_admin, mirror):
    assert as_admin.delete(f"/webhooks/{mirror['id']}").json["name"] == "Mirror"
    assert as_admin.get(f"/webhooks/{mirror['id']}").status_code == 404
    assert as_admin.delete(f"/webhooks/{mirror['id']}").code == "rest-webhook-not-found"


@pytest.mark.parametrize(
    ("values", "named"),
    [
        ({"name": ""}, "name"),
        ({"address": "ftp://mirror.example.org/"}, "address"),
        ({"address": "https://user:word@mirror.example.org/"}, "address"),
        ({"address": "https://:word@mirror.example.org/"}, "address"),
        ({"address": "mirror"}, "address"),
        ({"address": "https://[mirror/"}, "address"),
        ({"kinds": ["faxes"]}, "kinds"),
        ({"kinds": []}, "kinds"),
        ({"filters": "music"}, "filters"),
        ({"filters": {"color": "red"}}, "filters"),
        ({"filters": {"categories": "unknown"}}, "filters"),
        ({"filters": {"since": "start"}}, "filters"),
        ({"language": "xx"}, "language"),
        ({"content": "fat"}, "content"),
        ({"reads_as": 4711}, "reads_as"),
        ({"owner": 4711}, "owner"),
    ],
)
def test_a_setting_that_cannot_be_is_named_and_nothing_is_stored(as_admin, values, named):
    answer = as_admin.post("/webhooks", **MIRROR | values)
    assert answer.status_code == 400
    assert answer.invalid_params == [named]
    assert as_admin.get("/webhooks").json["total"] == 0


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("GET", ""),
        ("POST", ""),
        ("GET", "/1"),
        ("PUT", "/1"),
        ("DELETE", "/1"),
        ("GET", "/1/deliveries"),
        ("POST", "/1/secret"),
        ("POST", "/1/test"),
    ],
)
def test_only_administrators_manage_webhooks(anyone, as_editor, mirror, method, path):
    path = f"/webhooks{path.replace('1', str(mirror['id']))}"
    assert anyone.send(method, path).status_code == 401
    assert as_editor.send(method, path).status_code == 403


def test_there_can_be_fifty_webhooks(as_admin):
    for _ in range(50):
        assert as_admin.post("/webhooks", **MIRROR).status_code == 201
    answer = as_admin.post("/webhooks", **MIRROR)
    assert (answer.status_code, answer.code) == (409, "too_many_webhooks")


def test_after_rotation_both_secrets_sign_for_a_day(as_admin, receiver, clock):
    former = receiver.secret
    rotated = as_admin.post(f"{receiver.webhook}/secret").json
    assert rotated["secret"] != former
    assert [each["until"] is None for each in rotated["secrets"]] == [True, False]
    for secret in (former, rotated["secret"]):
        receiver.secret = secret
        assert as_admin.post(f"{receiver.webhook}/test").json["state"] == "taken"
    clock.advance(hours=25)
    assert as_admin.post(f"{receiver.webhook}/test").json["state"] == "taken"
    receiver.secret = former
    assert as_admin.post(f"{receiver.webhook}/test").json["state"] == "failed"


def test_former_secret_can_end_at_once(as_admin, receiver):
    rotated = as_admin.post(f"{receiver.webhook}/secret", keep=False).json
    assert len(rotated["secrets"]) == 1
    assert as_admin.post(f"{receiver.webhook}/test").json["state"] == "failed"


def test_test_says_what_the_receiver_answers(as_admin, receiver):
    sent = as_admin.post(f"{receiver.webhook}/test").json
    assert (sent["type"], sent["state"], sent["attempts"][0]["status"]) == (
        "webhooks.test",
        "taken",
        204,
    )
    receiver.status = 500
    sent = as_admin.post(f"{receiver.webhook}/test").json
    assert (sent["state"], sent["attempts"][0]["status"]) == ("failed", 500)
    assert as_admin.get(receiver.webhook).json["state"] == "on"
    listed = as_admin.get(f"{receiver.webhook}/deliveries").json
    assert [each["state"] for each in listed["deliveries"]] == ["failed", "taken"]
    taken = as_admin.get(f"{receiver.webhook}/deliveries", state="taken").json
    assert (taken["total"], len(taken["deliveries"])) == (1, 1)


def test_delivery_is_sent_again_as_it_was(as_admin, receiver):
    receiver.status = 503
    first = as_admin.post(f"{receiver.webhook}/test").json
    receiver.status = 204
    again = as_admin.post(f"{receiver.webhook}/deliveries/{first['id']}/send").json
    assert (again["id"], again["state"], again["tried"]) == (first["id"], "taken", 2)
    assert again["body"] == first["body"]
    assert receiver.ids == [first["id"]]
    assert as_admin.get(f"{receiver.webhook}/deliveries/{first['id']}").json == again


def test_delivery_of_another_webhook_is_not_found(as_admin, receiver, mirror):
    own = as_admin.post(f"{receiver.webhook}/test").json
    path = f"/webhooks/{mirror['id']}/deliveries/{own['id']}"
    assert as_admin.get(path).status_code == 404
    assert as_admin.post(f"{path}/send").status_code == 404


def test_owner_gets_a_letter_once_when_a_webhook_ends(app, as_admin, mirror, database):
    ended = {"ended": "gone", "ended_at": get_services(app).clock(), "told": False}
    database["webhooks"].update_one({"_id": mirror["id"]}, {"$set": ended})
    as_admin.patch(f"/users/{as_admin.id}", email="admin@example.org")
    services = get_services(app)
    with post_office() as (address, letters):
        mailer = Mailer(f"smtp://{address}", "calendar@example.org")
        for _ in range(2):
            tell_owners(services.webhooks, services.profiles, mailer, services.settings)
    (letter,) = letters.taken
    assert letter["To"] == "admin@example.org"
    assert "Mirror" in letter["Subject"]
    assert (
        f"https://calendar.example/desk/webhooks/{mirror['id']}"
        in letter.get_body(("plain",)).get_content()
    )


def test_figures_tell_attempts_and_what_waits(worker, receiver, as_admin):
    as_admin.post(f"{receiver.webhook}/test")
    text = worker(metrics=True).send("GET", "/metrics", base="").text
    assert 'calendar_webhook_attempts_total{result="taken"} 1.0' in text
    assert "calendar_webhook_deliveries_waiting 0.0" in text
    assert "calendar_webhook_oldest_seconds 0.0" in text


@pytest.mark.usefixtures("app")
def test_webhook_without_an_address_of_the_site_is_refused(worker):
    admin = worker("admin", site_url="")
    refused = admin.post("/webhooks", **MIRROR)
    assert (refused.status_code, refused.invalid_params) == (400, ["address"])
    assert "site_url" in str(refused.json["data"]["params"]["address"])
    assert admin.get("/webhooks").json["webhooks"] == []


def test_webhook_without_an_address_of_the_site_can_be_switched_off_alone(mirror, worker):
    admin, path = worker("admin", site_url=""), f"/webhooks/{mirror['id']}"
    assert admin.post(path, name="Another").invalid_params == ["address"]
    assert admin.post(path, off=True).json["state"] == "off"
    assert admin.post(path, off=False).invalid_params == ["address"]
