"""A plain model of the ledger, from ``docs/explanation/who-wrote-it.md`` alone."""

from copy import deepcopy
from dataclasses import dataclass, replace

PEOPLE, MACHINE, MEMORY = "human", "machine", "memory"


@dataclass(frozen=True)
class Entry:
    """A text, who wrote it, whether somebody has checked it, and how far it was corrected."""

    text: str
    origin: str = PEOPLE
    checked: bool = True
    corrected: int = 0


def distance(text, target):
    """Count the characters to be changed, added or left out, by the table of the textbook."""
    row = list(range(len(target) + 1))
    for above, letter in enumerate(text, 1):
        diagonal, row[0] = row[0], above
        for column, own in enumerate(target, 1):
            step = min(row[column] + 1, row[column - 1] + 1, diagonal + (letter != own))
            diagonal, row[column] = row[column], step
    return row[-1]


def corrected(entry, text):
    """Return the entry of a proposal after a person has read and corrected it."""
    number = entry.corrected + distance(entry.text, text)
    few = min(5, max(1, len(entry.text) // 4))
    if number > few:
        return Entry(text)
    return replace(entry, text=text, checked=True, corrected=number)


class Model:
    """The texts of a record by language and field, with all states that it had by revision."""

    def __init__(self):
        self.texts = {"de": {}, "rm": {}}
        self.states = {}

    def write(self, tag, field, text):
        entry = self.texts[tag].get(field)
        is_proposal = entry and entry.origin in (MACHINE, MEMORY)
        self.texts[tag][field] = corrected(entry, text) if is_proposal else Entry(text)

    def store_proposal(self, tag, field, text, origin):
        self.texts[tag][field] = Entry(text, origin, checked=False)

    def take_over(self, tag, field, proposal, text, origin):
        self.texts[tag][field] = corrected(Entry(proposal, origin, checked=False), text)

    def check(self, tag, field, is_checked):
        entry = self.texts[tag].get(field)
        if entry and entry.origin in (MACHINE, MEMORY):
            self.texts[tag][field] = replace(entry, checked=is_checked)

    def claim(self, tag, field):
        self.texts[tag][field] = Entry(self.texts[tag][field].text)

    def clear(self, tag, field):
        del self.texts[tag][field]

    def remove(self, tag):
        self.texts[tag] = {}

    def remember(self, revision):
        self.states[revision] = deepcopy(self.texts)

    def restore(self, revision):
        self.texts = deepcopy(self.states[revision])

    def entries(self):
        """Return the origin and review of each text, in the form of the API."""
        return {
            tag: {n: {"origin": e.origin, "reviewed": e.checked} for n, e in fields.items()}
            for tag, fields in self.texts.items()
            if fields
        }

    def summary(self, tag):
        """Return the origin and review of a language, in the form of the API."""
        entries = self.texts[tag].values()
        by_machine = [each.origin == MACHINE for each in entries]
        origin = PEOPLE
        if any(by_machine):
            origin = MACHINE if all(by_machine) else "mixed"
        return {"origin": origin, "reviewed": all(each.checked for each in entries)}
