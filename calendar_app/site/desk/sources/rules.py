"""The rules of a source in its form: added, moved and removed there, also without scripts."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from werkzeug.datastructures import MultiDict

from calendar_app.domain.kind import Record
from calendar_app.domain.numbers import parse_digits
from calendar_app.domain.statuses import DRAFT, PENDING, PUBLISH
from calendar_app.errors import InvalidParameters, Message
from calendar_app.sources.rules import PICTURE, PLACE, TEXT

RULES = "rules"
HAS, LACKS, LEAVE_OUT, YES, NO = "has", "lacks", "leave_out", "yes", "no"
ADD, REMOVE, EARLIER, LATER = "add", "remove", "earlier", "later"
_TAXONOMIES = ("categories", "tags")
_CONDITIONS = ("categories", "words", "places")
PART_NAMES: Mapping[str, Message] = {
    PICTURE: Message("Picture"),
    PLACE: Message("Place"),
    TEXT: Message("Description"),
}
PART_STATES = (
    ("", Message("does not matter")),
    (HAS, Message("is there")),
    (LACKS, Message("is missing")),
)
OUTCOMES = (
    ("", Message("as all others")),
    (DRAFT, Message("as drafts")),
    (PENDING, Message("as pending ones")),
    (PUBLISH, Message("published")),
    (LEAVE_OUT, Message("not at all")),
)
FEATURED = (("", Message("as usual")), (YES, Message("yes")), (NO, Message("no")))
# The controls of one rule, or of all, by the number of the rule.
RuleValues = dict[str, Any]
RulesValues = dict[str, RuleValues]
# Returns the names of terms by their ids, and the ids by the names that are known.
NamesOf = Callable[[str, Sequence[int]], Mapping[int, str]]
IdsOf = Callable[[str, Sequence[str]], Mapping[str, int]]
_EMPTY: RuleValues = {
    **dict.fromkeys((*_CONDITIONS, "outcome", "then.categories", "then.tags", "featured"), ""),
    "parts": {},
}


def stored_rules(rules: Sequence[Mapping[str, Any]], names_of: NamesOf) -> RulesValues:
    """Return the controls of stored rules."""
    return _numbered([_stored_rule(each["if"], each["then"], names_of) for each in rules])


def _stored_rule(
    conditions: Mapping[str, Any], then: Mapping[str, Any], names_of: NamesOf
) -> RuleValues:
    terms = {}
    for taxonomy in _TAXONOMIES:
        ids = then.get(taxonomy, ())
        names = names_of(taxonomy, ids)
        terms[f"then.{taxonomy}"] = ", ".join(names.get(each, f"#{each}") for each in ids)
    return _EMPTY | {
        **{name: ", ".join(conditions.get(name, ())) for name in _CONDITIONS},
        "parts": {part: side for side in (HAS, LACKS) for part in conditions.get(side, ())},
        "outcome": LEAVE_OUT if then.get("leave_out") else then.get("status", ""),
        **terms,
        "featured": (YES if then["featured"] else NO) if "featured" in then else "",
    }


def sent_rules(form: MultiDict[str, str]) -> RulesValues:
    """Return the controls of the rules of a form that was sent."""
    rules = []
    for number in form.getlist("rule"):
        before = f"{RULES}.{number}."
        values = {name: form.get(before + name, "").strip() for name in _EMPTY if name != "parts"}
        prefix = f"{before}parts."
        parts = {name.removeprefix(prefix): form[name] for name in form if name.startswith(prefix)}
        rules.append(values | {"parts": {part: side for part, side in parts.items() if side}})
    return _numbered(rules)


def pressed_rules(rules: RulesValues, press: str) -> tuple[RulesValues, str]:
    """Return the rules after a press of one of their buttons, and which rule gets the focus."""
    action, _, number = press.partition(" ")
    ordered, place = list(rules.values()), parse_digits(number) or 0
    if action == ADD:
        return _numbered([*ordered, _EMPTY]), str(len(ordered))
    if place >= len(ordered):
        return rules, number
    rule = ordered.pop(place)
    if action == REMOVE:
        return _numbered(ordered), str(min(place, len(ordered) - 1))
    place = max(0, place - 1) if action == EARLIER else place + 1
    ordered.insert(place, rule)
    return _numbered(ordered), str(min(place, len(ordered) - 1))


def rules_of(rules: RulesValues, ids_of: IdsOf) -> list[Record]:
    """Return the rules that controls make; raise ``InvalidParameters`` for unknown terms."""
    return [_rule_of(number, rule, ids_of) for number, rule in enumerate(rules.values(), 1)]


def _rule_of(number: int, rule: RuleValues, ids_of: IdsOf) -> Record:
    conditions: Record = {name: _listed(rule[name]) for name in _CONDITIONS}
    for side in (HAS, LACKS):
        conditions[side] = [part for part, chosen in rule["parts"].items() if chosen == side]
    then: Record = {}
    for taxonomy in _TAXONOMIES:
        names = _listed(rule[f"then.{taxonomy}"])
        ids = ids_of(taxonomy, names)
        if unknown := next((name for name in names if name not in ids), ""):
            reason = Message(
                "Rule {number}: nothing here is called «{text}».", number=number, text=unknown
            )
            raise InvalidParameters({RULES: reason})
        then[taxonomy] = [ids[name] for name in names]
    leaves_out = rule["outcome"] == LEAVE_OUT
    status = "" if leaves_out else rule["outcome"]
    then |= {"status": status, "leave_out": leaves_out or None}
    then["featured"] = {YES: True, NO: False}.get(rule["featured"])
    return {
        "if": {name: value for name, value in conditions.items() if value},
        "then": {name: value for name, value in then.items() if value not in ("", None, [])},
    }


def _listed(text: str) -> list[str]:
    return [each.strip() for each in text.split(",") if each.strip()]


def _numbered(rules: Sequence[RuleValues]) -> RulesValues:
    return {str(place): rule for place, rule in enumerate(rules)}
