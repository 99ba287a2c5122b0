"""The settings that administrators change at the desk, over those of the operator."""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Any

from calendar_app.errors import Unavailable
from calendar_app.settings import Settings
from calendar_app.storage.mongo.store import Store
from calendar_app.storage.query.clauses import equals

SITE_SETTINGS = "site_settings"
_SITE = equals("_id", "site")


class SiteSettings:
    """The settings of one calendar, where ``settings`` leaves some of them open to the desk."""

    def __init__(self, store: Store, settings: Settings) -> None:
        self._store = store
        self._stored = store[SITE_SETTINGS]
        self._settings = settings

    def present(self) -> Settings:
        """Return all current settings; without a database those of the operator."""
        if self._settings.open_at_desk:
            with suppress(Unavailable):
                return self._store.cached_lookup(SITE_SETTINGS, [""], lambda _: self._read())[""]
        return self._settings

    def change(self, values: Mapping[str, Any]) -> None:
        """Store values of open settings; all processes heed them with their next request."""
        open_values = {name: value for name, value in values.items() if name in self._open}
        self._stored.upsert(_SITE, {"$set": open_values})

    @property
    def _open(self) -> tuple[str, ...]:
        return self._settings.open_at_desk

    def _read(self) -> dict[str, Settings]:
        stored = self._stored.first(_SITE) or {}
        values = {name: _setting(stored[name]) for name in self._open if name in stored}
        return {"": replace(self._settings, **values)}


def _setting(stored: Any) -> Any:
    """Return a stored value as settings have it: lists cannot be changed."""
    return tuple(stored) if isinstance(stored, list) else stored
