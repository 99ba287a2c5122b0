"""The sources of settings: files in TOML, and the environment."""

import json
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from calendar_app.errors import ConfigurationError

_ENVIRONMENT = "CALENDAR_"
# Names in the environment that are no settings.
_NO_SETTINGS = {"CALENDAR_CONFIG"}
_TRUE, _FALSE = ("1", "true", "yes", "on"), ("0", "false", "no", "off")


def read_file(file: Path) -> dict[str, Any]:
    """Return the values of a TOML file."""
    try:
        return tomllib.loads(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise ConfigurationError(f"The configuration {file} cannot be read.") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConfigurationError(f"The configuration {file} is no TOML: {error}.") from error


def read_environment(environment: Mapping[str, str], types: Mapping[str, type]) -> dict[str, Any]:
    """Return the values of all variables that name a setting."""
    named_texts = {
        key.removeprefix(_ENVIRONMENT).lower(): text
        for key, text in environment.items()
        if key.startswith(_ENVIRONMENT) and key not in _NO_SETTINGS
    }
    return {name: _typed(name, text, types.get(name, str)) for name, text in named_texts.items()}


def _typed(name: str, text: str, value_type: type) -> Any:
    """Return the text of an environment variable as the type that its setting has."""
    if value_type is bool and text.lower() in (*_TRUE, *_FALSE):
        return text.lower() in _TRUE
    if value_type is int and text.removeprefix("-").isdecimal():
        return int(text)
    if value_type is list:
        return [part.strip() for part in text.split(",") if part.strip()]
    if value_type is dict:
        return _table(name, text)
    if value_type in (bool, int):
        raise ConfigurationError(f"The setting {name} must be of type {value_type.__name__}.")
    return text


def _table(name: str, text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError as error:
        raise ConfigurationError(f"The setting {name} must be written in JSON.") from error


def checked(values: Mapping[str, Any], types: Mapping[str, type]) -> dict[str, Any]:
    """Return the values; raise ``ConfigurationError`` on unknown names and wrong types."""
    for name, value in values.items():
        if name not in types:
            raise ConfigurationError(f"There is no setting {name}.")
        value_type = list if isinstance(value, tuple) else type(value)
        if value_type is not types[name]:
            raise ConfigurationError(f"The setting {name} must be of type {types[name].__name__}.")
        if value_type is list and not all(isinstance(part, str) for part in value):
            raise ConfigurationError(f"The setting {name} must be a list of strings.")
    return dict(values)
