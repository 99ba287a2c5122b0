"""Make targets whose files have changed since they passed: ``scripts/when_changed.py docs-check``.

``.ci/passed`` has for each target a digest of all files that count for it, as they were when it
last passed. Whoever makes a target with this command writes it there, and commits it with the
change. So a target is left out only where it has passed with the very same files. With ``--all``
every target is made, as before a release; so it is where git cannot tell the files.
"""

import argparse
import hashlib
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

ROOT = Path(__file__).parents[1]
PASSED = ROOT / ".ci" / "passed"
_TESTS_OF_THE_SERVICE = (
    *("tests/api", "tests/contract", "tests/integration", "tests/plans", "tests/processes"),
    *("tests/property", "tests/region", "tests/unit"),
)
_PROSE = ("CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md", "changes", ".github")
# The code of the service and its texts, without the pages' templates and static files.
_SERVICE = ("calendar_app/*.py", "calendar_app/locale")
# By target the files that do not count. All others do, so that a new folder counts too. Benchmarks
# run as they themselves change: types tell whether their calls of the service still fit.
UNREAD: Mapping[str, Sequence[str]] = {
    "test-benchmarks": (
        *_PROSE,
        *_TESTS_OF_THE_SERVICE,
        *_SERVICE,
        *("README.md", "clients", "docs", "examples"),
        *("tests/browser", "tests/clients", "tests/docs_check"),
    ),
    "docs": (
        *(".github", "benchmarks", "changes", "tests"),
        *_SERVICE,
    ),
    "docs-check": (
        *_PROSE,
        *_TESTS_OF_THE_SERVICE,
        *("tests/benchmarks", "tests/browser"),
    ),
    "test-plugin": (
        *_PROSE,
        *_TESTS_OF_THE_SERVICE,
        *("README.md", "benchmarks", "clients", "docs"),
        *("tests/benchmarks", "tests/browser", "tests/clients", "tests/docs_check"),
    ),
    "test-clients": (
        *_PROSE,
        *_TESTS_OF_THE_SERVICE,
        *("README.md", "benchmarks", "docs", "tests/benchmarks", "tests/browser"),
        "tests/docs_check",
    ),
    # Its fixtures take from those of other tests.
    "test-browser": (
        *_PROSE,
        *("README.md", "benchmarks", "clients", "docs/how-to", "docs/reference", "docs/tutorial"),
        *("examples", "tests/benchmarks", "tests/clients", "tests/docs_check"),
        *("tests/contract", "tests/plans", "tests/property", "tests/region", "tests/unit"),
        *(f"tests/{each}/test_*.py" for each in ("api/*", "integration", "processes")),
    ),
}


def digest_of(target: str) -> str | None:
    """Return a digest of the files that a target may read; ``None`` where git cannot tell them."""
    unread = (f":(exclude){path}" for path in (*UNREAD[target], str(PASSED.relative_to(ROOT))))
    listing = ("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard")
    try:
        listed = subprocess.run(  # noqa: S603 - the paths are our own
            [*listing, "--", ".", *unread], cwd=ROOT, capture_output=True, check=False
        )
    except FileNotFoundError:
        return None
    names = sorted(set(listed.stdout.split(b"\0")) - {b""})
    if listed.returncode or not names:
        return None
    digest = hashlib.sha256()
    for name in names:
        file = ROOT / name.decode()
        if file.is_file():
            state = f"{bool(file.stat().st_mode & 0o100)} {file.is_symlink()}"
            content = hashlib.sha256(file.read_bytes()).hexdigest()
            digest.update(b"%s\0%s\0%s\n" % (name, state.encode(), content.encode()))
    return digest.hexdigest()


def passed() -> dict[str, str]:
    """Return the digests by target."""
    lines = PASSED.read_text(encoding="utf-8").splitlines() if PASSED.exists() else []
    return {name: digest for name, _, digest in (line.partition(" ") for line in lines)}


def make(target: str, *, always: bool) -> int:
    """Make a target unless it has passed with its files as they are; return the exit status."""
    before = digest_of(target)
    if not always and before and passed().get(target) == before:
        sys.stdout.write(f"make {target}: it has passed with the same files\n")
        return 0
    command = ("make", target)
    status = subprocess.run(command, cwd=ROOT, check=False).returncode  # noqa: S603 - of the table
    # What changed meanwhile was perhaps not read.
    if status == 0 and before and digest_of(target) == before:
        lines = [
            f"{name} {digest}" for name, digest in sorted({**passed(), target: before}.items())
        ]
        PASSED.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return status


def main() -> int:
    """Make the targets of the command line; the first that fails ends it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--all", action="store_true", help="make them all")
    parser.add_argument("targets", nargs="+", choices=sorted(UNREAD))
    options = parser.parse_args()
    return next(filter(None, (make(each, always=options.all) for each in options.targets)), 0)


if __name__ == "__main__":
    sys.exit(main())
