"""How tests are run: on which databases, by which worker, and whether they are traced."""

import pytest
from coverage import Coverage


def pytest_generate_tests(metafunc):
    """Run what asks for a database on both, and what mongomock cannot do on the real one alone."""
    if "database" in metafunc.fixturenames:
        real_only = metafunc.definition.get_closest_marker("needs_mongodb")
        simulated = [] if real_only else [pytest.param("mongomock", marks=pytest.mark.untraced)]
        metafunc.parametrize("database", [*simulated, "mongodb"], indirect=True)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item):
    """Trace no line of what says little new and would take half as long again."""
    tracing = Coverage.current() if item.get_closest_marker("untraced") else None
    if tracing is None:
        return (yield)
    tracing.stop()
    try:
        return (yield)
    finally:
        tracing.start()
