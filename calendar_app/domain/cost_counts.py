"""Tell the numbers in a cost that are no prices: ages, hours, and how many there are of a thing."""

import re

from calendar_app.domain.cost_tokens import Token

# "CHF 20 und 1 Getränk" and "$20 until 30 April" have one price, "CHF 20 oder 25" two.
_NO_MORE = re.compile("and|e|et|u|und|until")
_UP_TO = re.compile("bis|fin|to|until")
_SPAN = re.compile(f"{_UP_TO.pattern}|a|à")
_AGED = re.compile("ages?|aged|over|under|ab|alter|unter|über|âges?|dès|età|sotto|sopra")
_AND_OLDER = re.compile("over|under|up|above|older|younger|älter|jünger|plus|più|moins|meno")
_YOUNG = re.compile(
    r"kids?|child(?:ren)?|youths?|teens?|students?|kind(?:er)?|jugend(?:liche)?|schüler|lehrlinge"
    r"|stud(?:enten|ierende)?\.?|enfants?|jeunes|étudiants|bambini|ragazzi|giovani|studenti"
    r"|uffants|giuvenils"
)
_THINGS = re.compile(
    r"(?:kurs)?(?:tage|abende)n?|nächten?|wochen|monaten?|days|nights|evenings|weeks|months"
    r"|jours|nuits|soirs|soirées|semaines|mois|giorni|notti|sere|serate|settimane|mesi"
    r"|dis|notgs|sairas|emnas|lektionen|lessons|classes|sessions|leçons|cours|séances|lezioni"
    r"|lecziuns|tickets|billets|biglietti|bigliets|getränken?|drinks|boissons|bevande|bavrondas"
    r"|gängen?|courses|plats|portate|mal|times|fois|volte|giadas|er|x"
)
_FOR = re.compile("for|für|pour|per")
_OLDEST = 100


def joins(tokens: list[Token], place: int, last: int, *, sure: bool) -> bool:
    """Tell whether the token at ``place`` joins the number that ends at ``last`` to the one before.

    ``sure`` says that the one before can only be a price.
    """
    token, after, two_after = tokens[place], *tokens[last + 1 : last + 3]
    if token.kind == "link":
        return not (sure and _NO_MORE.fullmatch(token.text.lower()))
    return token.kind == "dash" or (token.text == "/" and not _is_open_ended(after, two_after))


def is_what_for(tokens: list[Token], place: int, last: int, *, rises: bool) -> bool:
    """Tell whether the numbers from ``place`` on count what is for the price: "/ 2 days", "- 6 h".

    ``rises`` says that the one that ends at ``last`` is more than the one before.
    """
    end = _end_of_span(tokens, place, last)
    # "$15-20 evenings" are prices, "$80 - 2 evenings" is one.
    is_range = rises and _spans(tokens[place])
    return tokens[end + 1].kind == "unit" or (not is_range and is_counted(tokens, end))


def _end_of_span(tokens: list[Token], place: int, last: int) -> int:
    """Return the end of a span such as "6-12" that begins behind the token at ``place``."""
    tight = tokens[place].kind == "dash" and not tokens[place].spaced
    while _spans(tokens[last + 1]) and tokens[last + 2].kind == "number":
        # In "$15-20 - 2 drinks", 20 belongs to what is before it.
        if tight and tokens[last + 1].spaced:
            break
        last += 2
    return last


def _spans(token: Token) -> bool:
    return token.kind == "dash" or bool(_SPAN.fullmatch(token.text.lower()))


def is_age(tokens: list[Token], first: int, last: int) -> bool:
    """Tell the tokens from ``first`` to ``last`` from a price: "18+", "under 12", "(6-16)"."""
    before, after, two_after = tokens[max(first - 1, 0)], *tokens[last + 1 : last + 3]
    if _AGED.fullmatch(before.text.lower()) or _is_open_ended(after, two_after):
        return True
    if (before.text, after.text) == ("(", ")"):
        return _spans_ages(tokens[first : last + 1])
    if not _UP_TO.fullmatch(before.text.lower()):
        return False
    who = tokens[max(first - 2, 0)].text.lower()
    return bool(_YOUNG.fullmatch(who)) or not _follows_price(tokens, first)


def _spans_ages(tokens: list[Token]) -> bool:
    """Tell "(6-16)" from a lower price: "(15)", "(15/12)", "(12.50-15)"."""
    spans = len(tokens) == len("6-9") and _spans(tokens[1])
    if not spans or not (tokens[0].text.isdecimal() and tokens[2].text.isdecimal()):
        return False
    return int(tokens[0].text) < int(tokens[2].text) < _OLDEST


def _follows_price(tokens: list[Token], first: int) -> bool:
    """Tell whether a price stands before ``first`` in what is said there, as in "$8 plus fees"."""
    for token in reversed(tokens[:first]):
        if token.text in {",", ";", "|", "(", ")"}:
            return False
        if token.kind == "currency" or token.marked:
            return True
    return False


def _is_open_ended(after: Token, two_after: Token) -> bool:
    if after.text == "+" and not after.spaced:
        return two_after.kind != "number" or two_after.spaced
    return after.kind in ("link", "list") and bool(_AND_OLDER.fullmatch(two_after.text.lower()))


def is_counted(tokens: list[Token], last: int) -> bool:
    """Tell the number that ends at ``last`` from a price by what is counted: "2 days", "3-Gang".

    Beside a price, this is surer than ``counts_things``, as in "CHF 20 / 15 AHV".
    """
    number, after, two_after, three_after = (*tokens[last : last + 4], tokens[-1])[:4]
    if after.kind == "dash":
        return not after.spaced and two_after.kind == "word" and not two_after.spaced
    if _FOR.fullmatch(after.text.lower()):
        return "currency" in (two_after.kind, three_after.kind)
    if after.kind == "word" and (number.text == "1" or _THINGS.fullmatch(after.text.lower())):
        return True
    return after.kind == "unit"


def counts_things(tokens: list[Token], last: int) -> bool:
    """Tell the number that ends at ``last`` from a price by what follows: "2 drinks", "3-Gang"."""
    after, two_after = tokens[last + 1 : last + 3]
    if after.kind == "dash":
        return two_after.kind == "word" and not two_after.spaced
    return after.kind in ("word", "free", "currency") or after.text == ":"
