"""MongoDB sorts by every locale that a language may choose."""

from calendar_app.domain.words import LOCALES


def test_mongodb_knows_every_locale(database):
    for locale in LOCALES:
        database["events"].find_one({}, collation={"locale": locale})
