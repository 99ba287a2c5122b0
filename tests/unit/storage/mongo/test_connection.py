"""The options that the address of a MongoDB may have."""

import pytest

from calendar_app.errors import ConfigurationError
from calendar_app.storage.mongo.connection import open_database

ADDRESS = "mongodb://db.example.org/calendar?replicaSet=rs0"


@pytest.mark.parametrize(
    ("option", "promise"),
    [
        ("readPreference=secondary", "read from the primary"),
        ("readPreference=primaryPreferred", "read from the primary"),
        ("readpreference=nearest", "read from the primary"),
        ("readPreferenceTags=dc:ny", "read from the primary"),
        ("maxStalenessSeconds=120", "read from the primary"),
        ("readConcernLevel=available", "read from the primary"),
        ("readConcernLevel=linearizable", "read from the primary"),
        ("retryReads=false", "an election"),
        ("w=0", "safe on the majority"),
        ("w=1", "safe on the majority"),
        ("w=backup", "safe on the majority"),
        ("wtimeoutMS=5", "safe on the majority"),
        ("journal=false", "safe on the majority"),
        ("fsync=true", "safe on the majority"),
        ("retryWrites=false", "safe on the majority"),
        ("tz_aware=true", "as they were sent"),
        ("datetime_conversion=DATETIME_MS", "as they were sent"),
        ("unicode_decode_error_handler=ignore", "as they were sent"),
    ],
)
def test_an_option_that_breaks_a_promise_is_refused_by_its_name(option, promise):
    with pytest.raises(ConfigurationError) as refused:
        open_database(f"{ADDRESS}&{option}")
    name = option.partition("=")[0].lower()
    assert f"has the option {name}; leave it out" in str(refused.value).lower().replace("\n", "")
    assert promise in str(refused.value)


def test_options_that_say_what_holds_anyway_are_welcome():
    options = "w=majority&retryWrites=true&retryReads=true&journal=true&readPreference=primary"
    with open_database(f"{ADDRESS}&{options}&tls=true&appName=site&authSource=admin").client:
        pass


def test_an_option_with_a_value_that_no_one_knows_is_refused():
    with pytest.raises(ConfigurationError, match="mongodb_uri is no address"):
        open_database(f"{ADDRESS}&datetime_conversion=sometimes")
