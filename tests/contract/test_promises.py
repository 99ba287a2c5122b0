"""A later version keeps the promises of a release: it adds names, and takes none away."""

from promises import present, promised, with_added


def test_every_operation_keeps_its_parameters_and_fields():
    there = present()
    taken = {
        (operation, part): gone
        for operation, parts in promised().items()
        for part, names in parts.items()
        if (gone := sorted(set(names) - set(there.get(operation, {}).get(part, ()))))
    }
    assert taken == {}


def test_release_adds_to_the_promises_and_takes_none():
    former = {"GET /events": {"answered": ["id", "title"]}, "GET /tags": {"answered": ["id"]}}
    added = {"GET /events": {"answered": ["id", "venue"]}, "GET /media": {"answered": ["url"]}}
    assert with_added(former, added) == {
        "GET /events": {"answered": ["id", "title", "venue"]},
        "GET /media": {"answered": ["url"]},
        "GET /tags": {"answered": ["id"]},
    }
