"""A demo that begins anew each hour keeps its password, and nothing that was written."""

import os
import subprocess
import sys
from itertools import count
from pathlib import Path

import pytest
from pymongo import MongoClient

from calendar_app.cli.demo.calendars import DEMO_SETTINGS
from calendar_app.server.preparation import URI
from calendar_app.server.resetting import PASSWORD, PassingDemo

ENVIRONMENT = ("CALENDAR_CONFIG", "CALENDAR_DATA", URI, PASSWORD)


@pytest.fixture
def demo(monkeypatch):
    for name in ENVIRONMENT:
        # Restored behind the test, whatever the demo sets meanwhile.
        monkeypatch.setenv(name, "")
        monkeypatch.delenv(name)
    monkeypatch.setenv("CALENDAR_CONFIG", str(DEMO_SETTINGS))
    hours = count(0, 3600)
    demo = PassingDemo(clock=lambda: next(hours))
    yield demo
    demo.stop()


def count_events():
    with MongoClient(os.environ[URI]) as client:
        return client.get_default_database()["events"].count_documents({})


def delete_events():
    with MongoClient(os.environ[URI]) as client:
        client.get_default_database()["events"].delete_many({})


@pytest.mark.timeout(400)  # two calendars are loaded
def test_new_demo_has_the_password_and_nothing_that_was_written(demo, monkeypatch, capsys):
    password = demo.begin()
    first, directory = os.environ[URI], Path(os.environ["CALENDAR_DATA"])
    number = count_events()
    delete_events()

    # What cannot be loaded leaves the present one as it is.
    monkeypatch.setenv("CALENDAR_CONFIG", "/nowhere.toml")
    demo.proceed(lambda: True)
    assert os.environ[URI] == first
    assert "goes on as it was" in capsys.readouterr().err

    monkeypatch.setenv("CALENDAR_CONFIG", str(DEMO_SETTINGS))
    started_with = []
    demo.proceed(lambda: started_with.append(os.environ[URI]) or True)
    assert started_with == [os.environ[URI]] != [first]
    assert count_events() == number > 0
    assert os.environ[PASSWORD] == password
    assert not directory.exists()


@pytest.mark.parametrize(
    ("options", "environment", "reason"),
    [
        ([], {}, "--reset is for --demo"),
        (["--demo"], {URI: "mongodb://127.0.0.1:1/calendar"}, "--reset takes no mongodb_uri"),
    ],
)
def test_only_a_demo_of_its_own_is_reset(options, environment, reason):
    command = [sys.executable, "-m", "calendar_app", "serve", "--reset", "hourly", *options]
    process = subprocess.run(
        command, env=os.environ | environment, capture_output=True, text=True, check=False
    )
    assert process.returncode == 2
    assert reason in process.stderr
