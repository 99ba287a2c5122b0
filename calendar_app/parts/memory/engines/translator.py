"""The machine translator of a site, with a timeout, and few calls at once.

The setting ``translator`` names a service or a function. See ``docs/reference/translator.md``.
"""

from collections.abc import Callable, Mapping
from importlib import import_module
from queue import Empty, SimpleQueue
from threading import BoundedSemaphore, Thread
from types import MappingProxyType
from typing import Any

import structlog

from calendar_app.calendar.translation import (
    BUSY,
    LATE,
    SERVICES,
    Engine,
    Function,
    Hook,
    NoProposal,
    Text,
)
from calendar_app.errors import ConfigurationError
from calendar_app.settings import Settings

# A machine that hangs keeps so many threads and no more, so that others can save.
_AT_ONCE = 4
_log = structlog.get_logger()


class Translator:
    """Calls the engine; ``timeout`` is how long somebody waits for it, in seconds."""

    def __init__(self, engine: Engine, timeout: float) -> None:
        self.name = engine.name
        self.timeout = timeout
        self.speaks = engine.speaks
        self._engine = engine
        self._free = BoundedSemaphore(_AT_ONCE)

    def learn(self) -> None:
        """Ask which languages there are; raise ``NoProposal`` where nobody answers."""
        self._engine.learn(self.timeout)

    def lacks(self, languages: tuple[str, ...]) -> list[str]:
        """Return those of a site's ``languages`` into which it translates from no other."""
        return [
            target
            for target in languages
            if not any(self.speaks(source, target) for source in languages if source != target)
        ]

    def propose(
        self, texts: Mapping[str, Text], source: str, target: str, timeout: float | None = None
    ) -> dict[str, str]:
        """Return the proposals by name; raise ``NoProposal`` where there are none."""
        if not self._free.acquire(blocking=False):
            raise NoProposal(BUSY, retry_after=1)
        patience = timeout or self.timeout
        answers: SimpleQueue[Any] = SimpleQueue()

        def work() -> None:
            try:
                answers.put(self._engine.translate(dict(texts), source, target, patience))
            except Exception as error:  # noqa: BLE001  # it is not our code
                answers.put(error)
            finally:
                self._free.release()

        Thread(target=work, daemon=True, name="translator").start()
        try:
            answer = answers.get(timeout=patience)
        except Empty:
            raise NoProposal(LATE, retry_after=1, is_billed=True) from None
        return _proposals(answer, texts)


def _proposals(answer: Any, texts: Mapping[str, Text]) -> dict[str, str]:
    if isinstance(answer, NoProposal):
        raise answer
    if isinstance(answer, Exception):
        _log.warning("translator", error=repr(answer))
        raise NoProposal(is_billed=True) from answer
    if not isinstance(answer, Mapping):
        _log.warning("translator", error=f"answered {type(answer).__name__}, not a mapping")
        raise NoProposal(is_billed=True)
    return {
        name: text
        for name, text in answer.items()
        if name in texts and isinstance(text, str) and text.strip()
    }


# Their classes; the module is loaded only where one of them is set.
_CLASSES = dict(zip(SERVICES, ("LibreTranslate", "DeepL"), strict=True))


def engine_of(
    settings: Settings, further: Mapping[str, Callable[[Settings], Engine]] = MappingProxyType({})
) -> Engine:
    """Return the service or function that the setting ``translator`` names.

    ``further`` makes services that are none of ours.

    Raises ``ConfigurationError`` where a function cannot be imported.
    """
    path = settings.translator
    if path in further:
        return further[path](settings)
    if ":" not in path and path not in SERVICES:
        raise ConfigurationError(
            f"The setting translator names no service: {path}. There are"
            f" {', '.join((*SERVICES, *further))}, and functions as module:function."
        )
    if path not in SERVICES:
        return Hook(path.partition(":")[0], _imported_function(path))
    service = getattr(import_module("calendar_app.parts.memory.engines.services"), _CLASSES[path])
    engine: Engine = service(settings.translator_url, settings.translator_key)
    return engine


def _imported_function(path: str) -> Function:
    module, _, name = path.partition(":")
    try:
        function: Function = getattr(import_module(module), name)
    except Exception as error:  # it is not our code
        raise ConfigurationError(
            f"The setting translator cannot be imported: {error!r}."
        ) from error
    if not callable(function):
        raise ConfigurationError(f"The setting translator names no function: {path}.")
    return function
