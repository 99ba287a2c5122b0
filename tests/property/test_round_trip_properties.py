"""Any event can be sent back unchanged and stays the same."""

import os

from hypothesis import HealthCheck, given
from hypothesis import settings as runs
from hypothesis import strategies as st

from calendar_app.domain.texts.sanitizing import clean_name

EXAMPLES = int(os.environ.get("ROUND_TRIP_EXAMPLES", "20"))
WORDS = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
MARKUP = st.lists(
    st.sampled_from(
        ["<p>", "</p>", "<b>x</b>", "<br>", "&amp;", "&", "<", "\n\n", "\n", "a", '"', "'", "\\"]
    ),
    max_size=12,
).map("".join)
TITLES = (WORDS | MARKUP).filter(clean_name)
FIELDS = {
    "description": WORDS | MARKUP,
    "excerpt": WORDS | MARKUP,
    "cost": st.sampled_from(["", "0", "Free", "10-20", "CHF 10.50", "1'000", "a & b", "20 €"])
    | WORDS,
    "website": st.sampled_from(["", "https://a.example/?a=1&b=<2>", "mailto:a@b.example"]),
    "timezone": st.sampled_from(["", "UTC", "UTC+5:30", "America/New_York", "asia/tokyo"]),
    "all_day": st.booleans(),
    "featured": st.booleans(),
    "event_status": st.sampled_from(["scheduled", "canceled", "postponed"]),
    "status_reason": WORDS | MARKUP,
    "attendance_mode": st.sampled_from(["offline", "online", "mixed"]),
    "online_url": st.sampled_from(["", "https://a.example/?a=1&b=%20", "HTTP://A.example/<2>"]),
    "status": st.sampled_from(["publish", "draft", "private", "pending"]),
    "start_date": st.datetimes().map(
        lambda moment: f"2030-0{moment.month % 9 + 1}-10 {moment:%H:%M}"
    ),
}
HOUR = 3600


@runs(
    max_examples=EXAMPLES,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(title=TITLES, fields=st.fixed_dictionaries({}, optional=FIELDS))
def test_an_event_can_be_sent_back(as_editor, clock, title, fields):
    body = {"title": title, "start_date": "2030-03-10 10:00", "end_date": "2031-01-01", **fields}
    created = as_editor.post("/events", **body)
    assert created.status_code == 201, created.json
    path = f"/events/{created.json['id']}"
    presented = as_editor.get(path).json
    clock.advance(seconds=HOUR)

    assert as_editor.put(path, **presented).status_code == 200
    assert as_editor.get(path).json == presented
    as_editor.delete(path, force=True)
