"""Why a filter is refused, in the words of a page: fields by their labels, in every language."""

from calendar_app.errors import Message

# What readers call the filters that stand in messages under the names of the interface.
FILTER_NAMES = {
    "search": Message("Search"),
    "start_date": Message("From"),
    "end_date": Message("Until"),
    "starts_before": Message("Starts before"),
    "starts_after": Message("Starts after"),
    "ends_before": Message("Ends before"),
    "ends_after": Message("Ends after"),
    "overlaps_from": Message("Still on"),
    "overlaps_to": Message("Begun by"),
    "categories": Message("Categories"),
    "tags": Message("Tags"),
    "venue": Message("Venue"),
    "organizer": Message("Organizer"),
    "featured": Message("Recommended"),
    "attendance_mode": Message("Online"),
    "series": Message("Series"),
    "recurring": Message("Recurring events"),
    "first_in_series": Message("Each series once"),
    "fallback": Message("Only translated"),
    "page": Message("Page"),
}
# The messages of the interface that a filter can be refused with, for the catalogues of pages.
REFUSALS = (
    Message("Invalid parameter."),
    Message("One coordinate alone says nothing."),
    Message("The date lies outside the years 1 to 9999."),
    Message("The text has too many different words."),
    Message("The text is no date. Write it like 2030-01-31 19:30."),
    Message("There are too many values."),
    Message("There is no such day."),
    Message("This may be {most} characters long at most."),
    Message("There is no such time of day."),
    Message("There is no {kind} {id}."),
    Message("You may only ask for status=publish."),
    Message("fallback must be none or languages of the site."),
    Message("orderby=distance needs geoloc_lat and geoloc_lng."),
    Message("overlaps_to must lie after overlaps_from."),
    Message("search may be {most} characters long at most."),
    Message("search may hold {most} words at most."),
    Message("{name} is not of type {type}."),
    Message("{name} may name {most} records at most."),
    Message("{name} must be a text that is not empty."),
    Message("{name} must be a whole number above 0."),
    Message("{name} must be one of {words}."),
    Message("{name} must be west,south,east,north in degrees."),
    Message("{name} must hold ids."),
    Message("{name} must lie between {low} and {high}."),
    Message("{name} must name terms."),
)
KINDS = (
    Message("event"),
    Message("series"),
    Message("venue"),
    Message("organizer"),
    Message("category"),
    Message("tag"),
    Message("media"),
)
