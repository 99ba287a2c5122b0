"""No ``repr`` shows a secret, since a ``repr`` comes into logs, hashes and messages."""

import dataclasses
import inspect
import pkgutil
import re
import tomllib
from contextlib import suppress
from importlib import import_module

import pytest

import calendar_app
from calendar_app.errors import ConfigurationError
from calendar_app.settings import DEFAULTS, Settings

SECRET = "hunter2-hunter2"
ADDRESSES = [f"{scheme}://user:{SECRET}@example.org" for scheme in ("https", "mongodb", "smtp")]
SECRET_NAME = re.compile(r"(^|_)(secret|password|token|pepper|uri)$")
# An address of these holds for whoever has it.
LINKS = {("Invitation", "link"), ("Receipt", "link")}
PUBLIC_SETTINGS = {
    "site_url": "https://example.org",
    "mail_from": "calendar@example.org",
    "oidc_client_id": "calendar",
}


def _classes():
    for module in pkgutil.walk_packages(calendar_app.__path__, "calendar_app."):
        if not module.name.endswith("__main__"):
            for _, value in inspect.getmembers(import_module(module.name), inspect.isclass):
                if value.__module__ == module.name:
                    yield value


def _text_fields(value):
    """Return the fields of a class with texts, and whether its ``repr`` shows them."""
    if dataclasses.is_dataclass(value):
        is_in_repr = {field.name: field.repr for field in dataclasses.fields(value)}
    else:
        is_in_repr = dict.fromkeys(value._fields if issubclass(value, tuple) else (), True)
    types = inspect.get_annotations(value)
    return {name: is_in_repr[name] for name in is_in_repr if types.get(name) in (str, str | None)}


def test_no_class_shows_its_secrets():
    fields = {
        (value.__name__, name): is_shown
        for value in _classes()
        for name, is_shown in _text_fields(value).items()
        if SECRET_NAME.search(name) or (value.__name__, name) in LINKS
    }

    assert fields.keys() >= LINKS | {("Settings", "mongodb_uri"), ("ReadContext", "password")}
    assert not any(fields.values()), fields


def _settings_with_secrets():
    """Return the settings of which the name or the comment says that they hold a secret."""
    comments = []
    for line in DEFAULTS.read_text().splitlines():
        name, has_value, _ = line.partition(" = ")
        if line.startswith("#"):
            comments.append(line)
        elif has_value:
            words = " ".join([name, *comments]).lower()
            if isinstance(tomllib.loads(line)[name], str) and re.search(r"secret|password", words):
                yield name
            comments = []


def test_no_setting_that_speaks_of_a_secret_is_shown():
    names = set(_settings_with_secrets())
    assert names >= {"oidc_client_secret", "smtp_url", "translator_key"}
    for name in names:
        settings = dataclasses.replace(Settings.load(environment={}), **{name: SECRET})
        assert SECRET not in f"{settings!r} {settings}", name


@pytest.mark.parametrize("address", ADDRESSES)
@pytest.mark.parametrize("name", ["mongodb_uri", "smtp_url", "site_url", "oidc_issuer"])
def test_no_setting_shows_the_password_of_an_address(name, address):
    with suppress(ConfigurationError):
        assert SECRET not in repr(
            Settings.load(environment={}, **PUBLIC_SETTINGS | {name: address})
        )
