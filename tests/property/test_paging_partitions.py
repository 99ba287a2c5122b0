"""Pages of any size hold every record of a list once, in one order."""

import itertools
import os

from hypothesis import HealthCheck, given
from hypothesis import settings as runs
from hypothesis import strategies as st

from calendar_app.storage.mongo.marks import mark_everything

EXAMPLES = int(os.environ.get("PAGING_EXAMPLES", "10"))
DAYS = st.lists(st.integers(1, 4), max_size=9)
QUERIES = st.fixed_dictionaries(
    {
        "per_page": st.integers(1, 10),
        "orderby": st.sampled_from(["start_date", "end_date", "id", "modified"]),
        "order": st.sampled_from(["asc", "desc"]),
    }
)


def pages(client, query):
    """Yield the ids on each page of the event list, by following links."""
    answer = client.get("/events", **query)
    while True:
        assert answer.status_code == 200
        yield [event["id"] for event in answer.json["events"]]
        if "next_rest_url" not in answer.json:
            return
        answer = client.follow(answer.json["next_rest_url"])


@runs(
    max_examples=EXAMPLES,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(days=DAYS, query=QUERIES)
def test_pages_hold_every_event_once_in_the_order_of_the_whole(
    database, make_event, anyone, days, query
):
    database["events"].delete_many({})
    # What is written past the service shows within a minute, unless a mark tells of it.
    mark_everything(database)
    record_ids = {
        make_event(start_date=f"2030-03-0{day}", end_date=f"2030-03-0{day} 10:00")["id"]
        for day in days
    }

    walked = list(pages(anyone, query))
    whole = list(itertools.chain(*walked))
    assert sorted(whole) == sorted(record_ids)
    assert all(len(page) == query["per_page"] for page in walked[:-1])
    assert [whole] == list(pages(anyone, query | {"per_page": 50}))
