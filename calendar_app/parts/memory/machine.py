"""The machine translator of a site, with the characters that it may be sent in a month."""

from collections.abc import Mapping
from dataclasses import dataclass

import structlog

from calendar_app.calendar.translation import NoProposal, Text
from calendar_app.domain.moments import Now
from calendar_app.errors import DuplicateKey, Message
from calendar_app.parts.memory.engines.translator import Translator
from calendar_app.storage.mongo.store import Store
from calendar_app.storage.query.clauses import Clause, all_of, at_most, equals

MACHINE_USE = "machine_use"
USED_UP = Message("The characters that a machine may translate this month are used up.")


@dataclass(frozen=True, slots=True)
class Use:
    """The characters sent to the machine this month; a ``budget`` of 0 is unlimited."""

    characters: int
    budget: int

    @property
    def remaining(self) -> int:
        return max(self.budget - self.characters, 0)


class Machine:
    """Proposes texts within the budget, which all processes share."""

    def __init__(self, store: Store, translator: Translator, budget: int, now: Now) -> None:
        self.name = translator.name
        self.timeout = translator.timeout
        self.speaks = translator.speaks
        self.lacks = translator.lacks
        self.learn = translator.learn
        self._translator = translator
        self._months = store[MACHINE_USE]
        self._budget = budget
        self._now = now
        self._has_told = False

    @property
    def use(self) -> Use:
        """Return the characters that were sent this month."""
        month = self._months.first(equals("_id", self._month()))
        return Use(month["characters"] if month else 0, self._budget)

    def tell_languages(self, languages: tuple[str, ...]) -> None:
        """Log once which languages of the site the machine lacks, before a text needs them."""
        if self._has_told:
            return
        log = structlog.get_logger().bind(service=self.name)
        try:
            self.learn()
        except NoProposal as error:
            log.warning("translator", languages=str(error.reason))
            return
        self._has_told = True
        log.info("translator", lacks=", ".join(self.lacks(languages)))

    def propose(
        self, texts: Mapping[str, Text], source: str, target: str, timeout: float | None = None
    ) -> dict[str, str]:
        """Return proposals by name; raise ``NoProposal`` where there are none.

        What is sent counts, unless the service has refused it.
        """
        month, characters = self._month(), sum(len(text.words) for text in texts.values())
        self._take(month, characters)
        try:
            return self._translator.propose(texts, source, target, timeout)
        except NoProposal as error:
            if not error.is_billed:
                self._add(equals("_id", month), -characters)
            raise

    def _take(self, month: str, characters: int) -> None:
        """Count characters; raise ``NoProposal`` where the budget has not so many left."""
        has_room = not self._budget or characters <= self._budget
        if has_room and self._counted(month, characters):
            return
        raise NoProposal(USED_UP, is_final=True)

    def _counted(self, month: str, characters: int) -> bool:
        of_month = equals("_id", month)
        room = all_of([of_month, at_most("characters", self._budget - characters)])
        fits = room if self._budget else of_month
        if self._add(fits, characters):
            return True
        try:
            self._months.insert({"_id": month, "characters": characters})
        except DuplicateKey:  # Too little is left, or another process was first this month.
            return self._add(fits, characters)
        return True

    def _add(self, clause: Clause, characters: int) -> bool:
        return self._months.change(clause, {"$inc": {"characters": characters}})

    def _month(self) -> str:
        return f"{self._now():%Y-%m}"
