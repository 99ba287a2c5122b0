"""Talks to the provider of OpenID Connect that the settings name.

Its libraries take 8 MB, and are loaded only where there is a provider.
"""

from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from typing import Any
from urllib.parse import quote

import httpx
from authlib.oauth2.rfc6749.parameters import prepare_grant_uri
from authlib.oauth2.rfc7636 import create_s256_code_challenge
from joserfc import jwt
from joserfc.errors import JoseError
from joserfc.jwk import GuestProtocol, KeySet

from calendar_app.accounts.openid import (
    LoginAttempt,
    LoginRefused,
    Provider,
    ProviderUnavailable,
    UnverifiedEmail,
)

_DISCOVERY = "/.well-known/openid-configuration"
_SCOPE = "openid email profile"
# Signatures that only the provider can make.
_ALGORITHMS = ["RS256", "RS384", "RS512", "PS256", "ES256", "ES384", "Ed25519", "EdDSA"]
_BASIC = "client_secret_basic"
_TIMEOUT = 10.0  # seconds
_LEEWAY = 60  # seconds
_CACHE_LIFETIME = timedelta(hours=1)


class OpenIdProvider(Provider):
    """The provider of ``issuer``; its description and its keys are kept for an hour."""

    def __init__(
        self, issuer: str, client_id: str, client_secret: str, clock: Callable[[], datetime]
    ) -> None:
        self.issuer = issuer
        self._client_id = client_id
        self._client_secret = client_secret
        self._clock = clock
        self._documents: dict[str, tuple[Mapping[str, Any], datetime]] = {}

    def authorization_url(self, attempt: LoginAttempt, redirect_uri: str) -> str:
        """Return where the browser goes to log in; raise ``ProviderUnavailable``."""
        return str(
            prepare_grant_uri(
                self._configuration()["authorization_endpoint"],
                self._client_id,
                "code",
                redirect_uri,
                _SCOPE,
                attempt.state,
                nonce=attempt.nonce,
                code_challenge=create_s256_code_challenge(attempt.verifier),  # type: ignore[no-untyped-call]
                code_challenge_method="S256",
            )
        )

    def verified_email(self, attempt: LoginAttempt, code: str, redirect_uri: str) -> str:
        """Return the address of the user who logged in.

        Raises ``ProviderUnavailable``, ``LoginRefused`` or ``UnverifiedEmail``.
        """
        try:
            token = self._token(attempt, code, redirect_uri)
            claims = self._claims(token["id_token"], attempt.nonce)
            if "email" not in claims:
                claims |= self._user_info(token["access_token"], claims["sub"])
        except (JoseError, LookupError, ValueError, TypeError) as error:
            raise LoginRefused(type(error).__name__) from error
        if not claims.get("email") or str(claims.get("email_verified")).lower() != "true":
            raise UnverifiedEmail
        return str(claims["email"])

    def _token(self, attempt: LoginAttempt, code: str, redirect_uri: str) -> dict[str, Any]:
        """Exchange the code for a token, with the PKCE verifier of this login."""
        body = {
            "grant_type": "authorization_code",
            "code": code,
            "redirect_uri": redirect_uri,
            "client_id": self._client_id,
            "code_verifier": attempt.verifier,
        }
        configuration = self._configuration()
        methods = configuration.get("token_endpoint_auth_methods_supported", [_BASIC])
        if self._client_secret and _BASIC not in methods:
            body["client_secret"] = self._client_secret
        # RFC 6749 section 2.3.1 quotes both.
        basic = (quote(self._client_id, safe=""), quote(self._client_secret, safe=""))
        is_basic = bool(self._client_secret) and _BASIC in methods
        auth = httpx.BasicAuth(*basic) if is_basic else None
        address = configuration["token_endpoint"]
        return _answered(lambda: httpx.post(address, data=body, auth=auth, timeout=_TIMEOUT))

    def _claims(self, id_token: str, nonce: str) -> dict[str, Any]:
        """Return the claims of a token that the provider signed for this login."""
        claims = dict(jwt.decode(id_token, self._key_set, algorithms=_ALGORITHMS).claims)
        jwt.JWTClaimsRegistry(
            now=int(self._clock().timestamp()),
            leeway=_LEEWAY,
            iss={"essential": True, "value": self.issuer},
            aud={"essential": True, "value": self._client_id},
            exp={"essential": True},
            sub={"essential": True},
            nonce={"essential": True, "value": nonce},
        ).validate(claims)
        if claims.get("azp", self._client_id) != self._client_id:
            raise LoginRefused("azp")
        return claims

    def _user_info(self, access_token: str, subject: str) -> dict[str, Any]:
        """Return the claims of the userinfo endpoint about the same person."""
        address = self._configuration()["userinfo_endpoint"]
        headers = {"Authorization": f"Bearer {access_token}"}
        info = _answered(lambda: httpx.get(address, headers=headers, timeout=_TIMEOUT))
        if info.get("sub") != subject:
            raise LoginRefused("sub")
        return {name: info[name] for name in ("email", "email_verified") if name in info}

    def _key_set(self, signed: GuestProtocol) -> KeySet:
        """Return the keys of the provider; fetch them again for a key that is new."""
        address, key_id = self._configuration()["jwks_uri"], signed.headers().get("kid")
        keys = self._document(address)
        if key_id not in {key.get("kid") for key in keys["keys"]}:
            keys = self._fetch(address)
        return KeySet.import_key_set({"keys": keys["keys"]})

    def _configuration(self) -> Mapping[str, Any]:
        document = self._document(self.issuer.rstrip("/") + _DISCOVERY)
        if document.get("issuer") != self.issuer:
            raise ProviderUnavailable("The provider describes another issuer.")
        return document

    def _document(self, address: str) -> Mapping[str, Any]:
        document, until = self._documents.get(address, ({}, None))
        return document if until and until > self._clock() else self._fetch(address)

    def _fetch(self, address: str) -> Mapping[str, Any]:
        document = _answered(lambda: httpx.get(address, timeout=_TIMEOUT))
        self._documents[address] = (document, self._clock() + _CACHE_LIFETIME)
        return document


def _answered(send: Callable[[], httpx.Response]) -> dict[str, Any]:
    """Return the JSON that a provider answers.

    Raises ``LoginRefused`` where it refuses, else ``ProviderUnavailable``.
    """
    try:
        response = send()
        if response.is_client_error:
            raise LoginRefused(f"status {response.status_code}")
        document = response.raise_for_status().json()
    except (httpx.HTTPError, httpx.InvalidURL, ValueError) as error:
        raise ProviderUnavailable from error
    if not isinstance(document, dict):
        raise ProviderUnavailable
    return document
