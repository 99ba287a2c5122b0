"""Whatever stands in a parameter of a list, it is never an operator of the database."""

import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as runs
from hypothesis import strategies as st
from keeping import kept

KEYS = st.sampled_from(["$ne", "$gt", "$where", "$regex", "$or", "$exists", "a.b", "id", "0"])
VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=8)
    | KEYS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=3),
    max_leaves=6,
)
PARAMETERS = st.sampled_from(
    [
        "search",
        "status",
        "include",
        "exclude",
        "categories",
        "tags",
        "venue",
        "organizer",
        "featured",
        "ticketed",
        "event_status",
        "attendance_mode",
        "accessibility",
        "in_language",
        "age",
        "post_parent",
        "start_date",
        "ends_before",
        "strict_dates",
        "overlaps_from",
        "slug",
        "parent",
        "event",
        "post",
        "orderby",
        "order",
        "password",
        "geoloc",
        "geoloc_lat",
        "geoloc_bbox",
        "has_events",
        "only_with_upcoming",
        "page",
        "per_page",
        "hide_empty",
        "fallback",
        "translation_language",
        "translation_status",
        "_fields",
    ]
)


@kept
def secluded(make_event, make_venue):
    """Store records that no stranger may see."""
    make_event(title="Hidden", status="private", venue=make_venue(status="draft")["id"])


@pytest.mark.usefixtures("secluded")
@pytest.mark.parametrize("collection", ["events", "venues", "organizers", "categories", "tags"])
@runs(
    max_examples=50,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(query=st.dictionaries(PARAMETERS, VALUES, max_size=3))
def test_filter_values_are_never_operators(anyone, collection, query):
    answer = anyone.send("GET", f"/{collection}", json=query)

    assert answer.status_code in (200, 400, 404), answer.json
    if answer.status_code == 200:
        assert not answer.json.get(collection)
    else:
        assert set(answer.json) == {"code", "message", "data"}
