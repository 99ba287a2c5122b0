"""The settings, once all of them are seen to make sense.

What a worker would refuse as it starts is refused here in one line, by the code that reads it.
"""

from pathlib import Path

from calendar_app.domain.addresses import Peers, networks_of
from calendar_app.domain.cache_rules import read_rules
from calendar_app.domain.words import collations
from calendar_app.domain.zones import require_zone
from calendar_app.settings import Settings


def sensible_settings(file: Path | None = None) -> Settings:
    """Return the settings that ``file`` and the environment give.

    Raises ``ConfigurationError`` where one makes no sense.
    """
    settings = Settings.load(file)
    require_zone(settings.timezone)
    collations(settings.languages, settings.collations)
    Peers.named("trusted_proxies", settings.trusted_proxies)
    networks_of("import_networks", settings.import_networks)
    read_rules(settings.cache_control)
    return settings
