"""To find the venue of a name gives out one document, however many venues bear it."""

import pytest

pytestmark = pytest.mark.needs_mongodb

# Slugs are looked up too, and what was made is read.
FEW = 3


@pytest.fixture
def read(database):
    """Return what makes a venue, and how many documents of venues were given out meanwhile."""

    def make(make_venue, client):
        database.command("profile", 2)
        venue = make_venue(by=client, venue="Hall")["id"]
        database.command("profile", 0)
        of = {"ns": f"{database.name}.venues", "op": {"$in": ["query", "command"]}}
        return venue, sum(one.get("nreturned", 0) for one in database["system.profile"].find(of))

    yield make
    database.command("profile", 0)
    database["system.profile"].drop()


def test_many_venues_of_a_name_are_looked_through_by_the_database(
    read, make_venue, as_author, as_author2, database
):
    first = make_venue(by=as_author, venue="Hall", status="draft")["id"]
    one = database["venues"].find_one({"_id": first})
    one.pop("slugs", None)
    copies = [one | {"_id": first + number} for number in range(1, 100)]
    database["venues"].insert_many(copies)
    database["sequences"].update_one({"_id": "records"}, {"$inc": {"value": 100}})

    made, documents = read(make_venue, as_author2)
    assert made > first + 99
    assert documents <= FEW
    used, documents = read(make_venue, as_author)
    assert used == first
    assert documents <= FEW
