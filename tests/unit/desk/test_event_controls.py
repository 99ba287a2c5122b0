"""The form of events has a control for each field of the interface."""

from calendar_app.desk.event_form.form import LABELS
from calendar_app.desk.event_form.values import CONTROLS
from calendar_app.resources.events.schemas import EventChangeSchema

# People write the time of a date into a field of its own.
TIMES = {"start_time", "end_time"}
# The address names the language, other controls the rest; translations have pages of their own.
ELSEWHERE = {"variants", "translated_from", "translation_status", "date_utc", "scope", "force"}


def test_every_writable_field_has_a_control_with_a_label():
    assert set(CONTROLS) == set(EventChangeSchema().fields) - ELSEWHERE
    controls = {control for each in CONTROLS.values() for control in each}
    assert set(CONTROLS) | TIMES <= set(LABELS)
    assert {name.partition("[")[0] for name in LABELS} <= controls | set(CONTROLS)
