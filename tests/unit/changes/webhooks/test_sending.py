"""One message is signed and sent, and every bad answer ends in time, with its reason."""

import json
from contextlib import closing
from datetime import datetime

import pytest
from receivers import (
    DEAD_ADDRESS,
    cutting_off,
    dripping,
    elsewhere,
    lying_context,
    receiving,
    talking,
)
from standardwebhooks import Webhook as Judge

from calendar_app.changes.webhooks.sending import (
    BROKEN,
    CERTIFICATE,
    NO_CONNECTION,
    NOT_PUBLIC,
    REDIRECT,
    TOO_SLOW,
    Sender,
    Signed,
)
from calendar_app.changes.webhooks.webhook import Secret
from calendar_app.domain.addresses import networks_of

LOOPBACK = networks_of("webhook_networks", ["127.0.0.0/8"])
NOW = datetime(2030, 1, 15, 12)  # noqa: DTZ001  # naive UTC, as records have it
FIRST, SECOND = Secret.new(NOW).value, Secret.new(NOW).value
MESSAGE = Signed("msg_1", json.dumps({"type": "events.upsert", "data": {"id": 5}}), [FIRST, SECOND])


def send(address, networks=LOOPBACK, seconds=2.0):
    with closing(Sender(networks, seconds)) as sender:
        return sender.send(address, MESSAGE)


@pytest.mark.parametrize("secret", [FIRST, SECOND], ids=["latest", "former"])
def test_receiver_verifies_a_message_by_either_secret(secret):
    with receiving() as receiver:
        receiver.secret = secret
        attempt = send(receiver.address)
    assert (attempt.status, attempt.is_taken, attempt.reason) == (204, True, "")
    assert receiver.data == [{"id": 5}]
    assert receiver.ids == ["msg_1"]


def test_message_is_refused_by_a_receiver_with_another_secret():
    with receiving() as receiver:
        receiver.secret = Secret.new(NOW).value
        attempt = send(receiver.address)
    assert attempt.reason == BROKEN  # The judge raises in the receiver.
    assert not receiver.messages


def test_secret_is_one_of_standard_webhooks():
    secret = Secret.new(NOW).value
    assert secret.startswith("whsec_")
    assert secret != Secret.new(NOW).value
    assert Judge(secret).sign("msg_1", NOW, "{}").startswith("v1,")


@pytest.mark.parametrize(
    ("behave", "reason"), [(dripping, TOO_SLOW), (cutting_off, BROKEN), (elsewhere, REDIRECT)]
)
def test_bad_answer_ends_in_time_with_its_reason(behave, reason):
    with receiving(behave=behave) as receiver:
        attempt = send(receiver.address)
    assert attempt.reason == reason
    assert not attempt.is_taken
    assert attempt.seconds < 5


def test_redirect_is_not_followed_and_says_where_it_leads():
    with receiving(behave=elsewhere) as receiver:
        attempt = send(receiver.address)
    assert (attempt.status, attempt.detail) == (307, "http://169.254.169.254/latest/meta-data/")
    assert attempt.is_refused
    assert receiver.requests == 1


def test_of_ten_megabytes_the_beginning_is_read():
    with receiving(behave=talking) as receiver:
        attempt = send(receiver.address)
    assert attempt.is_taken
    assert attempt.answer == "x" * 1000


def test_failed_certificate_is_named(tmp_path):
    with receiving(lying_context(tmp_path)) as receiver:
        attempt = send(receiver.address)
    assert attempt.reason == CERTIFICATE
    assert "self-signed" in attempt.detail
    assert not receiver.requests


def test_dead_receiver_is_named():
    assert send(DEAD_ADDRESS).reason == NO_CONNECTION


def test_network_that_is_not_public_is_refused_where_no_setting_names_it():
    with receiving() as receiver:
        attempt = send(receiver.address, networks=())
    assert attempt.reason == NOT_PUBLIC
    assert not receiver.requests


@pytest.mark.parametrize(
    ("status", "is_refused"),
    [(400, True), (404, True), (410, True), (408, False), (429, False), (500, False), (503, False)],
)
def test_refusals_are_told_from_troubles_of_the_receiver(status, is_refused):
    with receiving(status=status) as receiver:
        attempt = send(receiver.address)
    assert (attempt.status, attempt.is_refused, attempt.is_taken) == (status, is_refused, False)
