"""What a worker does with its memory once the application is there."""

import gc

import pytest

from calendar_app.server import process_memory


@pytest.fixture
def collecting():
    """Collect garbage afterwards as before."""
    yield
    gc.unfreeze()
    gc.enable()


@pytest.mark.usefixtures("collecting")
def test_what_is_there_is_not_looked_through_again():
    gc.disable()
    lasting = ["there"]
    process_memory.settle()
    assert gc.isenabled()
    assert not any(each is lasting for each in gc.get_objects())
