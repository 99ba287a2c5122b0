"""The whole conversation, held again with the service at hand."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from http import HTTPStatus

from replaying.comparing import Comparison, Difference
from replaying.deciding import Decision, Verdict, decision_for, is_out_of_reach
from replaying.plain import Addresses
from replaying.recording import PICTURE, Exchange
from replaying.renumbering import Numbering
from replaying.sending import Answer, Sender

_CREATED = (HTTPStatus.OK, HTTPStatus.CREATED)


@dataclass(frozen=True, slots=True)
class Judgement:
    """The verdict on one case.

    ``differences`` are those that no decision covers, ``undecided`` what there would be without
    any decision.
    """

    verdict: Verdict
    differences: Sequence[Difference] = ()
    undecided: Sequence[Difference] = ()


@dataclass(slots=True)
class Conversation:
    """Sends the recorded requests in their order and judges the answers."""

    sender: Sender
    prefix: str
    decisions: Sequence[Decision]
    _numbering: Numbering = field(default_factory=Numbering)
    _apart: bool = False
    _parent: int = 0

    def hold(self, recording: Sequence[Exchange]) -> dict[str, Judgement]:
        """Send everything; return the judgements by the names of the cases."""
        return {
            exchange.name: judgement
            for exchange in recording
            if (judgement := self._turn(exchange)) and exchange.name != PICTURE
        }

    def _turn(self, exchange: Exchange) -> Judgement:
        answer = self.sender.send(exchange, self._numbering)
        self._numbering.learn(exchange, answer.body)
        succeeded = answer.status in _CREATED or exchange.status in _CREATED
        self._apart |= exchange.writes and not exchange.is_fixture and succeeded
        self._complete(exchange)
        return self._judge(exchange, answer)

    def _complete(self, exchange: Exchange) -> None:
        """Set the fixture's fields that have no parameter: a password, a parent."""
        if exchange.name == "fixture/e_pw":
            self.sender.patch_event(self._number_of(exchange), {"password": "s3cret"})
        if exchange.name == "fixture/e_allday":
            self._parent = self._number_of(exchange)
        if exchange.name == "fixture/e_child":
            self.sender.patch_event(self._number_of(exchange), {"post_parent": self._parent})

    def _number_of(self, exchange: Exchange) -> int:
        return self._numbering.id_of(exchange.answer["id"])

    def _judge(self, exchange: Exchange, answer: Answer) -> Judgement:
        decision = decision_for(exchange.name, self.decisions)
        if is_out_of_reach(exchange.name) or (decision and decision.skip):
            return Judgement(Verdict.SKIPPED)
        undecided = self._differences(exchange, answer)
        if decision is None:
            verdict = Verdict.DIFFERS if undecided else Verdict.AGREES
            return Judgement(verdict, undecided, undecided)
        remaining = decision.remaining(self._differences(decision.expected(exchange), answer))
        return Judgement(Verdict.DIFFERS if remaining else Verdict.DECIDED, remaining, undecided)

    def _differences(self, exchange: Exchange, answer: Answer) -> list[Difference]:
        comparison = Comparison(
            exchange=exchange,
            numbering=self._numbering,
            addresses=Addresses(self.prefix, self._numbering),
            apart=self._apart,
        )
        return comparison.differences(answer)
