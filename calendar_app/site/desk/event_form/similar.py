"""Events that a new one may repeat, shown while its title, day and place are typed."""

from collections.abc import Sequence
from datetime import datetime

from calendar_app.accounts.policy import readable_by
from calendar_app.api.http.request import current
from calendar_app.domain.kind import Record
from calendar_app.domain.numbers import parse_digits
from calendar_app.site.desk.entries import Neighbor, neighbor
from calendar_app.site.desk.event_form.fields import control_in
from calendar_app.site.desk.event_form.times import Notation
from calendar_app.site.pages.forms import ControlValues

_UNSTORED = 0


def similar_events(
    values: ControlValues, languages: Sequence[str], how: Notation
) -> list[Neighbor]:
    """Return the events most like the one of a form, as far as its writer may read them."""
    context = current.context()
    written = _written(values, languages, how)
    if written is None:
        return []
    similar = context.services.similar_events.similar_to([written], readable_by(context.caller))
    return [neighbor(each) for each in similar[_UNSTORED]]


def _written(values: ControlValues, languages: Sequence[str], how: Notation) -> Record | None:
    """Return title, day and place of a form; ``None`` without a title or a day."""
    titles = {tag: values[control_in("title", tag, languages)].strip() for tag in languages}
    try:
        start = datetime.fromisoformat(how.moment(values.get("start_date", ""), ""))
    except ValueError:
        return None
    if not any(titles.values()):
        return None
    return {
        "_id": _UNSTORED,
        "start_local": start,
        "venues": [number for number in map(parse_digits, values["venue"]) if number],
        "variants": {tag: {"title": title} for tag, title in titles.items() if title},
    }
