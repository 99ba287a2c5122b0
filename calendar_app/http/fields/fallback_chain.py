"""Along which languages a record was read that is sent back.

The body names the texts that other languages lent, but neither the lenders nor the ``fallback``
that chose them. Both follow from the texts, where these tell enough.
"""

from collections.abc import Collection, Sequence
from typing import NamedTuple

from calendar_app.domain.languages import Chain

# One text of a third language may well be typed. Several, and none against them, were shown.
_TELLING = 2


class LentText(NamedTuple):
    """The languages that have the very text that a field shows, and those that have another."""

    same: frozenset[str]
    other: frozenset[str]

    def is_lent_along(self, chain: Chain) -> bool:
        return next((tag in self.same for tag in chain if tag in self.same | self.other), False)


def read_along(lent: Collection[LentText], likely: Sequence[Chain], languages: Chain) -> Chain:
    """Return the chain behind the language of a body, best first.

    It is the one of the ``likely`` that explains most of the texts. One that nobody named counts
    only where it explains all of them, and at least two that the likely one does not: a translation
    that is lost is worse than a text of another language that is stored once more.
    """
    best = max(likely, key=lambda chain: sum(text.is_lent_along(chain) for text in lent))
    unexplained = [text for text in lent if not text.is_lent_along(best)]
    if len(unexplained) < _TELLING:
        return best
    return _explaining_all(lent, languages) or best


def _explaining_all(lent: Collection[LentText], languages: Chain) -> Chain | None:
    """Return an order of languages in which each text is lent, if there is any.

    A language may stand next if no text that has no lender yet would be another one then.
    """
    chain: list[str] = []
    lacking, left = list(lent), list(languages)
    while lacking:
        found = next((tag for tag in left if not any(tag in text.other for text in lacking)), None)
        if found is None:
            return None
        chain.append(found)
        left.remove(found)
        lacking = [text for text in lacking if found not in text.same]
    return (*chain, *left)
