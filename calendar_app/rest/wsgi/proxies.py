"""Heeds forwarded headers, and only from the proxies that the operator trusts."""

from collections.abc import Iterable
from typing import Any

from werkzeug.middleware.proxy_fix import ProxyFix

from calendar_app.domain.peers import Peers
from calendar_app.rest.request.exchange import Wsgi


class TrustedProxies:
    """Takes address, scheme and host of the client from a trusted proxy's headers."""

    def __init__(self, app: Wsgi, trusted: Iterable[str]) -> None:
        self._trusted = Peers.named("trusted_proxies", trusted)
        self._direct = app
        self._forwarded = ProxyFix(app, x_for=1, x_proto=1, x_host=1, x_prefix=0)

    def __call__(self, environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        is_trusted = self._trusted.have(environ.get("REMOTE_ADDR", ""))
        app = self._forwarded if is_trusted else self._direct
        return app(environ, start_response)
