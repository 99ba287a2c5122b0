"""Make reports missing libraries before it starts."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
ALL = "\tlibcurl.so.4 (libc6,x86-64) => /lib/libcurl.so.4\n\tlibssl.so.3 (libc6,x86-64) => /lib"


def make(target, directory, libraries):
    """Run make with a linker that knows only ``libraries``."""
    ldconfig = directory / "ldconfig"
    ldconfig.write_text(f"#!/bin/sh\ncat <<'END'\n{libraries}\nEND\n")
    ldconfig.chmod(0o755)
    return subprocess.run(
        [shutil.which("make"), "-C", ROOT, target],
        env=os.environ | {"PATH": f"{directory}:{os.environ['PATH']}"},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize("target", ["run", "test"])
@pytest.mark.parametrize(
    ("library", "package"), [("libcurl.so.4", "libcurl4"), ("libssl.so.3", "libssl3")]
)
def test_a_missing_library_is_named_with_the_command_to_install_it(
    tmp_path, target, library, package
):
    present = "\n".join(line for line in ALL.splitlines() if library not in line)
    process = make(target, tmp_path, present)
    assert process.returncode != 0
    assert process.stderr.splitlines()[0].endswith(f"sudo apt-get install {package}")
    assert "install" not in process.stdout


def test_make_is_silent_with_all_libraries(tmp_path):
    process = make("libraries", tmp_path, ALL)
    assert process.returncode == 0
    assert process.stderr == ""


def test_clients_in_javascript_want_node_before_anything_else(tmp_path):
    process = subprocess.run(
        [shutil.which("make"), "-C", ROOT, "test-clients"],
        env=os.environ | {"PATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert process.returncode != 0
    assert process.stderr.splitlines()[0].endswith("sudo apt-get install nodejs npm")
    assert "pytest" not in process.stdout
