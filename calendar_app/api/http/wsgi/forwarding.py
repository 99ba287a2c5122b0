"""Forwarded headers of trusted proxies."""

from collections.abc import Iterable
from typing import Any

from werkzeug.middleware.proxy_fix import ProxyFix

from calendar_app.api.http.request.state import Wsgi
from calendar_app.domain.addresses import Peers

_SCHEMES = ("http", "https")


class TrustedProxies:
    """Applies the forwarded address, scheme and host of trusted proxies."""

    def __init__(self, app: Wsgi, trusted: Iterable[str]) -> None:
        self._trusted = Peers.named("trusted_proxies", trusted)
        self._has_trusted = any(self._trusted)
        self._direct = app
        self._forwarded = ProxyFix(app, x_for=1, x_proto=1, x_host=1, x_prefix=0)

    def __call__(self, environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        if not self._has_trusted or not self._trusted.have(environ.get("REMOTE_ADDR", "")):
            return self._direct(environ, start_response)
        # ProxyFix does not validate the scheme.
        forwarded = environ.get("HTTP_X_FORWARDED_PROTO", "").rpartition(",")[2].strip()
        if forwarded not in _SCHEMES:
            environ.pop("HTTP_X_FORWARDED_PROTO", None)
        return self._forwarded(environ, start_response)
