"""Digests of source data, by which a reading detects unchanged events."""

from datetime import UTC
from hashlib import blake2b
from typing import Any

import orjson

from calendar_app.domain.moments import Moment

_BYTES = 9
_WRITING = orjson.OPT_SORT_KEYS | orjson.OPT_PASSTHROUGH_DATACLASS | orjson.OPT_NON_STR_KEYS
_EMPTY: tuple[Any, ...] = (None, "", [], {}, ())


def digest(value: Any) -> str:
    """Return a short digest of a value; of all that is empty an empty one."""
    if value in _EMPTY:
        return ""
    encoded = orjson.dumps(value, default=_plain, option=_WRITING)
    return blake2b(encoded, digest_size=_BYTES).hexdigest()


def _plain(value: Any) -> Any:
    if isinstance(value, Moment):
        # The name of a zone may be another one at each reading.
        return value.wall if value.zone is None else f"{value.instant(UTC)}Z"
    return str(value)
