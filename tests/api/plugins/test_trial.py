"""A calendar to try a plugin with is a whole service, and ends with its block."""

from calendar_app.trial import trial_calendar

CONCERT = {
    "title": "Konzert",
    "status": "publish",
    "start_date": "2030-01-16 20:00:00",
    "end_date": "2030-01-16 22:00:00",
}


def test_trial_calendar_takes_events_of_its_administrator_alone():
    with trial_calendar(languages=["de"], default_language="de") as calendar:
        written = calendar.write("POST", "/events", **CONCERT)
        assert written.status_code == 201, written.json
        assert written.json["url"].startswith("https://calendar.example/")
        query = {"start_date": "2030-01-01", "end_date": "2030-12-31"}
        listed = calendar.client.get(f"{calendar.base}/events", query_string=query).json
        assert [each["title"] for each in listed["events"]] == ["Konzert"]
        assert calendar.client.post(f"{calendar.base}/events", json=CONCERT).status_code == 401
