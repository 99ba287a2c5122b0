"""Fields that say whether there is something, by naming who provides it."""

from typing import Any

from calendar_app.http.fields.scalars import Flag


class Provided(Flag):
    """A boolean, or a list of providers, as plug-ins of the reference show it: an empty one is no.

    Who provides it is not kept.
    """

    def _deserialize(self, value: Any, *args: Any, **named: Any) -> bool:
        if isinstance(value, list) and all(isinstance(name, str) for name in value):
            return any(value)
        return super()._deserialize(value, *args, **named)
