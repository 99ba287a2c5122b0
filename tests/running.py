"""The databases that tests run on."""


def pytest_generate_tests(metafunc):
    """Give tests with a database MongoDB, unless marked; unit tests mongomock."""
    if "database" in metafunc.fixturenames:
        metafunc.parametrize("database", _databases(metafunc.definition), indirect=True)


def _databases(test):
    if test.get_closest_marker("smoke"):
        return ["mongomock", "mongodb"]
    is_unit = test.path.is_relative_to(test.config.rootpath / "tests/unit")
    return ["mongomock" if is_unit or test.get_closest_marker("without_mongodb") else "mongodb"]
