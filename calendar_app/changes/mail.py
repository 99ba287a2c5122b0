"""Sends letters by SMTP; a failed letter never stops the action it reports."""

import smtplib
import ssl
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from contextvars import copy_context
from dataclasses import dataclass
from email.message import EmailMessage
from email.utils import formatdate, make_msgid
from functools import cached_property
from urllib.parse import unquote, urlsplit

import structlog

from calendar_app.changes.letter_html import LetterLook, letter_html
from calendar_app.domain.texts.messages import catalog_language, translated
from calendar_app.errors import Message

_TIMEOUT = 10.0  # seconds
_IMPLICIT_TLS = "smtps"
_PORTS = {_IMPLICIT_TLS: 465, "smtp": 587}
ENGLISH = "en"
_NO_LOOK = LetterLook()
_LOOPBACK = ("localhost", "127.0.0.1", "::1")


@dataclass(frozen=True, slots=True)
class Letter:
    """A text in a language to one address of e-mail; it goes as plain text and as HTML."""

    to: str
    subject: str
    text: str
    language: str = ENGLISH


def written(
    to: str, subject: Message, paragraphs: Sequence[str], chain: Sequence[str], **gaps: str
) -> Letter:
    """Return a letter in the first language of ``chain`` that each message has.

    ``gaps`` are filled in all messages; a paragraph that is no message stands as it is.
    """

    def text(part: str) -> str:
        if not isinstance(part, Message):
            return part
        return str(translated(Message(part.pattern, **{**gaps, **part.gaps}), chain))

    body = "\n\n".join(map(text, paragraphs)) + "\n"
    return Letter(to, text(subject), body, catalog_language(chain))


class Mailer:
    """Sends letters through the server of ``smtp_url``; an empty one sends nothing.

    ``smtps://`` is encrypted from the start, ``smtp://`` by STARTTLS where the server offers it.
    A password is never sent in the clear, except to this machine. ``rewrite`` has the last word on
    each letter; ``look`` is that of its HTML.
    """

    def __init__(
        self,
        smtp_url: str,
        sender: str,
        rewrite: Callable[[Letter], Letter] = lambda letter: letter,
        look: LetterLook = _NO_LOOK,
    ) -> None:
        self._url = urlsplit(smtp_url)
        self._sender = sender
        self._rewrite = rewrite
        self._look = look
        self.enabled = bool(smtp_url)

    def send(self, letter: Letter) -> bool:
        """Return whether the server has taken the letter; log why it has not."""
        if not self.enabled or not letter.to:
            return False
        letter = self._rewrite(letter)
        try:
            with self._connected() as server:
                server.send_message(self._message(letter))
        # An address that is none raises errors of each of these kinds.
        except (OSError, smtplib.SMTPException, ValueError, LookupError) as error:
            # Neither the text nor the address of the server, which may hold a password.
            structlog.get_logger().error(
                "mail", sent=False, subject=letter.subject, reason=type(error).__name__
            )
            return False
        structlog.get_logger().info("mail", sent=True, subject=letter.subject)
        return True

    def send_later(self, letter: Letter) -> None:
        """Send a letter in the background, so that no response waits for it."""
        self.run_later(lambda: self.send(letter))

    def run_later(self, work: Callable[[], object]) -> None:
        """Run the work behind a letter in the background, against timing attacks."""
        if self.enabled:
            self._background.submit(copy_context().run, _logged, work)

    def flush(self) -> None:
        """Wait until all letters of the background are sent."""
        self._background.submit(lambda: None).result()

    @cached_property
    def _background(self) -> ThreadPoolExecutor:
        # Made by the worker that sends: threads do not survive a fork.
        return ThreadPoolExecutor(1, "mail")

    @contextmanager
    def _connected(self) -> Iterator[smtplib.SMTP]:
        host, scheme = self._url.hostname or "", self._url.scheme
        port, context = self._url.port or _PORTS[scheme], ssl.create_default_context()
        server: smtplib.SMTP
        if scheme == _IMPLICIT_TLS:
            server = smtplib.SMTP_SSL(host, port, timeout=_TIMEOUT, context=context)
        else:
            server = smtplib.SMTP(host, port, timeout=_TIMEOUT)
        with server:
            server.ehlo_or_helo_if_needed()
            if scheme != _IMPLICIT_TLS and server.has_extn("starttls"):
                server.starttls(context=context)
            self._log_in(server, host)
            yield server

    def _log_in(self, server: smtplib.SMTP, host: str) -> None:
        if not self._url.username:
            return
        if not isinstance(server.sock, ssl.SSLSocket) and host not in _LOOPBACK:
            raise smtplib.SMTPNotSupportedError("The server offers no encryption.")
        server.login(unquote(self._url.username), unquote(self._url.password or ""))

    def _message(self, letter: Letter) -> EmailMessage:
        message = EmailMessage()
        message["From"], message["To"] = self._sender, letter.to
        message["Subject"] = letter.subject
        message["Date"] = formatdate(localtime=False)
        message["Message-ID"] = make_msgid(domain=self._sender.rpartition("@")[2].strip("> "))
        message["Auto-Submitted"] = "auto-generated"
        message.set_content(letter.text)
        html = letter_html(letter.subject, letter.text, letter.language, self._look)
        message.add_alternative(html, subtype="html")
        return message


def _logged(work: Callable[[], object]) -> None:
    try:
        work()
    except Exception as error:  # noqa: BLE001  # Nobody waits for it.
        structlog.get_logger().error("mail", sent=False, exc_info=error)
