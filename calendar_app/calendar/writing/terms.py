"""The places of terms: names that are taken once, and categories below others.

Each category also keeps the ids of all its ``ancestors``, so that one look-up finds all
descendants of a category, and moving one rewrites categories but never events.
"""

from calendar_app.calendar.writing.parents import Parents
from calendar_app.content.composing import name_key
from calendar_app.domain.kind import Kind, Record
from calendar_app.domain.slugs import slugify
from calendar_app.errors import InvalidParameters, Message, TermExists
from calendar_app.mongo.store import Store
from calendar_app.query.clauses import all_of, differs, equals

# MongoDB wants to be told how many, if it is told where to begin.
_ALL = 2**31 - 1


class Terms:
    """Validates names and ancestors of terms."""

    def __init__(self, store: Store, parents: Parents) -> None:
        self._store = store
        self._parents = parents

    def place(self, kind: Kind, record: Record, changes: Record) -> None:
        """Set the ancestors of a term that gets a parent, and refuse a name that is taken."""
        if kind.has_status:
            return
        if "parent" in changes and kind.is_hierarchical:
            record["parent"] = changes["parent"] or 0
            record["ancestors"] = self._ancestors(kind, record)
        if not record.get("revision"):
            self._refuse_second(kind, record, changes)

    def follow(self, kind: Kind, before: Record, after: Record) -> None:
        """Let the descendants of a category that moved keep their ancestors in step."""
        if before.get("ancestors") == after.get("ancestors"):
            return
        self._replace_above(kind, after, len(before["ancestors"]))

    def lift_children(self, kind: Kind, record: Record) -> None:
        """Move the children of a category to its parent."""
        lifted = {"$set": {"parent": record["parent"]}}
        self._store.of(kind).change_all(equals("parent", record["_id"]), lifted)
        self._replace_above(kind, record, len(record["ancestors"]) + 1)

    def _replace_above(self, kind: Kind, record: Record, number: int) -> None:
        """Let all below a category have its ancestors in place of so many that they had first."""
        rest = {"$slice": ["$ancestors", number, _ALL]}
        above = {"$concatArrays": [record["ancestors"], rest]}
        below = equals("ancestors", record["_id"])
        self._store.of(kind).change_all(below, [{"$set": {"ancestors": above}}])

    def _ancestors(self, kind: Kind, record: Record) -> list[int]:
        """Return the ids above the record, the topmost first."""
        if not record["parent"]:
            return []
        parent = self._parents.parent(kind.name, record["parent"], "ancestors")
        if parent is None:
            raise InvalidParameters(
                {"parent": Message("There is no such {kind}.", kind="category")}
            )
        above = [*parent["ancestors"], parent["_id"]]
        if record["_id"] in above:
            raise InvalidParameters({"parent": Message("A category cannot be below itself.")})
        return above

    def _refuse_second(self, kind: Kind, record: Record, changes: Record) -> None:
        """Refuse a new term of a name that its place already has, unless it brings a slug."""
        for language, texts in record["variants"].items():
            slug = slugify(changes["variants"][language].get("slug") or "")
            if slug or not texts.get(kind.label):
                continue
            clauses = [equals("names", name_key(language, texts[kind.label]))]
            if kind.is_hierarchical:
                clauses.append(equals("parent", record["parent"]))
            namesake = self._store.of(kind).first(
                all_of([*clauses, differs("_id", record["_id"])]), ["_id"]
            )
            if namesake is not None:
                raise TermExists(kind.singular, namesake["_id"])
