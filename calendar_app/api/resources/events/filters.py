"""Parameters of the event list, one declaration each."""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, time, timedelta
from typing import Any

import marshmallow as ma

from calendar_app.accounts.callers import Caller, Right
from calendar_app.accounts.policy import editable_by, listed_for, restricted_places_of
from calendar_app.api.http.errors.problems import refuse, refuse_unknown
from calendar_app.api.http.fields.scalars import (
    Boolean,
    Converted,
    Flag,
    OneOf,
    PositiveInteger,
    SomeOf,
    Unvalidated,
    truthy,
)
from calendar_app.api.http.fields.schema import NamesRecords
from calendar_app.api.http.lists.filter_display import (
    FilterDisplay,
    FilterFacet,
    displayed,
    filter_displays,
)
from calendar_app.api.http.lists.filtering import (
    ExistingId,
    ExistingIds,
    ExistingTerms,
    Ids,
    ListSchema,
    ModifiedFilters,
    SearchText,
    StatusFilter,
    by,
)
from calendar_app.api.http.lists.geography import (
    circle_of,
    direction_of,
    distance_shown,
    from_point,
    geo_filters,
    near_clause,
)
from calendar_app.api.http.request.current import Context
from calendar_app.api.resources.events.participation import Age, SomeLanguages
from calendar_app.api.resources.events.provenance import PublisherFilter
from calendar_app.calendar.reading.event_lists import (
    ending_by,
    starting_after,
    starting_from,
    still_on,
)
from calendar_app.domain.cost import FREE_VALUES
from calendar_app.domain.kind import Record
from calendar_app.domain.kinds import CATEGORY, EVENT, ORGANIZER, SERIES, TAG, VENUE
from calendar_app.domain.moments import LAST_SECOND, day_bound, default_window, is_absolute
from calendar_app.domain.participation import ACCESSIBILITY
from calendar_app.domain.statuses import ATTENDANCE_MODES, EVENT_STATUSES, MIXED, ONLINE, USUAL
from calendar_app.domain.texts.participation_words import ACCESSIBILITY_WORDS
from calendar_app.errors import Message
from calendar_app.storage.query.clauses import (
    NOTHING,
    Clause,
    after,
    all_of,
    any_of,
    at_least,
    at_most,
    before,
    equals,
    given,
    missing,
    none_of,
    not_after,
    not_any,
    one_of,
    tagged,
    with_all,
)
from calendar_app.storage.query.geo import Circle
from calendar_app.storage.query.list_query import AnyOrder, ByDistance, ByRelevance, ByText

WINDOW = ("start_date", "end_date")
RELATIVE = (
    "starts_before",
    "starts_after",
    "ends_before",
    "ends_after",
    "overlaps_from",
    "overlaps_to",
)


# Words such as tomorrow are taken too, so that a program may not check them as date-time.
_DAY_OR_TIME = {"type": "string", "examples": ["2027-06-05", "2027-06-05 19:30:00", "tomorrow"]}


def _bound(*, opening: bool, **options: Any) -> Converted:
    """Return a field for a bound on the event's local time."""

    def read(value: Any, context: Context) -> Any:
        return day_bound(
            value,
            now=context.today() if is_absolute(value) else context.now(),
            zone=context.zone,
            strict=_strict(context),
            opening=opening,
        )

    return Converted(read, _DAY_OR_TIME, finds_locked=True, **options)


def _ending(day: datetime, _context: Context) -> Clause:
    return all_of([before("end_local", day), before("start_local", day)])


def _begun_by(day: datetime, context: Context) -> Clause:
    """Match events begun before a given time, or by the end of a given day."""
    return before("start_local", day) if _strict(context) else at_most("start_local", day)


def _strict(context: Context) -> bool:
    strict = context.parameters.get("strict_dates")
    return strict is not None and truthy(strict)


class DateFilters(ma.Schema):
    """Bounds on the times of events, on their own clocks."""

    start_date = _bound(
        opening=True,
        metadata=by(
            lambda day, _: starting_from(day),
            "Events that start then or later.",
            FilterDisplay(Message("From")),
        ),
    )
    end_date = _bound(
        opening=False,
        metadata=by(
            lambda day, _: ending_by(day),
            "Events that end then or earlier.",
            FilterDisplay(Message("Until")),
        ),
    )
    starts_before = _bound(
        opening=False,
        metadata=by(
            lambda day, _: before("start_local", day),
            "Events that start before.",
            FilterDisplay(Message("Starts before")),
        ),
    )
    starts_after = _bound(
        opening=False,
        metadata=by(
            lambda day, _: starting_after(day),
            "Events that start after.",
            FilterDisplay(Message("Starts after")),
        ),
    )
    ends_before = _bound(
        opening=False,
        metadata=by(_ending, "Events that end before.", FilterDisplay(Message("Ends before"))),
    )
    ends_after = _bound(
        opening=False,
        metadata=by(
            lambda day, _: after("end_local", day),
            "Events that end after.",
            FilterDisplay(Message("Ends after")),
        ),
    )
    overlaps_from = _bound(
        opening=True,
        metadata=by(
            lambda day, _: after("end_local", day),
            "Events that have not ended by then.",
            FilterDisplay(Message("Still on")),
        ),
    )
    overlaps_to = _bound(
        opening=False,
        metadata=by(
            _begun_by, "Events that have begun by then.", FilterDisplay(Message("Begun by"))
        ),
    )
    strict_dates = Boolean(
        metadata={
            "description": "true: filters use the exact times; false: whole days.",
            "type": "boolean",
            "default": False,
        },
        finds_locked=True,
    )


def _require_span(values: Record) -> None:
    """Refuse an ``overlaps_to`` that is not after ``overlaps_from``."""
    first, last = values.get("overlaps_from"), values.get("overlaps_to")
    if first and last and last <= first:
        reason = Message("overlaps_to must lie after overlaps_from.")
        raise ma.ValidationError({"overlaps_to": [reason]})


# The values of costs of which none is to be paid.
_ALL_FREE = [*([value] for value in FREE_VALUES), list(FREE_VALUES)]
_SWITCHED_ON = FilterFacet(choice="true")
_NO_SEARCH = Message("orderby=relevance needs search.")
_ONE_WAY = Message("order has no meaning with orderby=relevance.")
_NO_POINT = Message("orderby=distance needs geoloc_lat and geoloc_lng.")
_ORDERS = ("start_date", "end_date", "title", "modified", "id", "distance", "relevance")
_FIELDS = {
    "start_date": "start_local",
    "end_date": "end_local",
    "modified": "modified",
    "id": "_id",
}


def _by_relevance(values: Record, context: Context) -> ByRelevance:
    """Return the order of a search; days alone count, so that pages stay stable for a day."""
    if "search" not in values:
        raise ma.ValidationError({"orderby": [_NO_SEARCH]})
    if "order" in values:
        raise ma.ValidationError({"order": [_ONE_WAY]})
    midnight = context.today().replace(hour=0, minute=0, second=0, microsecond=0, tzinfo=None)
    return ByRelevance(midnight)


def _categories(ids: list[int], context: Context) -> Clause:
    return one_of("categories", context.reader.terms.with_descendants(CATEGORY, ids))


def _recurring(flag: bool, _context: Context) -> Clause:
    return after("series", 0) if flag else not_after("series", 0)


def _free(flag: bool, _context: Context) -> Clause:
    return one_of("cost.values", _ALL_FREE) if flag else none_of("cost.values", _ALL_FREE)


def _for_age(age: int, _context: Context) -> Clause:
    oldest = any_of([missing("audience.max_age"), at_least("audience.max_age", age)])
    return all_of([at_most("audience.min_age", age), oldest])


def _among(
    field: str,
    words: Sequence[str],
    description: str,
    display: FilterDisplay | None = None,
    **options: Any,
) -> SomeOf:
    """Return a filter on a field that documents omit if it has its default."""

    def clause(selected: list[str], _context: Context) -> Clause:
        if USUAL[field] in selected:
            return none_of(field, [word for word in words if word not in selected])
        return one_of(field, selected)

    return SomeOf(words, metadata=by(clause, description, display), **options)


class SourceFilter(PositiveInteger, NamesRecords):
    """Filters events by the calendar from which they come; editors only."""

    def read(self, value: Any, context: Context) -> int:
        if not context.caller.may(Right.EDIT):
            refuse("You may not ask for source.")
        return super().read(value, context)

    def resolve(self, value: int, context: Context) -> int:
        # Whoever may not manage sources learns nothing of which there are.
        is_known = context.services.sources.provenance.has(value)
        if not is_known and context.caller.may(Right.EDIT_OTHERS):
            refuse_unknown("source", value)
        return value


def _from_source(source_id: int, context: Context) -> Clause:
    """Match the events of a source that show it to the caller: those that may be edited."""
    editable = editable_by(context.caller)
    if editable == NOTHING:
        return NOTHING
    return all_of([context.services.sources.provenance.events_of(source_id), editable])


def _at_visible_point(clause: Callable[[str], Clause], context: Context) -> Clause:
    """Return a clause about the point that the caller may see."""
    restricted = restricted_places_of(context.caller)
    public = clause("location")
    if restricted == NOTHING:
        return public
    hidden = clause("restricted_place.location")
    return any_of([all_of([not_any([restricted]), public]), all_of([restricted, hidden])])


def _visible_point(caller: Caller) -> Mapping[str, Any] | None:
    """Return the expression of that point; ``None`` if it is the public one."""
    if restricted_places_of(caller) == NOTHING:
        return None
    author = {"$eq": ["$restricted_place.author", caller.id]}
    restricted = "$restricted_place" if caller.may(Right.EDIT_OTHERS) else author
    return {"$cond": [restricted, "$restricted_place.location", "$location"]}


class EventListSchema(DateFilters, ModifiedFilters, geo_filters(_at_visible_point), ListSchema):  # type: ignore[misc]  # made
    kind = EVENT

    search = SearchText(
        description="Words in title, description or excerpt.",
        metadata=displayed(FilterDisplay(Message("Search"))),
        finds_locked=True,
    )
    categories = ExistingTerms(
        CATEGORY,
        metadata=by(
            _categories,
            "In one of these categories, or below them.",
            FilterDisplay(Message("Categories"), FilterFacet("categories")),
        ),
    )
    tags = ExistingTerms(
        TAG,
        metadata=by(
            lambda ids, _: one_of("tags", ids),
            "With one of these tags.",
            FilterDisplay(Message("Tags"), FilterFacet("tags", apart=True)),
        ),
    )
    venue = ExistingIds(
        VENUE,
        metadata=by(
            lambda ids, _: one_of("venues", ids),
            "Held at one of these venues.",
            FilterDisplay(Message("Venue"), FilterFacet("venues", apart=True)),
        ),
    )
    organizer = ExistingIds(
        ORGANIZER,
        metadata=by(
            lambda ids, _: one_of("organizers", ids),
            "Held by one of these organizers.",
            FilterDisplay(Message("Organizer"), FilterFacet("organizers", apart=True)),
        ),
    )
    featured = Flag(
        metadata=by(
            lambda flag, _: equals("featured", flag),
            "true: only featured events; false: only the others.",
            FilterDisplay(Message("Recommended"), _SWITCHED_ON),
        )
    )
    ticketed = Flag(
        metadata=by(
            lambda flag, _: equals("ticketed", flag),
            "true: only events with tickets; false: only those without.",
        )
    )
    free = Flag(
        metadata=by(
            _free,
            "true: only free events; false: only the others.",
            FilterDisplay(Message("Free entry"), _SWITCHED_ON),
        )
    )
    event_status = _among(
        "event_status",
        EVENT_STATUSES,
        "Taking place as planned, canceled or postponed.",
        finds_locked=True,
    )
    attendance_mode = _among(
        "attendance_mode",
        ATTENDANCE_MODES,
        "Held in person, online, or both.",
        FilterDisplay(Message("Online"), FilterFacet(choice=f"{ONLINE},{MIXED}")),
    )
    accessibility = SomeOf(
        ACCESSIBILITY,
        metadata=by(
            lambda words, _: with_all("accessibility", words),
            "Accessible in all of these ways.",
            FilterDisplay(
                Message("Accessibility"),
                FilterFacet("accessibility", apart=True),
                ACCESSIBILITY_WORDS,
            ),
        ),
    )
    in_language = SomeLanguages(
        metadata=by(
            lambda tags, _: tagged("in_language", tags),
            "Held in one of these languages.",
            FilterDisplay(Message("Language of the event"), FilterFacet("in_language")),
        )
    )
    age = Age(
        metadata=by(
            _for_age,
            "Suitable for people of this age, according to the event.",
            FilterDisplay(Message("Age"), FilterFacet(clause=given("audience.min_age"))),
        )
    )
    status = StatusFilter()
    include = Ids(
        metadata=by(
            lambda ids, _: one_of("_id", ids), "Only the records with these ids; dates are ignored."
        ),
        finds_locked=True,
    )
    post_parent = ExistingId(
        EVENT,
        metadata=by(lambda number, _: equals("parent", number), "Only children of this event."),
    )
    series = ExistingIds(
        SERIES,
        metadata=by(
            lambda ids, _: one_of("series", ids),
            "Events of these series.",
            FilterDisplay(Message("Series")),
        ),
    )
    publisher = PublisherFilter()
    source = SourceFilter(metadata=by(_from_source, "Events that come from this source."))
    recurring = Flag(
        metadata=by(
            _recurring,
            "Events of series, or single ones.",
            FilterDisplay(Message("Recurring events"), _SWITCHED_ON),
        )
    )
    first_in_series = Flag(
        description="Only the first matching event of each series.",
        metadata=displayed(FilterDisplay(Message("Each series once"))),
    )
    orderby = OneOf(
        _ORDERS,
        description="The field to sort by.",
        metadata=displayed(FilterDisplay(chip=False)),
        finds_locked=True,
    )
    order = OneOf(
        ("asc", "desc", "ASC", "DESC"),
        description="The direction, `asc` or `desc`, in upper or lower case.",
        metadata={"enum": ["asc", "desc"], **displayed(FilterDisplay(chip=False))},
        finds_locked=True,
    )
    password = Unvalidated(
        description="Unlocks events that this password protects.", finds_locked=True
    )

    def completed(self, values: Record, context: Context) -> Record:
        """Add the bounds of the default window that the request leaves open."""
        _require_span(values)
        return values | self.default_bounds(values, context)

    def default_bounds(self, values: Record, context: Context) -> Record:
        """Return those bounds; none beside ``include`` and bounds of other names."""
        if "include" in values or any(name in values for name in RELATIVE):
            return {}
        window = default_window(context.today(), context.zone)
        bounds = dict(zip(WINDOW, window, strict=True))
        return {name: bound for name, bound in bounds.items() if name not in values}

    def clauses(self, values: Record, context: Context) -> dict[str, Clause]:
        """Return the clause of each filter; beside ``include`` dates do not count."""
        dates = (*WINDOW, *RELATIVE) if "include" in values else ()
        applicable = {name: value for name, value in values.items() if name not in dates}
        return {
            "": listed_for(context.caller, by_title=self.find_locked(values)),
            **super().clauses(applicable, context),
            "geoloc_lat": near_clause(values, _at_visible_point, context),
        }

    def circle(self, values: Record, context: Context) -> Circle | None:
        return None if context.caller.known else circle_of(values)

    def measured(self, values: Record, context: Context) -> ByDistance | None:
        return distance_shown(values, _visible_point(context.caller))

    def sorting(self, values: Record, context: Context) -> AnyOrder:
        """Return the requested order; ties by id."""
        direction = direction_of(values)
        match values.get("orderby", "start_date"):
            case "title":
                return ByText("title", context.chain, direction)
            case "distance":
                by_distance = from_point(values, direction, _visible_point(context.caller))
                if by_distance is None:
                    raise ma.ValidationError({"orderby": [_NO_POINT]})
                return by_distance
            case "relevance":
                return _by_relevance(values, context)
            case "id":
                return [("_id", direction)]
            case name:
                return [(_FIELDS[name], direction), ("_id", direction)]


def _still_on(moment: datetime, context: Context) -> Clause:
    """Match events that are still on then; of a day, those of the night to it are not."""
    if moment.time() != time.min:
        return after("end_local", moment)
    return still_on(moment, context.night_to(moment.date()))


def _over_by(moment: datetime, context: Context) -> Clause:
    """Match events that end before a time, or by the end of the night after a day."""
    if moment.time() != LAST_SECOND:
        return _ending(moment, context)
    midnight = moment + timedelta(seconds=1)
    ends = midnight + context.night_to(midnight.date())
    return all_of([at_most("end_local", ends), before("start_local", midnight)])


class EveningListSchema(EventListSchema):
    """Parameters of the list of events on pages, where the night belongs to the evening."""

    overlaps_from = _bound(
        opening=True,
        metadata=by(
            _still_on, "Events that have not ended by then.", FilterDisplay(Message("Still on"))
        ),
    )
    ends_before = _bound(
        opening=False,
        metadata=by(_over_by, "Events that end before.", FilterDisplay(Message("Ends before"))),
    )


FILTERS: Mapping[str, FilterDisplay] = filter_displays(EventListSchema())
