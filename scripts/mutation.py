"""Change the rules by chance, one expression at a time, and list what no test notices.

Usage: mutation.py [--mutants 210] [--seed 1] [--least 90]
"""

import argparse
import json
import os
import random
import subprocess
import sys
from collections import Counter
from pathlib import Path

_TOOL = Path(sys.executable).with_name("mutmut")
_MUTANTS = Path("mutants")
_STATISTICS = _MUTANTS / "mutmut-stats.json"
# Of pytest: a test failed; of pytest: an error; of the tool: it took too long.
_KILLED = {1, 3, -24, 24, 36, 152}
# Of the tool, where pytest ended with 4: it could not begin, or knew no test of such a name.
_NOT_RUN = 255
# Of pytest, where files are named that are there: the mutant itself keeps them from being read.
_UNREADABLE = {2, 4}


def main() -> None:
    """Print the share of killed mutants by room; exit with 1 if it is too low."""
    options = _read_options()
    # A pattern that fits no mutant makes all of them and notes which tests call which function.
    _mutate(["none*"], check=False)
    if not _STATISTICS.exists():
        sys.exit("The tests fail even without a mutant.")
    tests_by_function = json.loads(_STATISTICS.read_text())["tests_by_mangled_function_name"]
    mutants = sorted(_exit_codes())
    chance = random.Random(options.seed)  # noqa: S311  # It guards nothing.
    sample = chance.sample(mutants, min(options.mutants, len(mutants)))
    tested = [name for name in sample if tests_by_function.get(_function_of(name))]
    _mutate(tested, check=True)
    codes = _exit_codes()
    survivors = sorted(
        name
        for name in sample
        if codes[name] not in _KILLED
        and not (
            codes[name] == _NOT_RUN
            and _is_killed_by_files(name, tests_by_function[_function_of(name)])
        )
    )
    _print_rooms(sample, survivors)
    killed = 100 * (1 - len(survivors) / len(sample))
    if killed < options.least:
        sys.exit(f"{killed:.1f} % are killed; {options.least:g} % are expected.")


def _mutate(names: list[str], *, check: bool) -> None:
    subprocess.run([_TOOL, "run", *names], check=check)  # noqa: S603  # Of our own environment.


def _read_options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--mutants", type=int, default=210)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--least", type=float, default=90, help="percent")
    return parser.parse_args()


def _exit_codes() -> dict[str, int | None]:
    """Return the last exit code of pytest by mutant; ``None`` for those that never ran."""
    return {
        name: code
        for file in _MUTANTS.rglob("*.meta")
        for name, code in json.loads(file.read_text())["exit_code_by_key"].items()
    }


def _is_killed_by_files(mutant: str, tests: list[str]) -> bool:
    """Run the whole files of tests, whose names pytest can always tell from their parameters."""
    files = sorted({test.partition("::")[0] for test in tests})
    run = subprocess.run(  # noqa: S603  # Of our own environment.
        [sys.executable, "-m", "pytest", "-x", "-q", "--rootdir=.", *files],
        cwd=_MUTANTS,
        env=os.environ | {"MUTANT_UNDER_TEST": mutant},
        check=False,
    )
    return run.returncode in _KILLED | _UNREADABLE


def _function_of(mutant: str) -> str:
    return mutant.partition("__mutmut_")[0]


def _print_rooms(sample: list[str], survivors: list[str]) -> None:
    made = Counter(name.split(".")[1] for name in sample)
    left = Counter(name.split(".")[1] for name in survivors)
    for room, number in sorted(made.items()):
        sys.stdout.write(f"{room:10} {number - left[room]:4} of {number:4} killed\n")
    sys.stdout.writelines(f"survived: {name}\n" for name in survivors)


if __name__ == "__main__":
    main()
