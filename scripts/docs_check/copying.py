"""Copies the project as somebody would get it who cloned it now."""

import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_NODE_MODULES = Path("tests/clients/node_modules")
_FILES = ("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard")


@contextmanager
def copied(root: Path) -> Iterator[Path]:
    """Lend a directory with the files that git has or would add, changes included."""
    listed = subprocess.run(_FILES, cwd=root, capture_output=True, text=True, check=True)  # noqa: S603 - the command is fixed
    with tempfile.TemporaryDirectory(prefix="docs-", ignore_cleanup_errors=True) as directory:
        clone = Path(directory) / "calendar"
        for name in filter(None, listed.stdout.split("\0")):
            if (root / name).is_file():
                target = clone / name
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(root / name, target)
        # What programs in TypeScript are compiled with, where it is installed.
        if (root / _NODE_MODULES).is_dir():
            (clone / "node_modules").symlink_to(root / _NODE_MODULES)
        yield clone
