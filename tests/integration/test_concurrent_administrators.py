"""Somebody can always manage users, also where administrators remove each other at once."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

from calendar_app.api.http.request.state import get_services
from calendar_app.errors import LastAdministrator

ROUNDS = 5


def test_administrators_who_demote_each_other_at_once_leave_one(app):
    profiles = get_services(app).profiles
    administrators = [1, profiles.create("second", "administrator").id]
    start = Barrier(2)

    def demote(user_id):
        start.wait(timeout=30)
        try:
            return profiles.change(user_id, {"role": "editor"}).role
        except LastAdministrator:
            return "administrator"

    for _ in range(ROUNDS):
        with ThreadPoolExecutor(2) as pool:
            roles = sorted(pool.map(demote, administrators))
        assert roles == ["administrator", "editor"]
        for user_id in administrators:
            profiles.change(user_id, {"role": "administrator"})
