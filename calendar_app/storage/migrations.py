"""The migrations of stored documents to each later data format."""

from collections.abc import Sequence

from calendar_app.storage.mongo.migrating import Migration

# A migration stays here: a backup may be of any earlier format.
MIGRATIONS: Sequence[Migration] = ()
