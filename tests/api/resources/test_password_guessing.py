"""Hashes of passwords, and the limit on wrong guesses."""

import hashlib
from datetime import timedelta

import pytest
from api.resources.protected_event import SECRET


@pytest.fixture
def path(protected):
    return f"/events/{protected['id']}"


def test_password_is_hashed_once_for_many_events(make_event, as_author, anyone, monkeypatch):
    for password in (SECRET, SECRET, "Another"):
        as_author.put(f"/events/{make_event(by=as_author)['id']}", password=password)
    hashed, hashing = [], hashlib.scrypt

    def counting(password, **how):
        hashed.append(password)
        return hashing(password, **how)

    monkeypatch.setattr(hashlib, "scrypt", counting)

    for path in ("/events", "/events.csv"):
        for number in range(2):
            guess = f"{path} {number}"
            assert anyone.get(path, password=guess).status_code == 200
            assert hashed.count(guess.encode()) == 1


def test_stored_passwords_may_have_different_salts(make_event, as_author, anyone, database):
    for salt in ("00" * 16, "ff" * 16):
        event = make_event(by=as_author)
        digest = hashlib.scrypt(SECRET.encode(), salt=bytes.fromhex(salt), n=1024, r=8, p=1)
        sealed = {"password": f"{salt}${digest.hex()}"}
        database["events"].update_one({"_id": event["id"]}, {"$set": sealed})
        path = f"/events/{event['id']}"

        assert anyone.get(path, password=SECRET).status_code == 200
        assert anyone.get(path, password="wrong").status_code == 403


@pytest.mark.parametrize("route", ["{path}", "{path}.ics", "/events", "/events.ics", "/events.csv"])
def test_address_is_locked_after_thirty_wrong_passwords(path, anyone, clock, route):
    route = route.format(path=path)
    for number in range(30):
        with anyone.get(route, password=f"guess {number}") as answer:
            assert SECRET not in answer.text
    for password in ("guess", SECRET):
        refused = anyone.get(route, password=password)
        assert (refused.status_code, refused.code) == (429, "too_many_requests")
        assert refused.headers["Retry-After"] == "60"
    assert anyone.get("/events").status_code == 200

    clock.now += timedelta(seconds=61)
    assert anyone.get(route, password=SECRET).status_code == 200


def test_all_addresses_of_a_network_of_ipv6_are_locked_together(path, anyone):
    def read(password, host):
        origin = {"REMOTE_ADDR": f"2001:db8:0:{host}"}
        query = {"password": password}
        return anyone.send("GET", path, query_string=query, environ_base=origin).status_code

    for number in range(30):
        assert read(f"guess {number}", f"1:{number:x}::1") == 403

    assert read(SECRET, "1:ffff::1") == 429
    assert read(SECRET, "2::1") == 200


def test_a_right_password_is_never_counted(path, anyone):
    for _ in range(40):
        assert anyone.get(path, password=SECRET).status_code == 200


def test_a_password_without_anything_to_open_is_not_counted(anyone, make_event):
    make_event()
    for number in range(40):
        assert anyone.get("/events", password=f"guess {number}").status_code == 200
