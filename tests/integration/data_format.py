"""Raises the data format of a test's database, as the first start of a version does."""

from pathlib import Path

from bson import json_util

from calendar_app.storage.migrations import MIGRATIONS
from calendar_app.storage.mongo.migrating import Migrator
from calendar_app.storage.mongo.store import Store

FIRST_RELEASE = Path(__file__).with_name("first_release.jsonl")


def load_first_release(database):
    """Fill a database with the import notes of the first release."""
    for line in FIRST_RELEASE.read_text(encoding="utf-8").splitlines():
        entry = json_util.loads(line, json_options=json_util.JSONOptions(tz_aware=False))
        database[entry["collection"]].replace_one(
            {"_id": entry["document"]["_id"]}, entry["document"], upsert=True
        )


def raise_format(database):
    """Convert all documents to the present format; return how many were changed."""
    migrator = Migrator(Store(database), MIGRATIONS)
    while migrator.can_raise():
        migrator.raise_mark()
    return migrator.convert(lambda: None)
