"""Responses agree with the recorded ones of the reference, unless decided otherwise."""

import json
from datetime import UTC, datetime
from fnmatch import fnmatchcase
from pathlib import Path

import pytest
from replaying.conversation import Conversation
from replaying.deciding import Verdict, decision_for, decisions_in
from replaying.recording import PICTURE, recorded_conversation
from replaying.sending import Sender

from calendar_app.accounts.users import Accounts
from calendar_app.app import create_app
from calendar_app.settings import Settings
from calendar_app.storage.mongo.connection import open_database
from calendar_app.storage.mongo.store import Store

FOLDER = Path(__file__).parent
CREDENTIALS = json.loads((FOLDER / "recorded" / "credentials.json").read_text(encoding="utf-8"))
DECISIONS = decisions_in(FOLDER / "decided.json")
IGNORING = [decision for decision in DECISIONS if decision.ignore]
PREFIX = "/calendar/events/v1"

# The conversation is held once, by one worker.


@pytest.fixture(scope="module")
def empty_database(mongod_uri):
    database = open_database(mongod_uri.replace("/calendar?", "/conversation?"))
    yield database
    database.client.drop_database(database.name)
    database.client.close()


@pytest.fixture(scope="module")
def recording():
    return recorded_conversation(FOLDER / "recorded" / "transcript.jsonl.xz")


@pytest.fixture(scope="module")
def names(recording):
    return [exchange.name for exchange in recording if exchange.name != PICTURE]


@pytest.fixture(scope="module")
def judgements(empty_database, recording):
    settings = Settings.load(FOLDER / "recorded" / "settings.toml", environment={})
    app = create_app(settings, empty_database, _clock)
    accounts = Accounts(Store(empty_database), _clock, settings.remember_secrets)
    for user in CREDENTIALS.values():
        accounts.add(user["user"], user["role"], id=user["id"], secret=user["app_password"])
    sender = Sender(app.test_client(), PREFIX, CREDENTIALS)
    return Conversation(sender, PREFIX, DECISIONS).hold(recording)


def _clock():
    return datetime(2026, 11, 21, 9, tzinfo=UTC)


def test_every_response_is_the_recorded_or_decided_one(judgements, names):
    """Cases that are out of scope, or out of reach of the interface, have no differences."""
    assert judgements.keys() == set(names)
    assert sum(each.verdict is Verdict.SKIPPED for each in judgements.values()) < len(names) / 10
    differing = {
        name: [str(difference) for difference in judgement.differences]
        for name, judgement in judgements.items()
        if judgement.differences
    }
    assert differing == {}


def test_every_decision_is_needed(judgements, names):
    decided = [
        name for name in names if (decision := decision_for(name, DECISIONS)) and not decision.skip
    ]
    agreeing_anyhow = [name for name in decided if not judgements[name].undecided]
    assert agreeing_anyhow == []


def test_every_ignored_path_differs(judgements, names):
    for decision in IGNORING:
        judged = [judgements[name] for name in names if decision.covers(name)]
        differing = [difference.at for judgement in judged for difference in judgement.undecided]
        for path in decision.ignore:
            assert any(fnmatchcase(at, path) for at in differing), (decision.cases, path)
