"""Services that translate over HTTP: LibreTranslate, and DeepL's API.

Each sends texts as HTML, so that tags stay in place, and throws away an answer whose markup is not
that of its source. The key goes to the address of the settings alone: no redirect is followed.

https://docs.libretranslate.com and https://developers.deepl.com
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from html import escape, unescape
from time import monotonic
from typing import Any

import httpx
import structlog

from calendar_app.calendar.translation import BUSY, LATE, NoProposal, Text
from calendar_app.errors import Message
from calendar_app.parts.memory.engines.markup import keeps_markup

_MOST_BYTES = 4 << 20  # of an answer
_LONGEST_PAUSE = 600.0  # seconds; a service that asks for more is not waited for
_PAUSE = 5.0
_SERVER_ERROR = 500
_OK = 200
_REFUSED = (401, 403)
_TOO_MANY = (429, 529)
_QUOTA = 456
_WRONG_KEY = Message("The machine translation does not accept the key of this site.")
_QUOTA_USED = Message("The machine translation has no characters left for this site.")
# How languages are spelled where a service has no such tag; the first one that it has counts.
_SPELLINGS: Mapping[str, Sequence[str]] = {
    "en": ("en-gb", "en-us"),
    "no": ("nb",),
    "pt": ("pt-pt", "pt-br"),
    "pt-br": ("pb",),
    "zh": ("zh-hans",),
    "zh-cn": ("zh-hans",),
    "zh-hk": ("zh-hant", "zt"),
    "zh-tw": ("zh-hant", "zt"),
    "zh-hant": ("zt",),
}
_log = structlog.get_logger()


def spelled(tag: str, offered: Iterable[str]) -> str:
    """Return a language in the notation of a service; empty if it is not ``offered``."""
    codes = {code.lower(): code for code in offered}
    whole = tag.lower()
    primary = whole.partition("-")[0]
    names = (whole, *_SPELLINGS.get(whole, ()), primary, *_SPELLINGS.get(primary, ()))
    return next((codes[name] for name in names if name in codes), "")


class WebService:
    """A service at ``address``; ``pairs`` are its languages once it was asked, by source."""

    name: str

    def __init__(self, address: str, key: str) -> None:
        self._address = address.rstrip("/")
        self._key = key
        self._client = httpx.Client(follow_redirects=False)
        self.pairs: Mapping[str, Sequence[str]] = {}

    def learn(self, timeout: float) -> None:
        """Ask which languages there are; raise ``NoProposal`` where nobody answers."""
        try:
            self.pairs = self._offered(monotonic() + timeout)
        except (AttributeError, KeyError, TypeError) as error:
            raise self._junk("languages") from error

    def speaks(self, source: str, target: str) -> bool:
        """Say whether the service has a pair of languages; unknown ones count as spoken."""
        origin = spelled(source, self.pairs)
        return not self.pairs or bool(origin and spelled(target, self.pairs[origin]))

    def translate(
        self, texts: Mapping[str, Text], source: str, target: str, timeout: float
    ) -> Mapping[str, str]:
        """Return translations by name; those without the markup of their source are left out."""
        deadline = monotonic() + timeout
        if not self.pairs:
            try:
                self.learn(timeout / 2)
            except NoProposal as error:
                _log.warning("translator", service=self.name, languages=str(error.reason))
        if not self.speaks(source, target):
            _log.warning("translator", service=self.name, lacks=f"{source} to {target}")
            raise NoProposal
        sent = {name: _as_html(text) for name, text in texts.items()}
        answers = self._translated(sent, source, target, deadline)
        whole = {name: text for name, text in answers.items() if keeps_markup(sent[name], text)}
        if len(whole) < len(answers):
            _log.warning("translator", service=self.name, broken=len(answers) - len(whole))
        if answers and not whole:
            raise NoProposal(is_billed=True)
        return {
            name: text if texts[name].is_html else " ".join(unescape(text).split())
            for name, text in whole.items()
        }

    def _offered(self, deadline: float) -> Mapping[str, Sequence[str]]:
        """Return the languages from which it translates, each with those into which."""
        raise NotImplementedError

    def _translated(
        self, sent: Mapping[str, str], source: str, target: str, deadline: float
    ) -> dict[str, str]:
        """Return the answers by name, as they came; perhaps fewer."""
        raise NotImplementedError

    def _ask(self, path: str, deadline: float, body: Mapping[str, Any] | None = None) -> Any:
        """Return the JSON of an answer; raise ``NoProposal`` where there is none."""
        seconds = deadline - monotonic()
        if seconds <= 0:
            raise NoProposal(LATE, retry_after=_PAUSE)
        method, address = "GET" if body is None else "POST", f"{self._address}{path}"
        headers = {"Accept": "application/json", "Accept-Encoding": "identity", **self._headers()}
        try:
            with self._client.stream(
                method, address, json=body, headers=headers, timeout=seconds
            ) as response:
                self._require(response)
                answer = b"".join(self._read(response, deadline))
        except (httpx.ConnectError, httpx.ConnectTimeout) as error:
            raise self._away(error, is_billed=False) from error
        except httpx.TimeoutException as error:
            raise NoProposal(LATE, retry_after=_PAUSE, is_billed=True) from error
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            raise self._away(error, is_billed=True) from error
        try:
            return json.loads(answer)
        except ValueError as error:
            raise self._junk("no JSON") from error

    def _headers(self) -> Mapping[str, str]:
        return {}

    def _require(self, response: httpx.Response) -> None:
        """Raise ``NoProposal`` unless the service has answered with translations."""
        status = response.status_code
        if status == _OK:
            return
        _log.warning("translator", service=self.name, status=status)
        if status in _TOO_MANY:
            raise NoProposal(BUSY, retry_after=pause_asked(response.headers))
        if status == _QUOTA:
            raise NoProposal(_QUOTA_USED, is_final=True)
        if status in _REFUSED:
            raise NoProposal(_WRONG_KEY, is_final=True)
        raise NoProposal(retry_after=_PAUSE if status >= _SERVER_ERROR else None)

    def _read(self, response: httpx.Response, deadline: float) -> Iterator[bytes]:
        """Yield the parts of an answer; raise ``NoProposal`` where it is too long or too slow."""
        length = 0
        for part in response.iter_raw():
            length += len(part)
            if length > _MOST_BYTES:
                raise self._junk("too long")
            if monotonic() > deadline:
                raise NoProposal(LATE, retry_after=_PAUSE, is_billed=True)
            yield part

    def _away(self, error: Exception, *, is_billed: bool) -> NoProposal:
        _log.warning("translator", service=self.name, error=type(error).__name__)
        return NoProposal(retry_after=_PAUSE, is_billed=is_billed)

    def _junk(self, what: str) -> NoProposal:
        _log.warning("translator", service=self.name, junk=what)
        return NoProposal(is_billed=True)


def pause_asked(headers: Mapping[str, str]) -> float | None:
    """Return the pause that a service asks for, in seconds; ``None`` for too long a pause."""
    sent = headers.get("retry-after", "")
    pause = float(sent) if sent.isdecimal() else _PAUSE
    return pause if pause <= _LONGEST_PAUSE else None


def _as_html(text: Text) -> str:
    return text.words if text.is_html else escape(text.words, quote=False)


class LibreTranslate(WebService):
    """LibreTranslate: a free program that anybody can run, asked one text at a time."""

    name = "LibreTranslate"

    def _offered(self, deadline: float) -> Mapping[str, Sequence[str]]:
        languages = self._ask("/languages", deadline)
        return {each["code"]: list(each["targets"]) for each in languages}

    def _translated(
        self, sent: Mapping[str, str], source: str, target: str, deadline: float
    ) -> dict[str, str]:
        origin = spelled(source, self.pairs or [source.partition("-")[0]])
        aim = spelled(target, self.pairs.get(origin) or [target.partition("-")[0]])
        key = {"api_key": self._key} if self._key else {}
        shared = {"source": origin, "target": aim, "format": "html", **key}
        answers: dict[str, str] = {}
        for name, text in sent.items():
            try:
                answers[name] = self._translation_of({"q": text, **shared}, deadline)
            except NoProposal:
                if not answers:
                    raise
                break
        return answers

    def _translation_of(self, body: Mapping[str, str], deadline: float) -> str:
        answer = self._ask("/translate", deadline, body)
        text = answer.get("translatedText") if isinstance(answer, dict) else None
        if not isinstance(text, str):
            raise self._junk("no text")
        return text


# What DeepL's API takes in one request: 128 KiB, and as many texts as in its first versions.
_MOST_TEXTS = 50
_MOST_SENT = 100 * 1024
# Into these languages it translates as they are spoken somewhere.
_VARIANTS = ("EN-GB", "EN-US", "PT-BR", "PT-PT", "ZH-HANS", "ZH-HANT")
_PRO, _FREE, _FREE_KEY = "https://api.deepl.com", "https://api-free.deepl.com", ":fx"


class DeepL(WebService):
    """DeepL's API, the free or the paid one, as the key says."""

    name = "DeepL"

    def __init__(self, address: str, key: str) -> None:
        super().__init__(address or (_FREE if key.endswith(_FREE_KEY) else _PRO), key)

    def _headers(self) -> Mapping[str, str]:
        return {"Authorization": f"DeepL-Auth-Key {self._key}"}

    def _offered(self, deadline: float) -> Mapping[str, Sequence[str]]:
        sources, targets = (
            [each["language"] for each in self._ask(f"/v2/languages?type={side}", deadline)]
            for side in ("source", "target")
        )
        return {
            source: [target for target in targets if target.partition("-")[0] != source]
            for source in sources
        }

    def _translated(
        self, sent: Mapping[str, str], source: str, target: str, deadline: float
    ) -> dict[str, str]:
        origin = spelled(source, self.pairs or [source.partition("-")[0].upper()])
        offered = self.pairs.get(origin) or (*_VARIANTS, target.partition("-")[0].upper())
        shared = {
            "source_lang": origin,
            "target_lang": spelled(target, offered),
            "tag_handling": "html",
        }
        answers: dict[str, str] = {}
        for names in _batches(sent):
            texts = [sent[name] for name in names]
            try:
                translated = self._many({"text": texts, **shared}, deadline)
            except NoProposal:
                if not answers:
                    raise
                break
            answers |= zip(names, translated, strict=True)
        return answers

    def _many(self, body: Mapping[str, Any], deadline: float) -> list[str]:
        answer = self._ask("/v2/translate", deadline, body)
        entries = answer.get("translations") if isinstance(answer, dict) else None
        texts = [
            each.get("text") if isinstance(each, dict) else None
            for each in (entries if isinstance(entries, list) else ())
        ]
        words = [text for text in texts if isinstance(text, str)]
        if len(words) != len(body["text"]):
            raise self._junk("another number of texts")
        return words


def _batches(sent: Mapping[str, str]) -> Iterator[list[str]]:
    """Yield the names of texts that fit into one request."""
    names: list[str] = []
    length = 0
    for name, text in sent.items():
        size = len(json.dumps(text))
        if names and (length + size > _MOST_SENT or len(names) == _MOST_TEXTS):
            yield names
            names, length = [], 0
        names.append(name)
        length += size
    if names:
        yield names
