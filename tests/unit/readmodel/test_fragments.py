"""The fragment cache: the keys that tell fragments apart."""

from calendar_app.accounts.callers import ANYONE, Caller
from calendar_app.readmodel.fragments import FragmentCache, Fragments
from calendar_app.storage.cache_memory import CacheMemory

MUSIC = {"_id": 4, "revision": 2, "count": 1, "variants": {"de": {"name": "Musik"}}}
HALL = {"_id": 7, "revision": 1, "image": 9, "variants": {"de": {"venue": "Halle"}}}
PICTURE = {"_id": 9, "revision": 1, "token": "abc"}
EVENT = {"_id": 5, "revision": 3, "venues": [7], "categories": [4], "image": 9}
LINKED = {
    "venues": {7: HALL},
    "organizers": {},
    "categories": {4: MUSIC},
    "tags": {},
    "media": {9: PICTURE},
}
ROOM = 20_000


def fragments(cache=None, digests=None, *view):
    return Fragments(
        cache or FragmentCache(CacheMemory(ROOM)), {} if digests is None else digests, *view
    )


def version(event=EVENT, digests=None, **linked):
    return fragments(None, digests).version(event, LINKED | linked, {})


def test_fragment_is_rendered_once_in_each_view_and_under_each_name():
    cache, rendered = FragmentCache(CacheMemory(ROOM)), []
    for view in ((ANYONE, ("de",)), (ANYONE, ("rm", "de")), (Caller(1, "x", "editor"), ("de",))):
        for name in ("row", "tile"):
            for _ in range(2):
                fragments(cache, None, *view).of(
                    name, b"1", lambda part=(view, name): rendered.append(part) or "text"
                )
    assert len(rendered) == len(set(rendered)) == 6


def test_version_is_the_same_for_the_same_content():
    assert version(dict(EVENT), venues={7: dict(HALL)}) == version()


def test_version_covers_all_that_is_shown():
    versions = [
        version(EVENT | {"featured": True}),
        version(venues={7: HALL | {"zip": "7000"}}),
        version(venues={}),
        version(categories={4: MUSIC | {"count": 2}}),
        version(categories={}),
        version(media={9: PICTURE | {"token": "def"}}),
        version(media={}),
        version(),
    ]
    assert len(set(versions)) == len(versions)


def test_noted_digest_is_that_of_the_record_itself():
    digests = {}
    before = version(digests=digests)
    assert version(digests=digests, venues={7: HALL | {"zip": "7000"}}) != before
    assert version(digests=digests) == before


def test_record_with_a_distance_is_not_kept():
    assert version(EVENT | {"distance": 1.5}) is None
