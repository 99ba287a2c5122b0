"""The machine of a site, called with texts: never longer than people wait, a few calls at once.

The setting ``translator`` names a service or a function. See ``docs/reference/translator.md``.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module
from queue import Empty, SimpleQueue
from threading import BoundedSemaphore, Thread
from types import MappingProxyType
from typing import Any, Protocol

import structlog

from calendar_app.errors import ConfigurationError, Message
from calendar_app.settings import Settings

# Texts by field, the language that they are in, and the one that is asked for.
Function = Callable[[Mapping[str, str], str, str], Mapping[str, str]]
# A machine that hangs keeps so many threads and no more, so that others can save.
_AT_ONCE = 4
_log = structlog.get_logger()
_FAILED = Message("The machine translation failed.")
BUSY = Message("The machine translation is busy. Try again later.")
LATE = Message("The machine translation did not answer in time.")


@dataclass(frozen=True, slots=True)
class Text:
    """A text to be translated, as HTML or as plain words."""

    words: str
    is_html: bool = False


class NoProposal(Exception):
    """The machine gave no proposals, for this ``reason``.

    It may have some ``retry_after`` so many seconds; where it is final, it has none for any text
    now. ``is_billed`` where the service may have counted the texts all the same.
    """

    def __init__(
        self,
        reason: Message = _FAILED,
        *,
        retry_after: float | None = None,
        is_final: bool = False,
        is_billed: bool = False,
    ) -> None:
        super().__init__(reason)
        self.reason = reason
        self.retry_after = retry_after
        self.is_final = is_final
        self.is_billed = is_billed


class Engine(Protocol):
    """A machine that translates; ``name`` is the author of its texts, for readers."""

    name: str

    def translate(
        self, texts: Mapping[str, Text], source: str, target: str, timeout: float
    ) -> Mapping[str, str]:
        """Return translations by name, or fewer; raise ``NoProposal`` where there are none."""

    def learn(self, timeout: float) -> None:
        """Ask which languages there are; raise ``NoProposal`` where nobody answers."""

    def speaks(self, source: str, target: str) -> bool:
        """Say whether it translates so, as far as is known."""


class Hook:
    """A function of the installation."""

    def __init__(self, name: str, function: Function) -> None:
        self.name = name
        self._function = function

    def translate(
        self, texts: Mapping[str, Text], source: str, target: str, timeout: float
    ) -> Mapping[str, str]:
        del timeout
        words = {name: text.words for name, text in texts.items()}
        return self._function(words, source, target)

    def learn(self, timeout: float) -> None:
        """Do nothing: nobody can ask a function for its languages."""

    def speaks(self, source: str, target: str) -> bool:
        return source != target


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


# The services that the setting ``translator`` names; their module is loaded only where it is set.
SERVICES = {"libretranslate": "LibreTranslate", "deepl": "DeepL"}


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
    service = getattr(import_module("calendar_app.machines.services"), SERVICES[path])
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
