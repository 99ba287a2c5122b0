"""The databases that tests run on."""

_DATABASES = {
    "smoke": ["mongomock", "mongodb"],
    "with_mongodb": ["mongodb"],
    "without_mongodb": ["mongomock"],
}


def pytest_generate_tests(metafunc):
    """Give tests with a database MongoDB, unless marked; unit tests mongomock."""
    if "database" in metafunc.fixturenames:
        metafunc.parametrize("database", _databases(metafunc.definition), indirect=True)


def _databases(test):
    is_unit = test.path.is_relative_to(test.config.rootpath / "tests/unit")
    usual = "without_mongodb" if is_unit else "with_mongodb"
    # The mark of a test comes before that of its file.
    return _DATABASES[next((m.name for m in test.iter_markers() if m.name in _DATABASES), usual)]
