"""To find the venue of a name gives out one document, however many venues bear it."""

import pytest

# Slugs are looked up too, and what was made is read.
FEW = 3


@pytest.fixture
def read(database):
    """Return a function that creates a venue and counts the venues read meanwhile."""

    def make(make_venue, client):
        database.command("profile", 2)
        venue = make_venue(by=client, venue="Hall")["id"]
        database.command("profile", 0)
        of = {"ns": f"{database.name}.venues", "op": {"$in": ["query", "command"]}}
        return venue, sum(
            entry.get("nreturned", 0) for entry in database["system.profile"].find(of)
        )

    yield make
    database.command("profile", 0)
    database["system.profile"].drop()


def test_venues_of_equal_names_are_filtered_by_the_database(
    read, make_venue, as_author, as_author2, database
):
    first = make_venue(by=as_author, venue="Hall", status="draft")["id"]
    stored = database["venues"].find_one({"_id": first})
    stored.pop("slugs", None)
    copies = [stored | {"_id": first + number} for number in range(1, 100)]
    database["venues"].insert_many(copies)
    database["sequences"].update_one({"_id": "records"}, {"$inc": {"value": 100}})

    created, documents = read(make_venue, as_author2)
    assert created > first + 99
    assert documents <= FEW
    used, documents = read(make_venue, as_author)
    assert used == first
    assert documents <= FEW
