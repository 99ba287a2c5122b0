"""Administrators look after webhooks at the desk: settings, secrets, deliveries, a test."""

import dataclasses

import pytest
from receivers import receiving

from calendar_app.accounts.callers import Caller
from calendar_app.api.http.request.state import get_services

ADMIN = Caller(1, "admin", "administrator")


@pytest.fixture
def settings(settings):
    return dataclasses.replace(settings, webhook_networks=("127.0.0.0/8",))


@pytest.fixture
def admin(desk):
    return desk("admin")


@pytest.fixture
def receiver(as_admin):
    """Return a receiver with its webhook."""
    with receiving() as receiver:
        webhook = as_admin.post("/webhooks", name="Mirror", address=receiver.address).json
        receiver.page = f"/webhooks/{webhook['id']}"
        receiver.secret = webhook["secret"]
        yield receiver


def test_new_webhook_is_added_and_its_secret_shown_once(admin, as_admin, make_category):
    category = str(make_category(name="Music")["id"])
    page = admin.send(
        "/webhooks/new",
        name="Mirror",
        address="https://mirror.example.org/",
        kinds=["events.upsert"],
        categories=[category],
        others="/events?featured=true",
    )
    (secret,) = page.tree.xpath('//input[@id="secret"]/@value')
    assert secret.startswith("whsec_")
    (webhook,) = as_admin.get("/webhooks").json["webhooks"]
    assert webhook["kinds"] == ["events.upsert"]
    assert webhook["filters"] == {"categories": category, "featured": "true"}
    assert secret not in admin.get(f"/webhooks/{webhook['id']}").text


@pytest.mark.parametrize(
    ("typed", "control"),
    [
        ({"address": "mirror"}, "address"),
        ({"name": ""}, "name"),
        ({"others": "color=red"}, "filters"),
        ({"others": "featured"}, "filters"),
        ({"kinds": []}, "kinds"),
    ],
)
def test_what_cannot_be_is_said_beside_its_field_and_nothing_is_stored(
    admin, as_admin, typed, control
):
    right = {"name": "Mirror", "address": "https://mirror.example.org/"}
    page = admin.send("/webhooks/new", **right | typed)
    assert page.status == 400
    assert page.tree.xpath(f'//*[@id="{control}-problem"]')
    assert as_admin.get("/webhooks").json["total"] == 0


def test_settings_are_changed_and_those_of_others_stay(admin, as_admin, receiver):
    form = admin.get(f"{receiver.page}/settings")
    assert form.status == 200
    as_admin.put(receiver.page, content="full")
    answer = admin.send(f"{receiver.page}/settings", name="Mirror of the valley")
    assert answer.status == 303
    webhook = as_admin.get(receiver.page).json
    assert (webhook["name"], webhook["content"]) == ("Mirror of the valley", "full")


def test_test_is_sent_and_its_answer_said(admin, receiver):
    answer = admin.send(receiver.page, "/test")
    assert "204" in admin.get(answer.headers["Location"]).text
    receiver.status = 500
    answer = admin.send(receiver.page, "/test")
    assert "500" in admin.get(answer.headers["Location"]).text
    rows = admin.get(receiver.page).tree.xpath("//tbody/tr")
    assert len(rows) == 2
    assert len(admin.get(f"{receiver.page}?state=taken").tree.xpath("//tbody/tr")) == 1


def test_delivery_is_sent_again(admin, receiver):
    receiver.status = 500
    location = admin.send(receiver.page, "/test").headers["Location"]
    receiver.status = 204
    admin.send(location.removeprefix("/desk"), "/send")
    assert len(receiver.messages) == 1


def test_new_secret_signs_and_is_shown_once(admin, receiver):
    page = admin.send(receiver.page, "/secret")
    (receiver.secret,) = page.tree.xpath('//input[@id="secret"]/@value')
    admin.send(receiver.page, "/test")
    assert len(receiver.messages) == 1


def test_webhook_is_switched_off_and_on_and_removed(admin, as_admin, receiver):
    admin.send(receiver.page, "/switch", off="true")
    assert as_admin.get(receiver.page).json["state"] == "off"
    admin.send(receiver.page, "/switch", off="false")
    assert as_admin.get(receiver.page).json["state"] == "on"
    admin.send(receiver.page, "/remove")
    assert as_admin.get(receiver.page).status_code == 404


def test_ended_webhook_is_a_notice_to_administrators(admin, desk, receiver, database):
    ended = {"ended": "gone", "ended_at": get_now(admin), "told": False}
    database["webhooks"].update_one({}, {"$set": ended})
    for path in ("/", receiver.page, "/webhooks/"):
        assert admin.get(path).status == 200
    assert "Mirror" in admin.get("/").text
    assert "Mirror" not in desk("editor").get("/").text


def get_now(browser):
    return get_services(browser.client.application).clock().replace(tzinfo=None)
