"""After random histories, the author and reviewer of each text agree with a plain model.

``make test-ledger`` runs 2,000 histories; ``make test`` runs some of them.
"""

import os
from itertools import count
from random import Random

import pytest
from property.ledger_model import MACHINE, MEMORY, Model

pytestmark = pytest.mark.timeout(0)
HISTORIES = int(os.environ.get("LEDGER_HISTORIES", "10"))
LENGTH = 9
FIELDS = ("title", "excerpt")
EVENING = {"start_date": "2030-03-10 19:00:00", "end_date": "2030-03-10 22:00:00"}
# A long one, of which five letters are few, and one of which two are many.
WORDS = ("Concert dal chor en la chasa communala", "Festa")
MARKS = "0123456789"


class History:
    """One event, written by two people and by machines, and the model of it."""

    def __init__(self, seed, people, database):
        self.random = Random(seed)  # noqa: S311  # no secret
        self.people, self.database = people, database
        self.model, self.new = Model(), (f" {number:x}" for number in count(16))
        title = self.text()
        created = self.person.post("/events", **EVENING, variants={"de": {"title": title}})
        assert created.status_code == 201, created.json
        self.number = created.json["id"]
        self.path = f"/events/{self.number}"
        self.model.write("de", "title", title)
        self.model.remember(self.revision)

    @property
    def person(self):
        return self.random.choice(self.people)

    @property
    def revision(self):
        return self.database["events"].find_one({"_id": self.number})["revision"]

    def text(self):
        """Return a text that was not there before."""
        return self.random.choice(WORDS) + next(self.new)

    def changed(self, text):
        """Return a text with some letters changed, maybe none."""
        letters = list(text)
        for place in self.random.sample(
            range(len(letters)), self.random.randrange(min(8, len(letters)))
        ):
            letters[place] = self.random.choice(MARKS)
        return "".join(letters).strip() or "0"

    def field(self, *, existing=False):
        own = [name for name in FIELDS if name in self.model.texts["rm"]] if existing else FIELDS
        return self.random.choice(own) if own else None

    def send(self, texts, **ledger):
        body = {"variants": {"rm": texts}} if texts else {}
        answer = self.person.post(self.path, **body, **ledger)
        assert answer.status_code == 200, answer.json

    def write(self):
        name, text = self.field(), self.text()
        self.send({name: text})
        self.model.write("rm", name, text)

    def edit(self):
        if name := self.field(existing=True):
            stored = self.model.texts["rm"][name].text
            text = self.changed(stored)
            self.send({name: text})
            if text != stored:
                self.model.write("rm", name, text)

    def propose(self):
        """A job stores an unreviewed proposal."""
        name, text = self.field(), self.text()
        origin = self.random.choice((MACHINE, MEMORY))
        provenance = {"origin": origin, "by": "engine", "proposal": text, "reviewed": False}
        self.send({name: text}, translation_origin={"rm": {name: provenance}})
        self.model.store_proposal("rm", name, text, origin)

    def accept(self):
        name, proposal = self.field(), self.text()
        text, origin = self.changed(proposal), self.random.choice((MACHINE, MEMORY))
        provenance = {"origin": origin, "by": "engine", "proposal": proposal}
        self.send({name: text}, translation_origin={"rm": {name: provenance}})
        self.model.take_over("rm", name, proposal, text, origin)

    def accept_what_stands(self):
        name = self.field(existing=True)
        entry = name and self.model.texts["rm"][name]
        if entry and not entry.checked:
            provenance = {"origin": entry.origin, "by": "engine", "proposal": entry.text}
            self.send({name: entry.text}, translation_origin={"rm": {name: provenance}})
            self.model.check("rm", name, True)

    def outdate(self):
        """The source text changes; the ledger of its translations stays."""
        text = self.text()
        answer = self.person.post(self.path, variants={"de": {"title": text}})
        assert answer.status_code == 200, answer.json
        self.model.write("de", "title", text)

    def review(self):
        if name := self.field(existing=True):
            is_checked = self.random.random() < 0.7
            self.send({}, translation_reviewed={"rm": {name: is_checked}})
            self.model.check("rm", name, is_checked)

    def review_all(self):
        if self.model.texts["rm"]:
            self.send({}, translation_reviewed={"rm": True})
            for name in self.model.texts["rm"]:
                self.model.check("rm", name, True)

    def claim(self):
        """Somebody claims that a person wrote the current text."""
        if name := self.field(existing=True):
            self.send({}, translation_origin={"rm": {name: "human"}})
            self.model.claim("rm", name)

    def clear(self):
        """A text is cleared; titles cannot be empty."""
        if "excerpt" in self.model.texts["rm"]:
            self.send({"excerpt": None})
            self.model.clear("rm", "excerpt")

    def remove_language(self):
        if self.model.texts["rm"]:
            query = {"translation_language": "rm", "translation_only": True}
            assert self.person.delete(self.path, **query).status_code == 200
            self.model.remove("rm")

    def restore(self):
        revision = self.random.choice(sorted(self.model.states))
        answer = self.person.post(f"{self.path}/history/{revision}/restore")
        assert answer.status_code == 200, answer.json
        self.model.restore(revision)

    STEPS = (
        *(write, edit, edit, propose, propose, accept, accept, accept_what_stands, outdate),
        *(review, review_all, claim, clear, remove_language, restore, restore),
    )

    def run(self):
        """Take random steps, and compare the API with the model after each."""
        steps = []
        for _ in range(LENGTH):
            step = self.random.choice(self.STEPS)
            step(self)
            steps.append(step.__name__)
            self.model.remember(self.revision)
            self.compare(steps)

    def compare(self, steps):
        read = self.people[0].get(self.path, translation_language="all").json
        origins = {
            tag: {
                name: {part: entry[part] for part in ("origin", "reviewed")}
                for name, entry in own.items()
            }
            for tag, own in read["text_origins"].items()
        }
        assert origins == self.model.entries(), steps
        for tag in ("de", "rm"):
            own = read["translations"][tag]
            if self.model.texts[tag]:
                summary = {name: own[name] for name in ("origin", "reviewed")}
                assert summary == self.model.summary(tag), (tag, steps)


@pytest.mark.parametrize("part", range(4))
def test_ledger_agrees_with_the_model(as_editor, as_admin, database, part):
    for seed in range(part, HISTORIES, 4):
        History(seed, (as_editor, as_admin), database).run()
