"""What becomes of the texts of new records, worked out before they are taken in.

Nothing of the calendar is needed for that, so that another process may do it.
"""

from collections.abc import Mapping, Sequence
from functools import partial

from calendar_app.catalogue.content.composing import compose, derived
from calendar_app.catalogue.content.foreseen import Foreseen
from calendar_app.catalogue.content.sanitizing import clean_html
from calendar_app.catalogue.search.vocabulary import entries_of
from calendar_app.domain.kind import Kind, Record
from calendar_app.query.vocabulary import WORDS


def foresee(
    kind: Kind, changes: Record, language: str, chains: Mapping[str, Sequence[str]], site: str
) -> Foreseen:
    """Return what becomes of the texts in ``changes``, which somebody sends who is trusted.

    ``chains`` has for each language those that its readers are shown, best first; ``site`` is the
    address of this one.
    """
    # A new record has nothing that could be taken away.
    variants = {
        tag: {name: text for name, text in texts.items() if text is not None}
        for tag, texts in changes["variants"].items()
    }
    changes = {**changes, "variants": variants}
    blank = {"variants": {}, **kind.defaults}
    record = compose(kind, blank, changes, partial(clean_html, trusted=True, site=site))
    following = derived(kind, blank, record, changes, language)
    if kind.found_by_words:
        following[WORDS] = entries_of(kind, record | following, chains)
    return Foreseen(record["variants"], following)
