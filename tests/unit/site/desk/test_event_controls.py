"""The form of events has a control for each field of the interface."""

from calendar_app.api.resources.events.schemas import EventChangeSchema
from calendar_app.site.desk.event_form.fields import FIELDS, LABELS

# The address names the language, other controls the rest; translations have pages of their own.
ELSEWHERE = {
    *("variants", "translated_from", "translation_status", "translation_origin"),
    *("translation_reviewed", "date_utc", "scope", "force"),
}


def test_every_writable_field_has_a_control_with_a_label():
    assert set(FIELDS) == set(EventChangeSchema().fields) - ELSEWHERE
    controls = {control for each in FIELDS.values() for control in each.controls}
    assert set(FIELDS) <= set(LABELS)
    assert {name.partition("[")[0] for name in LABELS} <= controls | set(FIELDS)
