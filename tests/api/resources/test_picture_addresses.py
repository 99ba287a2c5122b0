"""A picture that is here is also named by the address of one of its files."""

import pytest

from calendar_app.storage.mongo.transactions import round_trips

SITE = "https://calendar.example"


@pytest.fixture
def picture(upload):
    return upload()


@pytest.fixture
def event(picture, make_event):
    return make_event(image=picture["id"])


@pytest.fixture(params=["event", "venue", "organizer"])
def make_one(request):
    """Return a function that makes a record of a kind that shows a picture."""
    return request.getfixturevalue(f"make_{request.param}")


def test_the_address_that_is_shown_names_the_picture_in_a_new_record(picture, make_one):
    for image in (picture["url"], {"url": picture["url"]}, {"id": 0, "url": picture["url"]}):
        image_value = make_one(image=image)["image"]
        assert (image_value["id"], image_value["sizes"]) == (picture["id"], picture["sizes"])


def test_the_address_that_is_shown_changes_nothing_when_it_is_sent_back(event, as_admin):
    for image in (event["image"]["url"], {"url": event["image"]["url"]}):
        answer = as_admin.put(f"/events/{event['id']}", image=image)
        assert answer.json["image"] == event["image"]


def test_the_address_of_a_smaller_size_names_the_whole_picture(picture, make_event):
    smaller = picture["sizes"]["medium"]["url"]
    assert make_event(image=smaller)["image"]["url"] == picture["url"]


@pytest.mark.parametrize(
    "spelling",
    [
        "{site}/rm{path}",
        "{site}{path}?w=300",
        "http://calendar.example{path}",
        "http://localhost{path}",
    ],
)
def test_other_spellings_of_the_address_name_it_too(picture, make_event, spelling):
    address = spelling.format(site=SITE, path=picture["url"].removeprefix(SITE))
    assert make_event(image=address)["image"]["id"] == picture["id"]


def test_the_address_of_an_earlier_version_names_it_too(picture, make_event):
    address = f"{SITE}/media/{picture['id']}/{picture['filename']}"
    assert make_event(image=address)["image"]["url"] == picture["url"]


def test_contributors_may_use_a_picture_that_is_here_by_its_address(
    picture, make_event, as_contributor
):
    make_event(image=picture["id"])
    event = make_event(by=as_contributor, image=picture["url"])
    assert event["image"]["id"] == picture["id"]


@pytest.mark.parametrize(
    "path",
    [
        "/media/{id}/other.png",
        "/media/{id}/guess/poster.png",
        "/media/999/poster.png",
        "/{id}/poster.png",
        "/media/{id}/",
    ],
)
def test_an_address_here_that_is_of_no_picture_stays_an_address(picture, make_event, path):
    address = SITE + path.format(id=picture["id"])
    image = make_event(image=address)["image"]
    assert (image["id"], image["url"]) == (0, address)


def test_external_address_is_never_matched_to_a_local_picture(picture, make_event):
    address = f"https://pictures.example{picture['url'].removeprefix(SITE)}"
    image = make_event(image=address)["image"]
    assert (image["id"], image["url"]) == (0, address)


def test_external_address_takes_no_query(make_event):
    counts = []
    for image in (None, "https://pictures.example/media/1/poster.png"):
        make_event(image=image)
        counts.append(round_trips())
    assert counts[1] <= counts[0]
