"""A month is laid out anew as soon as one of its events is another, joins it or leaves it."""

import pytest

MONTH = "/events/month/2030-03/"


@pytest.fixture
def page(app):
    """Return a function that reads the page of a month, as text."""
    return lambda: app.test_client().get(MONTH).text


@pytest.fixture
def concert(make_event, page):
    # A page without any event would name the next one.
    make_event(title="Fair", start_date="2030-03-20 19:00", end_date="2030-03-20 21:00")
    event = make_event(title="Concert", start_date="2030-03-10 19:00", end_date="2030-03-10 21:00")
    # What follows is asked of what is kept.
    assert "Concert" in page()
    assert "Concert" in page()
    return event["id"]


def test_month_shows_a_new_title_at_once(concert, page, as_admin):
    as_admin.patch(f"/events/{concert}", title="Recital")
    assert "Recital" in page()
    assert "Concert" not in page()


@pytest.mark.usefixtures("concert")
def test_month_shows_an_event_that_joins_it(page, make_event, as_admin):
    other = make_event(title="Ball", start_date="2030-05-10 19:00", end_date="2030-05-10 21:00")
    assert "Ball" not in page()
    as_admin.patch(
        f"/events/{other['id']}", start_date="2030-03-12 19:00", end_date="2030-03-12 21:00"
    )
    assert "Ball" in page()
    assert "Concert" in page()


@pytest.mark.parametrize(
    "change",
    [
        {"start_date": "2030-05-10 19:00", "end_date": "2030-05-10 21:00"},
        {"status": "draft"},
        {"hide_from_listings": True},
    ],
    ids=["moved", "withdrawn", "hidden"],
)
def test_month_loses_an_event_that_leaves_it(concert, page, as_admin, change):
    answer = as_admin.patch(f"/events/{concert}", **change)
    assert answer.status_code == 200, answer.json
    assert "Concert" not in page()
    as_admin.patch(
        f"/events/{concert}",
        status="publish",
        hide_from_listings=False,
        start_date="2030-03-10 19:00",
        end_date="2030-03-10 21:00",
    )
    assert "Concert" in page()


@pytest.mark.usefixtures("concert")
def test_month_is_the_same_after_a_change_elsewhere(page, make_event):
    before = page()
    make_event(title="Ball", start_date="2031-05-10 19:00", end_date="2031-05-10 21:00")
    assert page() == before
