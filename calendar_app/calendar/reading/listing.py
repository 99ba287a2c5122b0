"""Run the plan of a list: one page, and its total when somebody asks for it."""

from collections.abc import Sequence

from calendar_app.accounts.policy import Caller
from calendar_app.calendar.reading.planner import ListPlanner, Plan
from calendar_app.calendar.reading.text_order import TextOrders
from calendar_app.domain.kind import Kind, Record
from calendar_app.mongo.store import Store
from calendar_app.query.clauses import one_of
from calendar_app.query.list_query import ByText, Listing, Page
from calendar_app.query.words import as_shown


class Lists:
    """Answers lists."""

    def __init__(self, store: Store, planner: ListPlanner, orders: TextOrders) -> None:
        self._store = store
        self._planner = planner
        self._orders = orders

    def page(self, kind: Kind, listing: Listing, caller: Caller) -> Page:
        """Return one page, and the total."""
        window, records = listing.window, self._store.of(kind)
        ids = None
        if isinstance(listing.order, ByText):
            matches = self._planner.matches(kind, listing, caller)
            ids = self._orders.ids(kind, matches, listing.order)
        if ids is not None:
            page = self._by_ids(kind, ids[window.skip : window.skip + window.size])
            return Page(page, window, lambda: len(ids))
        plan = self._planner.plan(kind, listing, caller)
        page = []
        for stages in plan.pages:
            page = records.aggregate([*stages, {"$project": as_shown()}], **plan.options)
            if len(page) == window.size:
                break
        # A page that is not full tells the total.
        if 0 < len(page) < window.size or (not page and window.number == 1):
            total = window.skip + len(page)
            return Page(page, window, lambda: total)
        return Page(page, window, lambda: self._total(kind, plan))

    def _total(self, kind: Kind, plan: Plan) -> int:
        return self._store.total(kind, plan.matches, plan.total)

    def _by_ids(self, kind: Kind, ids: Sequence[int]) -> list[Record]:
        """Return the records with these ids, in this order."""
        records = self._store.of(kind).find(one_of("_id", ids), fields=as_shown())
        return sorted(records, key=lambda record: ids.index(record["_id"]))
