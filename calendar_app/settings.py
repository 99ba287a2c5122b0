"""The settings of an installation, read once at start.

``defaults.toml`` has every setting with its default. A deployment's file overrides it, the
environment (``CALENDAR_`` and the name in capitals) overrides both.
"""

import json
import os
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import time
from pathlib import Path
from types import MappingProxyType
from typing import Any, Self
from urllib.parse import urlsplit

from PIL.ImageColor import colormap

from calendar_app.errors import ConfigurationError

_ENVIRONMENT = "CALENDAR_"
# Names in the environment that are no settings.
_NO_SETTINGS = {"CALENDAR_CONFIG"}
_TRUE, _FALSE = ("1", "true", "yes", "on"), ("0", "false", "no", "off")


def _read_file(file: Path) -> dict[str, Any]:
    """Return the values of a TOML file."""
    try:
        return tomllib.loads(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise ConfigurationError(f"The configuration {file} cannot be read.") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConfigurationError(f"The configuration {file} is no TOML: {error}.") from error


def _read_environment(environment: Mapping[str, str], types: Mapping[str, type]) -> dict[str, Any]:
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


def _checked(values: Mapping[str, Any], types: Mapping[str, type]) -> dict[str, Any]:
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


def _with_cache_memory(source: Mapping[str, Any]) -> dict[str, Any]:
    """Return values with ``cache_memory`` in the place of the two settings that end.

    It is what both give together. Where no answers were to be kept, none are.
    """
    former = {name: source[name] for name in ENDING if name in source}
    for name, value in former.items():
        if type(value) is not int or value < 0:
            raise ConfigurationError(f"The setting {name} must be an integer of 0 or more.")
    if not former:
        return dict(source)
    sizes = {**ENDING, **former}
    present = {"cache_memory": sum(sizes.values()), "cache_answers": sizes["remember_answers"] > 0}
    return present | {name: value for name, value in source.items() if name not in ENDING}


# All settings, and what they must be.

# Settings that end with the next version, and what they were by default, in megabytes.
ENDING: Mapping[str, int] = MappingProxyType({"remember_answers": 16, "remember_feeds": 32})
DEFAULTS = Path(__file__).with_name("defaults.toml")
# How values are written, and how that is said.
_SEGMENTS = r"[\w.~-]+(?:/[\w.~-]+)*"
_RATE = r"[1-9]\d{0,8}/(?:second|minute|hour|day)"
_PATTERNS = {
    "namespace": (_SEGMENTS, "must be segments of a path, such as calendar/events/v1"),
    "api_prefix": (rf"(?:/{_SEGMENTS})?", "must be empty, or a path such as /wp-json"),
    "translation_parameter": (r"[A-Za-z_][\w-]*", "must be a name of letters, digits, _ and -"),
    "doubles": ("show|wait", "must be show or wait"),
    "certain_doubles": ("ask|unite", "must be ask or unite"),
    "read_rate": (rf"(?:{_RATE})?", "must be empty, or a rate such as 600/minute"),
    "feed_rate": (rf"(?:{_RATE})?", "must be empty, or a rate such as 60/minute"),
    "submission_rate": (_RATE, "must be a rate such as 20/hour"),
    "metrics_bind": (
        r"(?:unix:.+|(?:\[[0-9a-fA-F:.]+\]|[\w.-]+):[0-9]{1,5})?",
        "must be empty, HOST:PORT such as 127.0.0.1:9100, or unix:PATH",
    ),
    "translator": (
        r"(?:[\w-]+|[\w.]+:\w+)?",
        "must be empty, libretranslate, deepl, a name that a plugin gives, or module:function",
    ),
    "websub_hub": (
        r"(?:https?://\S+)?",
        "must be empty, or an address such as https://hub.example.org/",
    ),
    "jobs": (r"auto|process", "must be auto or process"),
    "day_ends": (r"(?:0\d|1[01]):[0-5]\d|12:00", "must be a time between 00:00 and 12:00"),
    "title_bar": (r"logo|name|both", "must be logo, name or both"),
    "machine_text": (r"label|reviewed|never", "must be label, reviewed or never"),
    "page_feed_recurrence": (r"rules|flat", "must be rules or flat"),
    "mongodb_reads": (r"primary|secondary", "must be primary or secondary"),
    "currency_code": (r"(?:[A-Z]{3})?", "must be empty, or three capital letters such as CHF"),
}
_ADDRESS = re.compile(
    r"https?://(?:[^\s/?#@:\[\]\\]+|\[[^\s/?#@\[\]]+\])(?::\d+)?(?:/[^\s?#]*)?", re.IGNORECASE
)
# As browsers write it (RFC 6454 section 6.2).
_ORIGIN = re.compile(r"https?://(?:[a-z0-9_.-]+|\[[0-9a-f:.]+\])(?::[1-9][0-9]{0,4})?")
_LANGUAGE = re.compile(r"[A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8})*")
# What stands beside the interface, at the root of the site.
_BESIDE = {"doc", "livez", "readyz", "metrics", "plugins"}
_PAGES = {"events", "event", "venue", "organizer", "category", "tag", "embed", "oembed", "static"}
_DESK = "desk"
_SCHEMES = ("https://", "http://")
# What comes over an open line could be anybody's, except on this machine.
_ISSUER = re.compile(
    r"(?:https://[^\s?#@]+|http://(?:localhost|127\.0\.0\.1)(?::\d+)?(?:/[^\s?#@]*)?)"
)
_MAIL_SERVER = re.compile(r"smtps?://(?:[^\s/?#@]+@)?[^\s/?#@:\[\]]+(?::[1-9]\d{0,4})?/?")
# What a service cannot do without.
_NEEDED_BY_TRANSLATOR = {"libretranslate": "translator_url", "deepl": "translator_key"}
# The names of a tile in the address of tiles; some servers count rows from below, as {-y}.
_TILE = ("{z}", "{x}", "y}")
_POINT = ("{latitude}", "{longitude}")
_VIEWS = ("list", "month", "week", "day", "map", "photo")
# What the desk can change where the operator leaves it open.
_OF_DESK = ("footer_links", "footer_text", "logo", "mistake_reports", "submissions")
_FOOTER_LINK = re.compile(r"[^=]*\S[^=]*=(?:https?://[^\s<>\"]+|(?:mailto:|tel:|/)[^\s<>\"]*)")
# What requests say in the place of a language.
_NO_LANGUAGES = {"all", "none"}
_WEB_ADDRESS = re.compile(r"https?://[^\s<>\"]+$")
_LEAST = {
    "feed_limit": 1,
    "text_limit": 1,
    "max_body": 1,
    "max_upload": 1,
    "query_timeout": 1,
    "remember_secrets": 0,
    "cache_memory": 0,
    "feeds_at_once": 1,
    "publish_interval": 0,
    "source_guard": 0,
    "source_dates": 1,
    "source_time": 1,
    "source_computing": 1,
    "source_memory": 50,
    "recurrence_past": 1,
    "recurrence_horizon": 1,
    "recurrence_limit": 1,
    "submission_days": 1,
    "history_days": 0,
    "changes_days": 1,
    "session_hours": 1,
    "translator_timeout": 1,
    "translator_budget": 0,
}
# What MongoDB counts in seconds.
_MOST_DAYS = (2**31 - 1) // (24 * 60 * 60)


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """All settings; ``defaults.toml`` explains each beside its default.

    Those that hold a secret are in no ``repr``, since it comes into logs and hashes.
    """

    site_name: str
    site_url: str
    namespace: str
    api_prefix: str
    translation_parameter: str
    languages: tuple[str, ...]
    default_language: str
    fallback: tuple[str, ...]
    negotiate_language: bool
    collations: tuple[str, ...]
    custom_fields: Mapping[str, Mapping[str, str]] = field(hash=False)
    timezone: str
    day_ends: str
    per_page: int
    max_per_page: int
    feed_limit: int
    feed_color: str
    page_feed_recurrence: str
    data_license: str
    currency_symbol: str
    currency_code: str
    currency_position: str
    max_body: int
    max_upload: int
    trusted_proxies: tuple[str, ...]
    import_networks: tuple[str, ...]
    source_networks: tuple[str, ...]
    source_guard: int
    doubles: str
    certain_doubles: str
    source_dates: int
    source_time: int
    source_computing: int
    source_memory: int
    webhook_networks: tuple[str, ...]
    websub_hub: str
    mongodb_uri: str = field(repr=False)  # with a password
    mongodb_reads: str
    data: str
    mongod: str
    query_timeout: int
    text_limit: int
    remember_secrets: int
    cache_memory: int
    cache_answers: bool
    feeds_at_once: int
    read_rate: str
    feed_rate: str
    cache_control: tuple[str, ...]
    cors_origins: tuple[str, ...]
    strict: bool
    metrics: bool
    metrics_bind: str
    publish_interval: int
    jobs: str
    recurrence_past: int
    recurrence_horizon: int
    recurrence_limit: int
    history_days: int
    changes_days: int
    pages: bool
    page_template: str
    default_view: str
    theme: str
    logo: str
    title_bar: str
    map_tiles: str
    map_attribution: str
    directions: str
    children: str
    footer_links: tuple[str, ...]
    footer_text: Mapping[str, str] = field(hash=False)
    embed_origins: tuple[str, ...]
    oidc_issuer: str
    oidc_client_id: str
    oidc_client_secret: str = field(repr=False)
    oidc_role: str
    smtp_url: str = field(repr=False)  # with a password
    mail_from: str
    desk: bool
    session_hours: int
    desk_settings: tuple[str, ...]
    machine_text: str
    memory_fills: bool
    translator: str
    translator_url: str
    translator_key: str = field(repr=False)
    translator_timeout: int
    translator_budget: int
    translator_roles: tuple[str, ...]
    translator_publishes: bool
    submissions: bool
    submission_days: int
    submission_rate: str
    wordpress: bool
    open_data: bool
    translation_memory: bool
    mistake_reports: bool
    # Of plugins, which may be secret.
    plugins: Mapping[str, Mapping[str, Any]] = field(hash=False, repr=False)
    # The names of those that the file or the environment sets.
    fixed: frozenset[str] = frozenset()

    @classmethod
    def load(
        cls,
        file: Path | None = None,
        environment: Mapping[str, str] | None = None,
        **overrides: Any,
    ) -> Self:
        """Read the defaults, then ``file``, then the environment, then ``overrides``.

        Raises ``ConfigurationError`` on an unknown setting, a wrong type or a missing file.
        """
        environment = os.environ if environment is None else environment
        if file is None and environment.get("CALENDAR_CONFIG"):
            file = Path(environment["CALENDAR_CONFIG"])
        values = _read_file(DEFAULTS)
        types = {name: type(value) for name, value in values.items()}
        fixed: set[str] = set()
        for source in (
            _read_file(file) if file else {},
            _read_environment(environment, types | dict.fromkeys(ENDING, int)),
            overrides,
        ):
            values |= _checked(_with_cache_memory(source), types)
            fixed |= source.keys()
        frozen: dict[str, Any] = {
            name: tuple(value) if isinstance(value, list) else value
            for name, value in values.items()
        }
        settings = cls(**frozen, fixed=frozenset(fixed))
        _check_sense(settings)
        return settings

    @property
    def day_end(self) -> time:
        """Until when the hours after midnight belong to the evening before."""
        return time.fromisoformat(self.day_ends)

    @property
    def open_at_desk(self) -> tuple[str, ...]:
        """The settings that administrators may change at the desk."""
        names = self.desk_settings if self.desk else ()
        return tuple(name for name in names if name not in self.fixed)

    def chain(self, language: str) -> tuple[str, ...]:
        """Return ``language`` and the languages tried where it has no text, best first."""
        languages = self.fallback or (self.default_language, *self.languages)
        return tuple(dict.fromkeys((language, *languages)))

    def chains(self) -> dict[str, tuple[str, ...]]:
        """Return the chain of each language of the site."""
        return {language: self.chain(language) for language in self.languages}


def _check_sense(settings: Settings) -> None:
    _check_languages(settings)
    _check_first_segment(settings)
    _check_origins(settings)
    _check_custom_fields(settings)
    if not all(isinstance(own, dict) for own in settings.plugins.values()):
        raise ConfigurationError("The setting plugins must have a table for each plugin.")
    if settings.currency_position not in ("prefix", "postfix"):
        raise ConfigurationError("The setting currency_position must be prefix or postfix.")
    if not 1 <= settings.per_page <= settings.max_per_page:
        raise ConfigurationError("The setting per_page must lie between 1 and max_per_page.")
    _check_numbers(settings)
    for name, (pattern, requirement) in _PATTERNS.items():
        if not re.fullmatch(pattern, getattr(settings, name), re.ASCII):
            raise ConfigurationError(f"The setting {name} {requirement}.")
    if settings.site_url and not _is_address(settings.site_url):
        raise ConfigurationError(
            "The setting site_url must be an address such as https://calendar.example.org."
        )
    _check_hub(settings)
    _check_pages(settings)
    _check_mail(settings)
    _check_provider(settings)
    _check_translator(settings)
    _check_feeds(settings)


def is_footer_link(text: str) -> bool:
    """Return whether a text is a link as in ``footer_links``: ``Imprint=https://…``."""
    return bool(_FOOTER_LINK.fullmatch(text))


def _check_feeds(settings: Settings) -> None:
    if settings.feed_color and settings.feed_color not in colormap:
        raise ConfigurationError("The setting feed_color must be the name of a color in CSS.")
    if settings.data_license and not _WEB_ADDRESS.match(settings.data_license):
        raise ConfigurationError("The setting data_license must be the address of a license.")


def _check_numbers(settings: Settings) -> None:
    for name, least in _LEAST.items():
        if getattr(settings, name) < least:
            raise ConfigurationError(f"The setting {name} must be {least} or more.")
    for name in ("history_days", "changes_days"):
        if getattr(settings, name) > _MOST_DAYS:
            raise ConfigurationError(f"The setting {name} must be {_MOST_DAYS} or less.")


def _check_custom_fields(settings: Settings) -> None:
    for key, labels in settings.custom_fields.items():
        if not isinstance(labels, dict) or not set(map(type, labels.values())) <= {str}:
            raise ConfigurationError(f"The setting custom_fields must have texts for {key}.")
        if not labels.keys() <= set(settings.languages):
            raise ConfigurationError(
                f"The setting custom_fields must name languages of the site for {key}."
            )


def _check_origins(settings: Settings) -> None:
    for origin in settings.cors_origins:
        if not _ORIGIN.fullmatch(origin):
            raise ConfigurationError(
                f"The setting cors_origins has {origin!r}; "
                "an origin is written like https://www.example.org."
            )


def _check_pages(settings: Settings) -> None:
    if settings.page_template and not (
        "{slug}" in settings.page_template and settings.page_template.startswith(_SCHEMES)
    ):
        raise ConfigurationError(
            "The setting page_template must be an address with {slug} in it, such as "
            "https://www.example.org/{language}/agenda/{slug}."
        )
    if settings.map_tiles and not all(place in settings.map_tiles for place in _TILE):
        raise ConfigurationError(
            "The setting map_tiles must be an address with {z}, {x} and {y} in it, such as "
            "https://tiles.example.org/{z}/{x}/{y}.png."
        )
    has_point = all(gap in settings.directions for gap in _POINT)
    if settings.directions and not (has_point and settings.directions.startswith(_SCHEMES)):
        raise ConfigurationError(
            "The setting directions must be an address with {latitude} and {longitude} in it, "
            "such as https://maps.example.org/to/{latitude},{longitude}."
        )
    if not re.fullmatch(r"(?:(?:category|tag)/[^/\s]+)?", settings.children):
        raise ConfigurationError(
            "The setting children must be empty, or a category or tag such as category/families."
        )
    if not set(settings.desk_settings) <= set(_OF_DESK):
        raise ConfigurationError(f"The setting desk_settings must name only {', '.join(_OF_DESK)}.")
    if not all(map(is_footer_link, settings.footer_links)):
        raise ConfigurationError(
            "The setting footer_links must have links such as Imprint=https://www.example.org/imprint."
        )
    if not settings.footer_text.keys() <= set(settings.languages):
        raise ConfigurationError("The setting footer_text must name languages of the site only.")
    if settings.default_view not in _VIEWS:
        raise ConfigurationError(f"The setting default_view must be one of {', '.join(_VIEWS)}.")


def _check_hub(settings: Settings) -> None:
    if settings.websub_hub and not settings.site_url:
        raise ConfigurationError("The setting websub_hub needs site_url too.")


def _check_mail(settings: Settings) -> None:
    if not settings.smtp_url:
        return
    if not _MAIL_SERVER.fullmatch(settings.smtp_url):
        raise ConfigurationError(
            "The setting smtp_url must be an address such as "
            "smtp://user:password@mail.example.org:587."
        )
    # Who asks could otherwise choose the host of the links in letters.
    for name in ("mail_from", "site_url"):
        if not getattr(settings, name):
            raise ConfigurationError(f"The setting smtp_url needs {name} too.")


def _check_provider(settings: Settings) -> None:
    if not settings.oidc_issuer:
        return
    if not _ISSUER.fullmatch(settings.oidc_issuer):
        raise ConfigurationError("The setting oidc_issuer must be an address with https.")
    if not settings.oidc_client_id:
        raise ConfigurationError("The setting oidc_issuer needs oidc_client_id too.")


def _check_translator(settings: Settings) -> None:
    if settings.translator_url and not _is_address(settings.translator_url):
        raise ConfigurationError(
            "The setting translator_url must be an address such as https://translate.example.org."
        )
    needed = _NEEDED_BY_TRANSLATOR.get(settings.translator)
    if needed and not getattr(settings, needed):
        raise ConfigurationError(f"The setting {needed} is needed by {settings.translator}.")
    for name in ("translator", "memory_fills"):
        if getattr(settings, name) and not settings.translation_memory:
            raise ConfigurationError(f"The setting {name} needs translation_memory = true.")
    if settings.translator_publishes and settings.machine_text != "label":
        raise ConfigurationError('The setting translator_publishes needs machine_text = "label".')
    if not re.fullmatch(r"[!-~]*", settings.translator_key):
        raise ConfigurationError("The setting translator_key must be letters, digits and signs.")


def _is_address(text: str) -> bool:
    """Say whether a path can stand behind this."""
    try:
        return _ADDRESS.fullmatch(text) is not None and urlsplit(text).port != 0
    except ValueError:  # There is no such port, or no such address in brackets.
        return False


def _check_languages(settings: Settings) -> None:
    used_languages: set[str] = set()
    for language in settings.languages:
        if not _LANGUAGE.fullmatch(language) or language.lower() in _NO_LANGUAGES:
            raise ConfigurationError(
                f"The setting languages has {language!r}, which is no code such as de or pt-BR."
            )
        if language.lower() in used_languages:
            raise ConfigurationError(f"The setting languages has {language} twice.")
        used_languages.add(language.lower())
    if settings.default_language not in settings.languages:
        raise ConfigurationError("The setting default_language must be one of languages.")
    if not set(settings.fallback) <= set(settings.languages):
        raise ConfigurationError("The setting fallback must name languages of the site only.")


def _check_first_segment(settings: Settings) -> None:
    """Refuse a base of the interface that hides other paths, or is hidden by a language."""
    name = "api_prefix" if settings.api_prefix else "namespace"
    segment = getattr(settings, name).strip("/").partition("/")[0]
    reserved_names = _BESIDE | (_PAGES if settings.pages else set())
    reserved_names |= {_DESK} if settings.desk else set()
    reserved_names |= {language.lower() for language in settings.languages}
    if segment.lower() in reserved_names:
        raise ConfigurationError(
            f"The setting {name} cannot begin with {segment}, which is another path of the site."
        )
