"""An address is known as that of our own mongod, however it is written."""

import pytest

from calendar_app.storage.embedded.supervisor import address, is_own

DATA = "/srv/calendar"
SOCKET = "%2Fsrv%2Fcalendar%2Fmongod.sock"


@pytest.mark.parametrize(
    "uri",
    [
        "",
        address("/srv/calendar/mongod.sock"),
        f"mongodb://{SOCKET}",
        f"mongodb://{SOCKET.replace('%2F', '%2f')}/calendar",
        f"mongodb://{SOCKET}/calendar?replicaSet=calendar&appName=jobs",
    ],
)
def test_own_addresses(uri):
    assert is_own(uri, DATA)


@pytest.mark.parametrize(
    "uri",
    [
        address("/srv/another/mongod.sock"),
        f"mongodb://{SOCKET}/another?replicaSet=calendar",
        "mongodb://db.example.org/calendar",
        "mongodb://[::1]:27017/calendar",
        f"mongodb://db.example.org/{SOCKET}",
        "nonsense",
    ],
)
def test_addresses_of_others(uri):
    assert not is_own(uri, DATA)


def test_the_directory_does_not_matter_for_addresses_of_others():
    assert not is_own("mongodb://db.example.org/calendar", "~nobody-here/data")
