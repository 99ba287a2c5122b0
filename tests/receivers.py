"""Receivers of webhooks: honest, slow, dead, redirecting, lying about TLS, talking without end."""

import ipaddress
import json
import ssl
import threading
import time
from contextlib import contextmanager, suppress
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from standardwebhooks import Webhook

TEN_MEGABYTES = 10_000_000
# Nobody listens there: ports below 1024 are given to no test.
DEAD_ADDRESS = "http://127.0.0.1:1/changes"


class Receiver:
    """A receiver on this machine; ``messages`` are the verified and accepted ones.

    ``status`` is its answer, or a function of a message; ``behave`` writes another answer.
    """

    def __init__(self, address, status=204, behave=None, pause=0.0):
        self.address = address
        self.status = status
        self.behave = behave
        self.pause = pause
        self.secret = None
        self.keeps_records = True
        self.messages = []
        self.ids = []
        self.requests = 0

    def take(self, body, headers):
        """Return the status for a message; 401 where no signature holds."""
        self.requests += 1
        time.sleep(self.pause)
        message = (
            Webhook(self.secret).verify(body, dict(headers)) if self.secret else json.loads(body)
        )
        status = self.status(message) if callable(self.status) else self.status
        if 200 <= status < 300:
            if not self.keeps_records:
                message["data"].pop("record", None)
            self.messages.append(message)
            self.ids.append(headers["webhook-id"])
        return status

    @property
    def data(self):
        return [message["data"] for message in self.messages]


def _handler(receiver):
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self):
            body = self.rfile.read(int(self.headers["Content-Length"]))
            status = receiver.take(body, self.headers)
            with suppress(OSError):  # The sender has heard enough.
                if receiver.behave:
                    receiver.behave(self, status)
                    return
                self.send_response(status)
                self.send_header("Content-Length", "0")
                self.end_headers()

        def log_message(self, *_):
            pass

    return Handler


@contextmanager
def receiving(context=None, **options):
    """Run a receiver; with a ``context`` it speaks TLS."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), BaseHTTPRequestHandler)
    scheme = "https" if context else "http"
    receiver = Receiver(f"{scheme}://127.0.0.1:{server.server_port}/changes", **options)
    server.RequestHandlerClass = _handler(receiver)
    server.handle_error = lambda *_: None
    if context:
        server.socket = context.wrap_socket(server.socket, server_side=True)
    thread = threading.Thread(target=server.serve_forever, args=[0.05], daemon=True)
    thread.start()
    try:
        yield receiver
    finally:
        server.shutdown()
        server.server_close()


def elsewhere(handler, _status):
    handler.send_response(307)
    handler.send_header("Location", "http://169.254.169.254/latest/meta-data/")
    handler.send_header("Content-Length", "0")
    handler.end_headers()


def talking(handler, status):
    """Answer ten megabytes."""
    handler.send_response(status if status != 204 else 200)
    handler.send_header("Content-Length", str(TEN_MEGABYTES))
    handler.end_headers()
    for _ in range(100):
        handler.wfile.write(b"x" * (TEN_MEGABYTES // 100))


def dripping(handler, _status):
    """Answer a byte of a header now and then, without an end."""
    for each in b"HTTP/1.1 200 OK\r\n" + b"X" * 1000:
        handler.wfile.write(bytes([each]))
        time.sleep(0.1)


def cutting_off(handler, _status):
    handler.close_connection = True


def lying_context(folder, name="elsewhere.example"):
    """Return a TLS context with a certificate that nobody has signed, for another name."""
    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, name)])
    now = datetime.now(UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(subject)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(
            x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address("192.0.2.1"))]), False
        )
        .sign(key, hashes.SHA256())
    )
    file = folder / "certificate.pem"
    file.write_bytes(
        certificate.public_bytes(serialization.Encoding.PEM)
        + key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
    )
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(file)
    return context
