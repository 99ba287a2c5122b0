"""What every consumer does with two declared filters; `test_declared_filters.py` runs this file.

There the list of events has a filter `sticky` that is counted and a filter `linked` that is not.
"""

import pytest
from browsing import Browser

from calendar_app.app import openapi_document

pytestmark = pytest.mark.without_mongodb


@pytest.fixture
def browse(app):
    return Browser(app)


@pytest.fixture
def calendar(make_event):
    make_event(title="Fair", sticky=True, website="https://example.org/fair")
    make_event(title="Market", sticky=False)


@pytest.mark.usefixtures("calendar")
def test_list_takes_them(anyone):
    events = anyone.get("/events", sticky="true", start_date="2000-01-01").json["events"]
    assert [event["title"] for event in events] == ["Fair"]


def test_refused_value_names_the_parameter(anyone):
    assert "sticky" in anyone.get("/events", sticky="perhaps").json["data"]["params"]


@pytest.mark.parametrize("name", ["sticky", "linked"])
def test_openapi_describes_them(settings, name):
    parameters = openapi_document(settings)["paths"]["/events"]["get"]["parameters"]
    (described,) = [each for each in parameters if each.get("name") == name]
    assert described["description"]


@pytest.mark.usefixtures("calendar")
@pytest.mark.parametrize(("name", "label"), [("sticky", "On top"), ("linked", "With a website")])
def test_chip_shows_and_removes_them(browse, name, label):
    page = browse(f"/events/list/?{name}=true")
    chip, _all = page.tree.xpath("//div[@class='chips']//a")
    assert label in chip.text_content()
    assert chip.get("href") == "/events/list/"


@pytest.mark.usefixtures("calendar")
def test_facet_counts_the_one_that_has_one(browse):
    page = browse("/events/list/?start_date=2000-01-01&end_date=2100-01-01")
    (box,) = page.tree.xpath("//form[@id='filters']//input[@name='sticky']")
    assert " ".join(box.getparent().text_content().split()) == "On top 1"
    assert not page.tree.xpath("//form[@id='filters']//input[@name='linked']")
