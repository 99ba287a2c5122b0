"""Python runs as before when an import has ended, however it did."""

import gc
import sys

import pytest

from calendar_app.imports.interpreter import tuned_for_records


def state():
    return gc.get_threshold(), sys.getswitchinterval()


def test_python_runs_otherwise_during_an_import_alone():
    before = state()
    with tuned_for_records():
        during = state()
    assert state() == before != during


def test_python_runs_as_before_when_an_import_fails():
    before = state()
    with pytest.raises(ValueError, match="no page"), tuned_for_records():
        raise ValueError("no page")
    assert state() == before
