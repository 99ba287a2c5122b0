"""Boolean fields that may be sent as a list of providers."""

from typing import Any

from calendar_app.http.fields.scalars import Flag


class Provided(Flag):
    """A boolean, or a list of providers, of which only the presence is stored."""

    def _deserialize(self, value: Any, *args: Any, **kwargs: Any) -> bool:
        if isinstance(value, list) and all(isinstance(name, str) for name in value):
            return any(value)
        return super()._deserialize(value, *args, **kwargs)
