"""Fields for URLs."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any
from urllib.parse import urlsplit

from calendar_app.content.sanitizing import clean_url, is_url
from calendar_app.domain.addresses import in_ascii
from calendar_app.errors import Message
from calendar_app.http.errors.problems import refuse
from calendar_app.http.fields.scalars import Parameter

_LONGEST = 2000  # characters of one that is written anew


class Url(Parameter):
    """An absolute URL, or empty."""

    schema: Mapping[str, Any] = MappingProxyType({"type": "string", "format": "uri"})

    def _deserialize(self, value: Any, *_: Any, **__: Any) -> str:
        if value in ("", False, 0) or value == []:
            return ""
        if not isinstance(value, str) or not is_url(value):
            refuse_non_ascii_url(self.sent_name, value)
            refuse(
                Message(
                    "{name} must be an absolute address such as https://example.org/.",
                    name=self.sent_name,
                )
            )
        return value


class WebUrl(Url):
    """An absolute http or https URL, or empty."""

    def _deserialize(self, value: Any, *args: Any, **kwargs: Any) -> str:
        address = clean_url(super()._deserialize(value, *args, **kwargs))
        if address and urlsplit(address).scheme not in ("http", "https"):
            refuse(Message("{name} must begin with https:// or http://.", name=self.sent_name))
        return address


def refuse_non_ascii_url(name: str, value: Any) -> None:
    """Refuse a URL with non-ASCII characters, and suggest its ASCII form."""
    if not isinstance(value, str) or value.isascii() or len(value) > _LONGEST:
        return
    try:
        ascii_url = in_ascii(value.strip())
    except ValueError:
        return
    if is_url(ascii_url):
        refuse(
            Message("{name} must be written in ASCII, as {address}", name=name, address=ascii_url)
        )
