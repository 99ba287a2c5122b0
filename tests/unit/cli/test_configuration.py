"""Invalid configurations are reported in one line before anything starts."""

import mongomock
import pytest
from click.testing import CliRunner

from calendar_app.app import create_app
from calendar_app.cli import main
from calendar_app.errors import ConfigurationError
from calendar_app.settings import Settings

AWAY = "mongodb://127.0.0.1:1/calendar?serverSelectionTimeoutMS=1"
NO_SENSE = {
    "site_url": [
        "ftp://calendar.example",
        "calendar.example",
        "https://",
        "https:///events",
        "https://:80",
        "https://calendar example",
        "https://calendar.example/a b",
        "https://calendar.example?y=1",
        "https://calendar.example/#z",
        "https://me@calendar.example",
        "https://calendar.example:99999",
        "https://calendar.example:0",
        "https://calendar.example:",
        "https://[::1",
        "https://[nothing]",
    ],
    "cors_origins": ["*", "https://calendar.example/", "calendar.example", "HTTPS://X.org"],
    "namespace": ["", "a b", "/calendar", "calendar/", "en/v1", "EN", "doc", "livez/v1"],
    "api_prefix": ["wp-json", "/wp-json/", "/", "/a b", "/en", "/Doc", "/readyz", "/metrics/v1"],
    "timezone": [
        "",
        "Mars/X",
        "UTC+2",
        "europe/zurich",
        "localtime",
        "Factory",
        "posix/Europe/Zurich",
        "../UTC",
    ],
    "languages": ["en,en", "en,EN", "en,all", "en,none", "en,x/y", "en,de.ch", "en,de_CH"],
    "translation_parameter": ["", "a b", "page", "fallback", "_fields"],
    "currency_code": ["XXXX", "chf"],
    "max_body": ["0", "-1"],
    "max_upload": ["0"],
    "query_timeout": ["0", "-1"],
    "source_time": ["0"],
    "source_computing": ["0"],
    "source_memory": ["49"],
    "remember_secrets": ["-1"],
    "cache_memory": ["-1"],
    "remember_answers": ["-1", "many"],
    "remember_feeds": ["-1"],
    "feeds_at_once": ["0"],
    "feed_rate": ["120", "0/minute", "120/week"],
    "read_rate": ["600", "0/minute", "-1/minute", "600/week", "1.5/second", "600/minute "],
    "metrics_bind": ["9100", ":9100", "::1:9100", "127.0.0.1", "a b:1", "unix:", "[::1]:", "x:1x"],
    "trusted_proxies": ["next door", "10.0.0.5/8"],
    "import_networks": ["10.0.0.5/8", "unix"],
    "source_networks": ["10.0.0.5/8", "unix"],
    "cache_control": ["nonsense"],
    "collations": ["de"],
    "theme": ["vally", "/nowhere/theme", __file__],
    "map_tiles": ["https://tiles.example.org", "https://tiles.example.org/{x}/{y}.png", "{z}/{x}"],
    "directions": ["https://maps.example.org", "{latitude},{longitude}", "https://x/{latitude}"],
    "children": ["families", "venue/kids", "category/", "category/a/b"],
    "translator": [
        "nowhere:translate",
        "os:nothing",
        "os:sep",
        "unheard.of:at_all",
        "..:x",
        "bing",
    ],
    "translator_url": ["translate.example", "https://me@translate.example"],
    "translator_budget": ["-1"],
    "translator_roles": ["reader", "editor,nobody"],
}


# A service without what it cannot do without.
LACKING = {"libretranslate": "translator_url", "deepl": "translator_key"}


def check(**environment):
    """Run ``calendar-app check``; return its output."""
    variables = {f"CALENDAR_{name.upper()}": value for name, value in environment.items()}
    return CliRunner().invoke(main, ["check"], env={"CALENDAR_MONGODB_URI": AWAY, **variables})


@pytest.mark.parametrize(
    ("name", "value"), [(name, value) for name, values in NO_SENSE.items() for value in values]
)
def test_the_line_names_the_setting(name, value):
    output = check(**{name: value})
    assert (output.exit_code, output.stdout) == (1, "")
    (line,) = output.stderr.splitlines()
    assert line.startswith(f"Error: The setting {name} ")


@pytest.mark.parametrize(
    ("given", "memory", "answers"),
    [
        ({}, 32, True),
        ({"remember_answers": 8}, 40, True),
        ({"remember_feeds": 64}, 80, True),
        ({"remember_answers": 0, "remember_feeds": 8}, 8, False),
        ({"remember_answers": 8, "cache_memory": 20}, 20, True),
    ],
)
def test_settings_that_end_still_give_the_memory_of_caches(given, memory, answers):
    settings = Settings.load(environment={}, **given)
    assert (settings.cache_memory, settings.cache_answers) == (memory, answers)
    variables = {f"CALENDAR_{name.upper()}": str(value) for name, value in given.items()}
    assert Settings.load(environment=variables).cache_memory == memory


def test_check_names_a_setting_that_ends():
    assert "remember_feeds ends with the next version" in check(remember_feeds="8").stdout


@pytest.mark.parametrize("machine_text", ["reviewed", "never"])
def test_only_what_is_labeled_is_published_by_itself(machine_text):
    output = check(translator_publishes="true", machine_text=machine_text)
    assert output.exit_code == 1
    assert "translator_publishes needs machine_text" in output.stderr


@pytest.mark.parametrize(("service", "name"), LACKING.items())
def test_service_that_translates_says_what_it_needs(service, name):
    output = check(translator=service)
    assert output.exit_code == 1
    assert output.stderr.startswith(f"Error: The setting {name} is needed by {service}")


# Several at once, since each check waits for the database.
@pytest.mark.parametrize(
    "values",
    [
        {
            "languages": "en,pt-BR,zh-Hant,gsw",
            "translation_parameter": "wpml_language",
            "api_prefix": "/wp-json",
            "namespace": "v1",
            "currency_code": "CHF",
            "trusted_proxies": "10.0.0.0/8,2001:db8::/32,192.0.2.1",
            "timezone": "UTC",
            "site_url": "https://calendar.example/",
        },
        {
            "namespace": "documents/doc",
            "trusted_proxies": "unix",
            "timezone": "America/Argentina/Buenos_Aires",
            "site_url": "HTTP://localhost:8000/agenda",
        },
        {"site_url": "http://[2001:db8::1]:8000"},
    ],
)
def test_valid_configuration_is_accepted(values):
    assert "The configuration makes sense." in check(**values).stdout


def test_unknown_timezone_stops_the_start():
    database = mongomock.MongoClient()["calendar"]
    with pytest.raises(ConfigurationError, match="timezone"):
        create_app(Settings.load(environment={}, timezone="localtime"), database)
