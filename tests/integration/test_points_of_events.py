"""Events have the point of their venue after each move."""

EVENING = {"start_date": "2030-03-10 19:00:00", "end_date": "2030-03-10 22:00:00"}


def test_event_uses_the_point_of_a_venue_moved_by_another_worker(as_admin, worker, database):
    second_worker = worker("admin")
    venue = as_admin.post("/venues", venue="Hall", geo_lat=46.85, geo_lng=9.53).json["id"]
    for latitude in (46.1, 46.2):
        for client in (as_admin, second_worker, as_admin):
            client.post("/events", title="Concert", venue=venue, **EVENING)
        moved = second_worker.patch(f"/venues/{venue}", geo_lat=latitude, geo_lng=9.53)
        assert moved.status_code == 200
        for client in (as_admin, second_worker):
            client.post("/events", title="Concert", venue=venue, **EVENING)
        there = {event["location"]["latitude"] for event in database["events"].find()}
        assert there == {latitude}
