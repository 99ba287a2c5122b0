"""An address may read as much as ``read_rate`` says, and those who are known without end."""

from dataclasses import replace

import pytest

from calendar_app.app import create_app

FIVE = {"read_rate": "5/minute"}
FOREIGN = [{"Authorization": "Negotiate abc"}, {"Authorization": "Bearer null"}]


@pytest.fixture
def limited(new_worker):
    return new_worker(**FIVE)


def read(client, times, path="/events", address="192.0.2.1", **options):
    """Return the statuses of so many reads by an address."""
    base = {"REMOTE_ADDR": address}
    answers = [client.send("GET", path, environ_base=base, **options) for _ in range(times)]
    return [answer.status_code for answer in answers]


def test_reads_are_not_limited_unless_a_setting_says_so(anyone):
    assert set(read(anyone, 30)) == {200}


def test_excess_reads_are_refused_until_the_next_minute(limited, clock):
    clock.advance(seconds=20)
    assert read(limited, 7) == [*[200] * 5, 429, 429]
    refused = limited.send("GET", "/events", environ_base={"REMOTE_ADDR": "192.0.2.1"})
    assert (refused.code, refused.headers["Retry-After"]) == ("too_many_requests", "40")
    clock.advance(seconds=39)
    assert read(limited, 1) == [429]
    clock.advance(seconds=1)
    assert read(limited, 6) == [*[200] * 5, 429]


def test_every_kind_of_read_counts(limited, make_event):
    event = make_event()["id"]
    paths = ["/events", f"/events/{event}", "/events.ics", "/venues", "", "/events"]
    assert [read(limited, 1, path)[0] for path in paths] == [*[200] * 5, 429]


def test_each_address_counts_for_itself(limited):
    assert read(limited, 6)[-1] == 429
    assert read(limited, 6, address="192.0.2.2") == [*[200] * 5, 429]


def test_ipv6_addresses_of_a_network_share_a_limit(limited):
    for number in range(5):
        assert read(limited, 1, address=f"2001:db8:0:1:{number}::1") == [200]
    assert read(limited, 1, address="2001:db8:0:1:ffff::") == [429]
    assert read(limited, 1, address="2001:db8:0:2::1") == [200]


def test_an_address_of_ipv4_is_the_same_in_the_form_of_ipv6(limited):
    assert read(limited, 5, address="::ffff:192.0.2.1") == [200] * 5
    assert read(limited, 1) == [429]
    assert read(limited, 1, address="::ffff:192.0.2.2") == [200]


def test_who_has_no_address_is_not_limited(limited):
    assert set(read(limited, 10, address="")) == {200}


@pytest.mark.usefixtures("app")
def test_known_users_are_not_limited(new_worker):
    assert set(read(new_worker("subscriber", **FIVE), 10)) == {200}


@pytest.mark.parametrize("headers", FOREIGN, ids=str)
def test_foreign_credentials_do_not_raise_the_limit(limited, headers):
    assert read(limited, 6, headers=headers) == [*[200] * 5, 429]
    assert read(limited, 1) == [429]


def test_workers_count_together(new_worker):
    workers = [new_worker(**FIVE) for _ in range(3)]
    statuses = [read(workers[number % 3], 1)[0] for number in range(9)]
    assert statuses == [*[200] * 5, *[429] * 4]


def test_a_high_limit_lets_workers_exceed_it_by_a_twentieth_each(new_worker):
    workers = [new_worker(read_rate="40/minute") for _ in range(3)]
    statuses = [read(workers[number % 3], 1)[0] for number in range(60)]
    assert 40 <= statuses.count(200) <= 43


@pytest.mark.usefixtures("app")
def test_writes_are_not_limited(limited, new_worker):
    assert read(limited, 6)[-1] == 429
    refused = [
        limited.send("POST", "/events", json={}, environ_base={"REMOTE_ADDR": "192.0.2.1"})
        for _ in range(6)
    ]
    assert {answer.status_code for answer in refused} == {401}
    assert new_worker("admin", **FIVE).post("/tags", name="New").status_code == 201


@pytest.mark.parametrize("path", ["/livez", "/readyz", "/metrics"])
def test_who_watches_the_service_is_not_limited(settings, database, clock, path):
    app = create_app(replace(settings, metrics=True, **FIVE), database, clock)
    client = app.test_client()
    # A busy database may fail the readiness check (503); a limit would answer 429.
    statuses = {client.get(path).status_code for _ in range(10)}
    assert 200 in statuses
    assert 429 not in statuses
