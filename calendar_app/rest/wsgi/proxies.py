"""Heeds forwarded headers, and only from the proxies that the operator trusts."""

from collections.abc import Iterable
from ipaddress import ip_address
from typing import Any

from werkzeug.middleware.proxy_fix import ProxyFix

from calendar_app.domain.networks import networks_of
from calendar_app.rest.request.exchange import Wsgi


class TrustedProxies:
    """Takes address, scheme and host of the client from a trusted proxy's headers."""

    def __init__(self, app: Wsgi, trusted: Iterable[str]) -> None:
        self._networks = networks_of("trusted_proxies", trusted)
        self._direct = app
        self._forwarded = ProxyFix(app, x_for=1, x_proto=1, x_host=1, x_prefix=0)

    def __call__(self, environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        app = self._forwarded if self._trusts(environ.get("REMOTE_ADDR", "")) else self._direct
        return app(environ, start_response)

    def _trusts(self, peer: str) -> bool:
        if not self._networks:
            return False
        try:
            address = ip_address(peer)
        except ValueError:
            return False
        return any(address in network for network in self._networks)
