"""Passwords go only over encrypted connections; an untrusted certificate is refused."""

import ssl
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address

import pytest
from aiosmtpd.smtp import AuthResult
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from post_office import post_office
from structlog.testing import capture_logs

from calendar_app.changes.mail import Letter, Mailer

SENDER = "Valley Calendar <calendar@example.org>"
LETTER = Letter("anna@example.org", "Invitation", "https://example.org/x\n")
# This machine by a name that the mailer must take for another machine's.
ELSEWHERE = "127.1"
# And by one that its certificate does not name.
UNNAMED = "127.0.1"
ENCRYPTED = pytest.mark.parametrize("scheme", ["smtps", "smtp"])


def self_signed(key):
    now, public = datetime.now(UTC), key.public_key()
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "post office")])
    hosts = [x509.DNSName(ELSEWHERE), x509.IPAddress(ip_address("127.0.0.1"))]
    identifier = x509.SubjectKeyIdentifier.from_public_key(public)
    authority = x509.AuthorityKeyIdentifier.from_issuer_subject_key_identifier(identifier)
    return (
        x509.CertificateBuilder(name, name, public, x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName(hosts), critical=False)
        # Python 3.13 checks strictly: it asks for these too.
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(identifier, critical=False)
        .add_extension(authority, critical=False)
        .sign(key, hashes.SHA256())
    )


@pytest.fixture(scope="module")
def certificate(tmp_path_factory):
    """Return a file of a key and the certificate that it has signed itself."""
    key = ec.generate_private_key(ec.SECP256R1())
    pem, clear = serialization.Encoding.PEM, serialization.NoEncryption()
    file = tmp_path_factory.mktemp("post_office") / "certificate.pem"
    file.write_bytes(
        key.private_bytes(pem, serialization.PrivateFormat.PKCS8, clear)
        + self_signed(key).public_bytes(pem)
    )
    return file


@pytest.fixture
def trusted(certificate, monkeypatch):
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate))


@pytest.fixture
def logins():
    return []


@pytest.fixture
def office(certificate, scheme, logins):
    """Run a server that takes letters and passwords only over an encrypted connection."""
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(certificate)
    # aiosmtpd counts STARTTLS alone as TLS when it asks for TLS before a password.
    by_scheme = {
        "smtps": {"ssl_context": context, "auth_require_tls": False},
        "smtp": {"tls_context": context, "require_starttls": True},
    }
    with post_office(authenticator=noting(logins), **by_scheme[scheme]) as (address, letters):
        yield address.rpartition(":")[2], letters


def noting(logins):
    def authenticate(_server, _session, _envelope, _mechanism, sent):
        logins.append((sent.login, sent.password))
        return AuthResult(success=True)

    return authenticate


@ENCRYPTED
@pytest.mark.usefixtures("trusted")
def test_letter_and_password_arrive_over_an_encrypted_connection(office, scheme, logins):
    port, letters = office

    assert Mailer(f"{scheme}://anna:secret@{ELSEWHERE}:{port}", SENDER).send(LETTER)

    assert [letter["Subject"] for letter in letters.taken] == ["Invitation"]
    assert logins == [(b"anna", b"secret")]


def assert_refused(mailer):
    with capture_logs() as lines:
        assert not mailer.send(LETTER)
    (line,) = lines
    assert (line["sent"], line["reason"]) == (False, "SSLCertVerificationError")
    assert "secret" not in repr(line)


@ENCRYPTED
def test_server_of_an_untrusted_certificate_gets_nothing(office, scheme, logins):
    port, letters = office

    assert_refused(Mailer(f"{scheme}://anna:secret@127.0.0.1:{port}", SENDER))

    assert not letters.taken
    assert not logins


@ENCRYPTED
@pytest.mark.usefixtures("trusted")
def test_certificate_of_another_server_is_refused(office, scheme, logins):
    port, letters = office

    assert_refused(Mailer(f"{scheme}://anna:secret@{UNNAMED}:{port}", SENDER))

    assert not letters.taken
    assert not logins


def test_password_never_goes_in_the_clear_to_another_machine(logins):
    with post_office(authenticator=noting(logins), auth_require_tls=False) as (address, letters):
        port = address.rpartition(":")[2]

        assert not Mailer(f"smtp://anna:secret@{ELSEWHERE}:{port}", SENDER).send(LETTER)

    assert not letters.taken
    assert not logins
