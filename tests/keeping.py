"""Fixtures whose records are created once for a file, and stored again for its other tests."""

from inspect import Parameter, signature

import pytest


def kept(function):
    """Declare a fixture that fills an empty MongoDB, as the first record of a test.

    It runs for the first test of a file. The others get back what it returned and what it stored,
    which takes a tenth of the time of as many requests. Nothing but records may come of it. On
    mongomock it runs for each test.
    """

    def give(_keep, **fixtures):
        return _keep(function.__name__, lambda: function(**fixtures))

    asked = signature(function)
    keeping = Parameter("_keep", Parameter.POSITIONAL_OR_KEYWORD)
    give.__signature__ = asked.replace(parameters=[keeping, *asked.parameters.values()])
    give.__doc__ = function.__doc__
    return pytest.fixture(name=function.__name__)(give)
