"""The times of change of feeds, for ``If-Modified-Since``: the same in all processes.

The first process that answers another version of a feed stores its time. The last change of an
event would not do, as an event that leaves a feed leaves no time in it.
"""

from collections.abc import Hashable
from datetime import datetime, timedelta
from hashlib import blake2b

from calendar_app.domain.kind import Index
from calendar_app.errors import DuplicateKey, Unavailable
from calendar_app.storage.mongo.store import Store
from calendar_app.storage.query.clauses import all_of, equals

FEED_VERSIONS = "feed_versions"
FEED_VERSION_INDEXES = (
    Index((("expires", 1),), serves="forgetting feeds that nobody reads", expire_after=0),
)
_BYTES = 16
_SECOND = timedelta(seconds=1)  # HTTP tells no smaller parts of time
_ATTEMPTS = 3
# A feed that is read later is sent again once.
_KEPT = timedelta(days=30)


class Versions:
    """The last version of each feed, and since when there is that one."""

    def __init__(self, store: Store) -> None:
        self._stored = store[FEED_VERSIONS]
        self._seen = store.cache_memory.cache("feeds")

    def since(self, feed: Hashable, entity_tag: str, now: datetime) -> datetime:
        """Return since when a feed has this entity tag; later than any version before it."""
        version: tuple[str, datetime] | None = self._seen.get(feed)
        if version and version[0] == entity_tag:
            return version[1]
        try:
            since = self._settle(feed, entity_tag, now)
        except Unavailable:  # Feeds are read while no primary can be written to.
            return now.replace(microsecond=0)
        self._seen.keep(feed, (entity_tag, since))
        return since

    def _settle(self, feed: Hashable, entity_tag: str, now: datetime) -> datetime:
        """Store a new version of a feed; return its time, or the stored time of a known version."""
        key = blake2b(repr(feed).encode(), digest_size=_BYTES).hexdigest()
        moment = now.replace(microsecond=0, tzinfo=None)
        for _ in range(_ATTEMPTS):
            version = {"tag": entity_tag, "since": moment, "expires": moment + _KEPT}
            by_key = equals("_id", key)
            stored = self._stored.upsert_unjournaled(by_key, {"$setOnInsert": version})
            if stored["tag"] != entity_tag:
                version["since"] = max(moment, stored["since"] + _SECOND)
                is_former = all_of([by_key, equals("tag", stored["tag"])])
                try:
                    stored = self._stored.upsert_unjournaled(is_former, {"$set": version})
                except DuplicateKey:  # Another process has stored a version meanwhile.
                    continue
            since: datetime = stored["since"]
            return since.replace(tzinfo=now.tzinfo)
        return moment.replace(tzinfo=now.tzinfo)
