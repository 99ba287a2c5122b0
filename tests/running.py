"""How tests are run: on which databases, by which worker, and whether they are traced."""

import pytest
from coverage import Coverage


def pytest_generate_tests(metafunc):
    """Run tests with a database on mongomock and MongoDB, unless marked."""
    if "database" in metafunc.fixturenames:
        metafunc.parametrize("database", _databases(metafunc.definition), indirect=True)


def _databases(test):
    if test.get_closest_marker("needs_mongodb"):
        return ["mongodb"]
    if test.get_closest_marker("without_mongodb"):
        return ["mongomock"]
    return [pytest.param("mongomock", marks=pytest.mark.untraced), "mongodb"]


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item):
    """Measure no coverage of untraced tests, which would take half as long again."""
    tracing = Coverage.current() if item.get_closest_marker("untraced") else None
    if tracing is None:
        return (yield)
    tracing.stop()
    try:
        return (yield)
    finally:
        tracing.start()
