"""Errors of MongoDB are translated to our own."""

import pytest
from pymongo.errors import (
    AutoReconnect,
    BulkWriteError,
    DocumentTooLarge,
    NetworkTimeout,
    OperationFailure,
    ServerSelectionTimeoutError,
    WaitQueueTimeoutError,
)

from calendar_app.errors import DatabaseDenies, RecordTooLarge, TookTooLong, Unavailable
from calendar_app.storage.mongo.error_translation import translate_errors

NO_SPACE = "28: No space left on device"


@pytest.mark.parametrize(
    "error",
    [
        AutoReconnect(),
        ServerSelectionTimeoutError(),
        OperationFailure("Not primary.", 10107),
    ],
)
def test_outage_is_unavailable(error):
    with pytest.raises(Unavailable) as caught, translate_errors():
        raise error
    assert caught.value.reason == "The database cannot be reached."


@pytest.mark.parametrize(
    "words",
    [
        'No replica set members available for replica set name "rs1", Timeout: 3.0s',
        "client is configured to connect to a replica set named 'rs1' but this node belongs to",
    ],
)
def test_wrong_replica_set_is_named(words):
    with pytest.raises(Unavailable, match="another replica set than rs1"), translate_errors():
        raise ServerSelectionTimeoutError(words)


@pytest.mark.parametrize(
    "error",
    [
        NetworkTimeout(),
        WaitQueueTimeoutError("No connection gets free, since the mongod does not answer."),
        OperationFailure("The transaction exceeded transactionLifetimeLimitSeconds.", 290),
    ],
)
def test_slow_database_is_called_slow(error):
    with pytest.raises(TookTooLong) as caught, translate_errors():
        raise error
    assert caught.value.reason == "The database takes too long."


@pytest.mark.parametrize(
    "error",
    [
        OperationFailure(NO_SPACE, 8, {"ok": 0, "code": 8, "errmsg": NO_SPACE}),
        OperationFailure("There is too little room.", 14031),
        BulkWriteError({"writeErrors": [{"index": 0, "code": 8, "errmsg": NO_SPACE}]}),
    ],
)
def test_full_disk_has_its_own_error(error):
    with pytest.raises(Unavailable) as caught, translate_errors():
        raise error
    assert caught.value.reason == "The disk of the database is full."


@pytest.mark.parametrize(
    "error",
    [
        OperationFailure("The mongod does not know this.", 8),
        OperationFailure(f"Unknown operator: {NO_SPACE}", 2),
    ],
)
def test_other_errors_are_not_reported_as_full_disk(error):
    with pytest.raises(OperationFailure), translate_errors():
        raise error


@pytest.mark.parametrize(
    "error",
    [
        DocumentTooLarge("BSON document too large (36001022 bytes)."),
        OperationFailure("BSONObj size: 36001022 (0x22553FE) is invalid.", 10334),
        OperationFailure("Resulting document after update is larger than 16777216.", 17419),
        BulkWriteError({"writeErrors": [{"index": 0, "code": 10334, "errmsg": "too large"}]}),
    ],
)
def test_too_large_document_has_its_own_error(error):
    with pytest.raises(RecordTooLarge), translate_errors():
        raise error


@pytest.mark.parametrize(
    "error",
    [
        OperationFailure("Authentication failed.", 18),
        OperationFailure("bad auth : Authentication failed.", 8000),
        OperationFailure("bad auth : aws sts call has response 400", 8000),
    ],
)
def test_wrong_credentials_have_their_own_error(error):
    with pytest.raises(DatabaseDenies) as caught, translate_errors():
        raise error
    assert caught.value.reason == "The database refuses the name or the password of its user."


@pytest.mark.parametrize(
    "text", ["you are over your space quota", "user is not authorized to do action [find]"]
)
def test_other_atlas_errors_are_not_reported_as_wrong_credentials(text):
    with pytest.raises(OperationFailure), translate_errors():
        raise OperationFailure(text, 8000)
