"""The charset of a content: the one that comes with it, else the one it probably has."""

import codecs
import re
from contextlib import suppress
from email.message import Message as Headers

from calendar_app.errors import Message

_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_FOLD = re.compile(rb"\r?\n[ \t]")
# What HTML and XML say of themselves, in the octets in which it is looked for.
_IN_MARKUP = re.compile(
    rb"<meta\s[^>]{0,200}?(?:(?<=\s)|;\s{0,5})charset\s*=\s*[\"']?\s*([\w.:-]+)"
    rb"|<\?xml\b[^>]{0,200}?\bencoding\s*=\s*[\"']([\w.:-]+)",
    re.IGNORECASE,
)
_START = 10_000
_MARKUP = re.compile(rb"(?:\xef\xbb\xbf)?\s*<")
# Names of charsets that stand for a larger one in every browser (WHATWG Encoding, 4.2).
_AS_BROWSERS = {
    "ascii": "cp1252",
    "iso8859-1": "cp1252",
    "iso8859-9": "cp1254",
    "iso8859-11": "cp874",
    "shift_jis": "cp932",
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "euc_kr": "cp949",
}
# Labels of browsers that Python does not know.
_LABELS = {"windows-874": "cp874", "windows-31j": "cp932", "x-sjis": "cp932"}
_OF_ONE_OCTET = ("cp125", "cp874", "iso8859", "koi8", "mac")
_JSON = re.compile(r"[/+]json\b", re.IGNORECASE)
# Python knows codecs that are no charsets, such as punycode.
_CHARSETS = re.compile(
    r"(utf-(8|16|32)|ascii|iso8859|iso2022|cp|koi8|mac|shift_jis|euc|gb|big5|tis)"
)
# Workbooks, documents, and what is compressed.
_BINARY = (b"PK\x03\x04", b"\x1f\x8b", b"%PDF", b"\xd0\xcf\x11\xe0")
# What old programs for Windows write in the west of Europe.
_GUESS = "cp1252"
GUESSED = Message("It is not in the charset that it names, or names none: it is guessed.")


def as_utf8(content: bytes, content_type: str) -> bytes:
    """Return a content in UTF-8 if its header names another charset that fits.

    A byte order mark wins over the header, and the header over what a page says of itself (WHATWG
    HTML, 13.2.3.2); so a mark is set where one of these would win later.
    """
    charset = _charset(_parameter(content_type))
    if not charset or _after_mark(content) or content.startswith(_BINARY):
        return content
    # JSON is always in UTF-8 (RFC 8259, section 8.1).
    if _JSON.search(content_type) or _is_utf8_by_its_octets(content, charset):
        return content
    if charset == "utf-8" and _in_markup(content) in ("", "utf-8"):
        return content
    with suppress(UnicodeError):
        return codecs.BOM_UTF8 + content.decode(charset).encode()
    return content


def decode(content: bytes) -> str:
    """Return the text of a content without its byte order mark and without NUL."""
    text = _decoded(content)
    if text is None:
        text = content.decode("utf-8", "replace")
        damages, non_ascii = text.count("\ufffd"), sum(not each.isascii() for each in text)
        if damages * 2 > non_ascii:
            text = content.decode(_GUESS, "replace")
    return text.removeprefix("\ufeff").replace("\0", "")


def is_guess(content: bytes) -> bool:
    """Return whether a text does not name its charset, and is not in UTF-8 either."""
    return not content.startswith(_BINARY) and _decoded(content) is None


def _decoded(content: bytes) -> str | None:
    if mark := _after_mark(content):
        return content.decode(mark, "replace")
    # Every other octet of ASCII in UTF-16 is zero.
    if content[1:4:2] == b"\0\0":
        return content.decode("utf-16-le", "replace")
    if content[0:3:2] == b"\0\0":
        return content.decode("utf-16-be", "replace")
    charset_of_markup = _in_markup(content)
    charsets = (
        ("utf-8",)
        if _is_utf8_by_its_octets(content, charset_of_markup)
        else (charset_of_markup, "utf-8")
    )
    for charset in filter(None, charsets):
        with suppress(UnicodeError):
            return content.decode(charset)
    # A line may be folded inside a character.
    with suppress(UnicodeError):
        return _FOLD.sub(b"", content).decode()
    return None


def _after_mark(content: bytes) -> str:
    return next((charset for mark, charset in _BOMS if content.startswith(mark)), "")


def _in_markup(content: bytes) -> str:
    if not _MARKUP.match(content):
        return ""
    match = _IN_MARKUP.search(_without_comments(content[:_START]))
    charset = _charset((match[1] or match[2]).decode("ascii", "replace")) if match else ""
    # A page in UTF-16 could not say so in ASCII.
    return "utf-8" if charset.startswith(("utf-16", "utf-32")) else charset


def _without_comments(markup: bytes) -> bytes:
    first, *comments = markup.split(b"<!--")
    return first + b"".join(each.partition(b"-->")[2] for each in comments)


def _is_utf8_by_its_octets(content: bytes, charset: str) -> bool:
    """Say whether a content has letters in UTF-8, whatever charset of one octet it names.

    Servers add a charset to files that they do not know. Letters of such a charset do not follow
    each other like the octets of UTF-8.
    """
    if not charset.startswith(_OF_ONE_OCTET) or content.isascii():
        return False
    with suppress(UnicodeError):
        return bool(content.decode())
    return False


def _parameter(content_type: str) -> str:
    headers = Headers()
    headers["Content-Type"] = content_type
    return str(headers.get_content_charset() or "").strip("'")


def _charset(label: str) -> str:
    """Return the codec of a charset label; empty for an unknown one."""
    label = label.strip().lower()
    with suppress(LookupError, ValueError):
        name = codecs.lookup(_LABELS.get(label, label.removeprefix("x-"))).name
        if _CHARSETS.match(name):
            return _AS_BROWSERS.get(name, name)
    return ""
