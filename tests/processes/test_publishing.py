"""Scheduled records are published by a running service and by a command, each record once."""

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta

import pytest
from click.testing import CliRunner
from serving import serving, wait_for

from calendar_app.api.http.request.state import get_services
from calendar_app.cli import main


@pytest.fixture
def make_due(make_event, database):
    """Return a function that creates overdue scheduled events in one category."""

    def make(number):
        due = datetime.now(UTC).replace(tzinfo=None, microsecond=0) - timedelta(hours=1)
        for _ in range(number):
            event = make_event(date_utc="2030-01-15 13:00:00", categories=["Theatre"])["id"]
            database["events"].update_one({"_id": event}, {"$set": {"published": due}})

    return make


def published_events(database):
    return database["events"].count_documents({"status": "publish"})


def test_several_at_once_publish_each_event_once(app, make_due, as_admin):
    make_due(12)
    publish_due = get_services(app).scheduler.publish_due
    with ThreadPoolExecutor(4) as pool:
        numbers = [future.result() for future in [pool.submit(publish_due) for _ in range(4)]]

    assert sum(numbers) == 12
    assert as_admin.get("/categories").json["categories"][0]["count"] == 12


def test_command_reports_the_number_of_published_events(make_due, database, mongod_uri):
    make_due(2)
    runs = [
        CliRunner().invoke(main, ["publish-due"], env={"CALENDAR_MONGODB_URI": mongod_uri})
        for _ in range(2)
    ]

    assert [run.output for run in runs] == ["2 published.\n", "0 published.\n"]
    assert published_events(database) == 2


@pytest.mark.timeout(180)
def test_a_service_publishes_without_any_request(make_due, database, mongod_uri, tmp_path):
    make_due(1)
    environment = {"CALENDAR_MONGODB_URI": mongod_uri, "CALENDAR_PUBLISH_INTERVAL": "1"}
    with serving(tmp_path / "data", **environment):
        wait_for(lambda: published_events(database) == 1)
        make_due(1)
        wait_for(lambda: published_events(database) == 2)
