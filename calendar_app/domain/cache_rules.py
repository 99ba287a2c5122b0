"""Which answers may be kept how long, as the setting ``cache_control`` says it."""

import re
from collections.abc import Iterable

from calendar_app.errors import ConfigurationError

# Rules: ``events: max-age=60``; the star stands for what no other line names.
_RULE = re.compile(r"(?P<segment>[a-z.]+|\*):\s*(?P<directives>[\x20-\x7E]+)", re.ASCII)


def read_rules(lines: Iterable[str]) -> dict[str, str]:
    """Return the directives by the segment of the address that they are for.

    Raises ``ConfigurationError`` where a line is no rule.
    """
    rules = {}
    for line in lines:
        rule = _RULE.fullmatch(line.strip())
        if rule is None:
            raise ConfigurationError(
                f"The setting cache_control must hold lines like 'events: max-age=60': {line!r}."
            )
        rules[rule["segment"]] = rule["directives"]
    return rules
