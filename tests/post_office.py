"""A mail server on loopback that keeps the letters it takes."""

import socket
from contextlib import contextmanager
from email import message_from_bytes, policy

from aiosmtpd.controller import Controller
from aiosmtpd.handlers import Message
from aiosmtpd.smtp import AuthResult


class Letters(Message):
    """Takes letters, unless it ``refuses`` all."""

    def __init__(self):
        super().__init__()
        self.taken = []
        self.refuses = False

    def handle_message(self, message):
        if self.refuses:
            raise ValueError
        self.taken.append(message_from_bytes(bytes(message), policy=policy.default))


@contextmanager
def post_office(**options):
    """Run a server; yield its address and its letters."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    letters = Letters()
    # A busy machine may need longer than the 5 seconds of aiosmtpd.
    options = {"ready_timeout": 60, **options}
    controller = Controller(letters, hostname="127.0.0.1", port=port, **options)
    controller.start()
    try:
        yield f"127.0.0.1:{port}", letters
    finally:
        controller.stop()


def only(name, secret):
    """Return the options of a server that knows this name and secret."""

    def authenticate(_server, _session, _envelope, _mechanism, sent):
        known = (sent.login, sent.password) == (name.encode(), secret.encode())
        # Not handled yet: the server itself answers that it refuses.
        return AuthResult(success=known, handled=False)

    return {"authenticator": authenticate, "auth_require_tls": False}
