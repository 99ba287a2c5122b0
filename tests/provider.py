"""A small OpenID Connect provider on loopback, which can be told to misbehave."""

import json
from base64 import b64decode, urlsafe_b64encode
from contextlib import contextmanager
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from urllib.parse import parse_qs, unquote, urlsplit

from clock import NOON
from joserfc import jwt
from joserfc.jwk import RSAKey

CLIENT, SECRET = "calendar", "the secret/of: the client"


class Provider:
    """Answers as ``claims`` say; ``changes`` overrides what it signs."""

    def __init__(self):
        self.issuer = ""
        self._first = RSAKey.generate_key(2048, {"kid": "first", "use": "sig", "alg": "RS256"})
        self.reset()

    def reset(self):
        self.key = self._first
        self.published = [self.key]
        self.claims = {"email": "author@example.org", "email_verified": True}
        self.changes = {}
        self.user_info = None
        self.algorithm = "RS256"
        self.logins = {}
        self.is_broken = False

    def log_in(self, address):
        """Log somebody in as a browser would; return where the provider leads."""
        query = {name: values[0] for name, values in parse_qs(urlsplit(address).query).items()}
        assert query["response_type"] == "code"
        assert query["client_id"] == CLIENT
        assert "openid" in query["scope"].split()
        assert query["code_challenge_method"] == "S256"
        code = f"code-{len(self.logins)}"
        self.logins[code] = query
        return f"{query['redirect_uri']}?code={code}&state={query['state']}"

    def documents(self):
        return {
            "/.well-known/openid-configuration": {
                "issuer": self.issuer,
                "authorization_endpoint": f"{self.issuer}/authorize",
                "token_endpoint": f"{self.issuer}/token",
                "userinfo_endpoint": f"{self.issuer}/userinfo",
                "jwks_uri": f"{self.issuer}/keys",
            },
            "/keys": {"keys": [key.as_dict(private=False) for key in self.published]},
            "/userinfo": self.user_info,
        }

    def token(self, authorization, body):
        """Exchange a code for tokens, once, for a client with the secret and the verifier."""
        sent = {name: values[0] for name, values in parse_qs(body).items()}
        # A client proves itself in one way alone (RFC 6749 section 2.3).
        if "client_secret" in sent:
            return None
        name, _, secret = b64decode(authorization.removeprefix("Basic ")).decode().partition(":")
        query = self.logins.pop(sent.get("code"), None)
        digest = sha256(sent.get("code_verifier", "").encode()).digest()
        challenge = urlsafe_b64encode(digest).decode().rstrip("=")
        if (unquote(name), unquote(secret)) != (CLIENT, SECRET) or query is None:
            return None
        if (challenge, sent["redirect_uri"]) != (query["code_challenge"], query["redirect_uri"]):
            return None
        now = int(NOON.timestamp())
        claims = {"iss": self.issuer, "aud": CLIENT, "sub": "7", "nonce": query["nonce"]}
        claims |= {"iat": now, "exp": now + 300} | self.claims | self.changes
        signed = {name: value for name, value in claims.items() if value is not None}
        header = {"alg": self.algorithm, "kid": self.key.kid}
        token = jwt.encode(header, signed, self.key, algorithms=[self.algorithm])
        return {"access_token": "access", "token_type": "Bearer", "id_token": token}


@contextmanager
def running_provider():
    provider = Provider()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            path = urlsplit(self.path).path
            is_hidden = path == "/userinfo" and self.headers["Authorization"] != "Bearer access"
            self._answer(None if is_hidden else provider.documents().get(path))

        def do_POST(self):
            body = self.rfile.read(int(self.headers["Content-Length"])).decode()
            self._answer(provider.token(self.headers.get("Authorization", ""), body))

        def log_message(self, *_):
            pass

        def _answer(self, document):
            status = 500 if provider.is_broken else 400 if document is None else 200
            self.send_response(status)
            self.end_headers()
            self.wfile.write(json.dumps(document or {}).encode())

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    provider.issuer = f"http://127.0.0.1:{server.server_port}"
    Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield provider
    finally:
        server.shutdown()
        server.server_close()
