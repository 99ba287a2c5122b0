"""Two people on one event: whose values count, and where both have changed the same."""

import json
from collections.abc import Mapping
from hashlib import blake2b
from typing import Any

from calendar_app.desk.event_form.values import CONTROLS, Values, changed_parameters
from calendar_app.desk.forms import Digests

_DIGEST_BYTES = 6


def digests_of(values: Values) -> Digests:
    """Return a digest of each parameter, to detect its later changes."""
    return {parameter: _digest(parameter, values) for parameter in CONTROLS}


def merge(sent: Values, stored: Values, base: Digests) -> tuple[Values, list[str]]:
    """Return the sent values with the changes of others, and the parameters both have changed.

    ``base`` are the digests of the values with which the form was opened.
    """
    merged, conflicts = dict(sent), []
    for parameter in CONTROLS:
        if parameter not in changed_parameters(sent, stored):
            continue
        before = base.get(parameter)
        if before == _digest(parameter, sent):
            take(merged, stored, parameter)
        elif before != _digest(parameter, stored):
            conflicts.append(parameter)
    return merged, conflicts


def take(values: Values, stored: Mapping[str, Any], parameter: str) -> None:
    """Put the stored values of a parameter into ``values``."""
    values |= {name: stored[name] for name in CONTROLS[parameter]}


def _digest(parameter: str, values: Mapping[str, Any]) -> str:
    parts = [values.get(name) or "" for name in CONTROLS[parameter]]
    parts = [sorted(part) if isinstance(part, list) else part for part in parts]
    text = json.dumps(parts, sort_keys=True, ensure_ascii=False)
    return blake2b(text.encode(errors="replace"), digest_size=_DIGEST_BYTES).hexdigest()
