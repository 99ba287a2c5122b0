"""Infer the fallback chain with which a client read the record that it sends back.

The body names its fallback texts, but neither their languages nor the parameter ``fallback``. Both
follow from the texts, where these suffice.
"""

from collections.abc import Collection, Sequence
from typing import NamedTuple

from calendar_app.domain.languages import Chain

# A single text of a third language may be typed; two that agree are evidence.
_MIN_EVIDENCE = 2


class FallbackText(NamedTuple):
    """The languages with the same text as the body, and those with another one."""

    same: frozenset[str]
    different: frozenset[str]

    def fits(self, chain: Chain) -> bool:
        """Return whether the first language of ``chain`` with a text has the same one."""
        having = self.same | self.different
        return next((tag in self.same for tag in chain if tag in having), False)


def infer_fallback_chain(
    texts: Collection[FallbackText], candidates: Sequence[Chain], languages: Chain
) -> Chain:
    """Return the fallback languages of a body, best first.

    The candidate that fits most texts wins. Another order of ``languages`` counts only if it fits
    all texts, at least two of them better: losing a translation is worse than a redundant text.
    """
    best = max(candidates, key=lambda chain: sum(text.fits(chain) for text in texts))
    if sum(not text.fits(best) for text in texts) < _MIN_EVIDENCE:
        return best
    return _fitting_order(texts, languages) or best


def _fitting_order(texts: Collection[FallbackText], languages: Chain) -> Chain | None:
    """Return an order of languages that fits all texts, if there is one.

    A language may be next unless it has a different text for a field that is still open.
    """
    chain: list[str] = []
    open_texts, remaining = list(texts), list(languages)
    while open_texts:
        candidates = (
            tag for tag in remaining if not any(tag in text.different for text in open_texts)
        )
        language = next(candidates, None)
        if language is None:
            return None
        chain.append(language)
        remaining.remove(language)
        open_texts = [text for text in open_texts if language not in text.same]
    return (*chain, *remaining)
