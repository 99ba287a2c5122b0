"""A calendar to try a plugin with: the whole service over an empty MongoDB of its own.

Tests of plugins begin with it. It has all plugins that are installed, and one administrator.
"""

from base64 import b64encode
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import timedelta
from tempfile import TemporaryDirectory
from typing import Any

from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from calendar_app.api.http.openapi.document import base_path
from calendar_app.api.http.request.state import get_services
from calendar_app.app import create_app
from calendar_app.assembly.indexes import declared_indexes
from calendar_app.settings import Settings
from calendar_app.site.desk.sessions import COOKIE, PREFIX
from calendar_app.storage.embedded.supervisor import open_own_mongod
from calendar_app.storage.mongo.connection import open_database
from calendar_app.storage.mongo.indexes import ensure_indexes
from calendar_app.storage.mongo.store import Store

_ADMINISTRATOR = "trial"
_LIFETIME = timedelta(hours=1)


@dataclass(frozen=True, slots=True)
class TrialCalendar:
    """The service as a ``client`` of Flask sees it who has no account; ``base`` is the interface.

    ``credentials`` are the header ``Authorization`` of the administrator.
    """

    client: FlaskClient
    base: str
    credentials: str

    def enter_desk(self) -> FlaskClient:
        """Return another client that has logged in at the desk as the administrator."""
        services = get_services(self.client.application)
        user = services.accounts.id_of(_ADMINISTRATOR)
        client = self.client.application.test_client()
        client.set_cookie(COOKIE, services.accounts.sessions.begin(user, _LIFETIME), path=PREFIX)
        return client

    def write(self, method: str, path: str, **values: Any) -> TestResponse:
        """Post values as the administrator to a path such as ``/events``."""
        headers = {"Authorization": self.credentials}
        return self.client.open(f"{self.base}{path}", method=method, json=values, headers=headers)


@contextmanager
def trial_calendar(**settings: Any) -> Iterator[TrialCalendar]:
    """Yield a calendar with these settings, at https://calendar.example without others.

    Raises ``ConfigurationError`` where no MongoDB can be started.
    """
    own = Settings.load(environment={}, **{"site_url": "https://calendar.example", **settings})
    with (
        TemporaryDirectory(prefix="calendar-trial-") as directory,
        open_own_mongod(directory) as mongod,
        closing((database := open_database(mongod.uri)).client),
    ):
        ensure_indexes(Store(database), declared_indexes(own))
        app = create_app(own, database)
        secret = get_services(app).accounts.add(_ADMINISTRATOR, "administrator")
        credentials = b64encode(f"{_ADMINISTRATOR}:{secret}".encode()).decode()
        yield TrialCalendar(app.test_client(), base_path(own), f"Basic {credentials}")
