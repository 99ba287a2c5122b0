"""Stubs of LibreTranslate and of DeepL's API on loopback, which can be told to misbehave.

Answers have the shapes that both document: https://docs.libretranslate.com (API) and
https://developers.deepl.com/api-reference.
"""

import json
import re
import time
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from types import MappingProxyType

KEY = "279a2e9d-83b3-c416-7e2d-f721593e42a0:fx"
WORDS = re.compile(r"(?<![<&/\w])[A-Za-zÀ-ÿ]+(?![^<]*>)(?!;)")


def reversed_words(html):
    """Return HTML with each word written backwards and all tags intact."""
    return WORDS.sub(lambda word: word[0][::-1], html)


class Stub:
    """Requests to a service, and its coming answers: ``fault`` names a misbehaviour."""

    def __init__(self):
        self.address = ""
        self.asked = []
        self.headers = []
        self.fault = ""
        self.faults = 10**6
        self.translate = reversed_words

    @property
    def sent(self):
        """Return the texts that were sent."""
        texts = []
        for body in self.asked:
            text = body.get("q", body.get("text"))
            texts += [text] if isinstance(text, str) else text
        return texts


class _Handler(BaseHTTPRequestHandler):
    def do_GET(self):
        self._answer(*self.languages())

    def do_POST(self):
        stub = self.server.stub
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        stub.asked.append(body)
        stub.headers.append(dict(self.headers))
        if stub.fault and stub.faults > 0:
            stub.faults -= 1
            misbehaviour = getattr(self, f"fault_{stub.fault}", None)
            if misbehaviour is None:
                self._answer(int(stub.fault), dict(self.refusal))
            else:
                misbehaviour(body)
        else:
            self._answer(200, self.translated(body, stub.translate))

    def fault_slow(self, body):
        time.sleep(1.5)
        self._answer(200, self.translated(body, reversed_words))

    def fault_dripping(self, _body):
        self.send_response(200)
        self.end_headers()
        try:
            for _ in range(30):
                self.wfile.write(b" ")
                time.sleep(0.1)
        except OSError:
            return

    def fault_hang_up(self, _body):
        self.connection.close()

    def fault_junk(self, _body):
        self._write(200, b"<html>Welcome to the hotel's network</html>")

    def fault_other_shape(self, _body):
        self._answer(200, {"translation": ["x"]})

    def fault_fewer(self, body):
        self._answer(200, self.translated(body | {"text": body.get("text", [])[1:]}, str.upper))

    def fault_broken_html(self, body):
        self._answer(200, self.translated(body, lambda html: html.replace("</a>", "")))

    def fault_other_link(self, body):
        link = "https://elsewhere.example/"
        self._answer(
            200, self.translated(body, lambda html: re.sub(r"https?://[^\"]+", link, html))
        )

    def fault_script(self, body):
        self._answer(200, self.translated(body, lambda html: f"{html}<script>alert(1)</script>"))

    def fault_large(self, body):
        self._answer(200, self.translated(body, lambda html: html + "x" * 10_000_000))

    def fault_redirect(self, _body):
        self.send_response(307)
        self.send_header("Location", f"{self.server.stub.address}{self.path}?again")
        self.send_header("Content-Length", "0")
        self.end_headers()

    def fault_patience(self, _body):
        self._write(429, b"{}", ("Retry-After", "7"))

    def _answer(self, status, document):
        self._write(status, json.dumps(document).encode())

    def _write(self, status, body, *headers):
        try:
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            for header in headers:
                self.send_header(*header)
            self.end_headers()
            self.wfile.write(body)
        except OSError:
            return

    def log_message(self, *_parts):
        """Say nothing."""


class LibreTranslateStub(_Handler):
    """Speaks German, English and French."""

    refusal = MappingProxyType({"error": "Slowdown: 80 per 1 minute"})

    def languages(self):
        names = {"de": "German", "en": "English", "fr": "French"}
        codes = list(names)
        entries = [{"code": code, "name": names[code], "targets": codes} for code in codes]
        return (200, entries) if self.path == "/languages" else (404, {})

    def translated(self, body, translate):
        assert self.path == "/translate"
        assert body["format"] == "html"
        return {"translatedText": translate(body["q"])}


class DeepLStub(_Handler):
    """Speaks German, English as in Britain or America, Portuguese and French."""

    refusal = MappingProxyType({"message": "Quota Exceeded"})

    def languages(self):
        names = {"DE": "German", "EN": "English", "FR": "French", "PT": "Portuguese"}
        targets = ("DE", "EN-GB", "EN-US", "FR", "PT-BR", "PT-PT")
        if self.path == "/v2/languages?type=source":
            return 200, [{"language": code, "name": name} for code, name in names.items()]
        if self.path == "/v2/languages?type=target":
            return 200, [
                {"language": code, "name": code, "supports_formality": False} for code in targets
            ]
        return 404, {}

    def translated(self, body, translate):
        assert self.path == "/v2/translate"
        assert self.headers["Authorization"] == f"DeepL-Auth-Key {KEY}"
        assert body["tag_handling"] == "html"
        source = body["source_lang"]
        return {
            "translations": [
                {"detected_source_language": source, "text": translate(text)}
                for text in body["text"]
            ]
        }


@contextmanager
def serving(handler):
    """Run a stub for the block."""
    stub = Stub()
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.stub = stub
    stub.address = f"http://127.0.0.1:{server.server_port}"
    Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
    try:
        yield stub
    finally:
        server.shutdown()
        server.server_close()
