"""A worker loads no large library that few requests need."""

import subprocess
import sys

import pytest

LOADED = "import sys, calendar_app.server.worker, calendar_app.app; print(*sys.modules)"


@pytest.fixture(scope="module")
def loaded():
    command = [sys.executable, "-c", LOADED]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()


@pytest.mark.parametrize("library", ["authlib", "cryptography", "httpx", "joserfc", "tqdm"])
def test_worker_starts_without(library, loaded):
    assert library not in loaded


def test_pymongo_speaks_tls_by_python_itself(loaded):
    assert "pymongo.ssl_context" in loaded
