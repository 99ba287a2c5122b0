"""Proposals of a machine: a function of the installation that is called with texts.

The setting ``translator`` names it, ``package.module:function``. See
``docs/reference/translator.md``.
"""

from collections.abc import Callable, Mapping
from importlib import import_module
from queue import Empty, SimpleQueue
from threading import BoundedSemaphore, Thread
from typing import Any

import structlog
from flask import Flask, current_app

from calendar_app.errors import ConfigurationError, Message
from calendar_app.settings import Settings

# Texts by field, the language that they are in, and the one that is asked for.
Translate = Callable[[Mapping[str, str], str, str], Mapping[str, str]]
_EXTENSION = "calendar_translator"
# A machine that hangs keeps so many threads and no more.
_AT_ONCE = 4
_log = structlog.get_logger()


class NoProposal(Exception):
    """The machine gave no proposals, for this ``reason``."""

    def __init__(self, reason: Message) -> None:
        super().__init__(reason)
        self.reason = reason


class Translator:
    """Calls the function; ``timeout`` is how long somebody waits for it, in seconds."""

    def __init__(self, function: Translate, timeout: float) -> None:
        self._function = function
        self._timeout = timeout
        self._free = BoundedSemaphore(_AT_ONCE)

    def propose(self, texts: Mapping[str, str], source: str, target: str) -> dict[str, str]:
        """Return the proposals by field; raise ``NoProposal`` where there are none."""
        if not self._free.acquire(blocking=False):
            raise NoProposal(Message("The machine translation is busy. Try again later."))
        answers: SimpleQueue[Any] = SimpleQueue()

        def work() -> None:
            try:
                answers.put(self._function(dict(texts), source, target))
            except Exception as error:  # noqa: BLE001  # it is not our code
                answers.put(error)
            finally:
                self._free.release()

        Thread(target=work, daemon=True, name="translator").start()
        try:
            answer = answers.get(timeout=self._timeout)
        except Empty:
            raise NoProposal(Message("The machine translation did not answer in time.")) from None
        return _proposals(answer, texts)


def install(app: Flask, settings: Settings) -> None:
    """Find the function of the setting ``translator``, if there is one."""
    if settings.translator:
        function = imported_translator(settings.translator)
        app.extensions[_EXTENSION] = Translator(function, settings.translator_timeout)


def translator() -> Translator | None:
    """Return the machine translator of the running application."""
    return current_app.extensions.get(_EXTENSION)


def _proposals(answer: Any, texts: Mapping[str, str]) -> dict[str, str]:
    if isinstance(answer, Exception):
        _log.warning("translator", error=repr(answer))
        raise NoProposal(Message("The machine translation failed.")) from answer
    if not isinstance(answer, Mapping):
        _log.warning("translator", error=f"answered {type(answer).__name__}, not a mapping")
        raise NoProposal(Message("The machine translation failed."))
    return {
        name: text
        for name, text in answer.items()
        if name in texts and isinstance(text, str) and text.strip()
    }


def imported_translator(path: str) -> Translate:
    """Return the function that the setting ``translator`` names.

    Raises ``ConfigurationError`` where it cannot be imported.
    """
    module, _, name = path.partition(":")
    try:
        function: Translate = getattr(import_module(module), name)
    except Exception as error:  # it is not our code
        raise ConfigurationError(
            f"The setting translator cannot be imported: {error!r}."
        ) from error
    if not callable(function):
        raise ConfigurationError(f"The setting translator names no function: {path}.")
    return function
