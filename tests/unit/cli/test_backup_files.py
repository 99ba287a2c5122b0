"""A directory of backups keeps the last backup of each of some days."""

import pytest

from calendar_app.cli.backup_files import remove_superfluous, superfluous


def backup(day, hour=2, ending=""):
    return f"calendar-2030-03-{day:02}T{hour:02}3000Z.backup{ending}"


@pytest.mark.parametrize(
    ("names", "days", "expected"),
    [
        ([], 2, []),
        ([backup(1), backup(2)], 2, []),
        ([backup(3), backup(1), backup(2)], 2, [backup(1)]),
        # Nights without a backup cost no older one.
        ([backup(1), backup(20)], 2, []),
        # A container that starts again and again costs no earlier day.
        ([backup(1), backup(2, 2), backup(2, 9), backup(2, 10)], 2, [backup(2, 2), backup(2, 9)]),
        # An interrupted backup is left over, and may still run on the day of the last one.
        ([backup(1, 3, ".partial"), backup(2)], 2, [backup(1, 3, ".partial")]),
        ([backup(1), backup(2), backup(2, 3, ".partial")], 2, []),
        ([backup(1, 2, ".partial")], 1, []),
        # What somebody else put there is not ours.
        (["before-upgrade.backup", "calendar-2030-03-01.backup", f"my-{backup(1)}"], 1, []),
        ([backup(1, 2, ".gz"), backup(2)], 1, []),
    ],
)
def test_last_backup_of_each_day_is_kept(names, days, expected):
    assert superfluous(names, days) == expected


def test_backup_just_written_stays_whatever_a_wrong_clock_has_left(tmp_path):
    target = tmp_path / "calendar-2026-11-28T023000Z.backup"
    older = tmp_path / "calendar-2026-11-27T023000Z.backup"
    later = tmp_path / "calendar-2099-01-01T000000Z.backup"
    for file in (target, older, later):
        file.touch()
    (tmp_path / "calendar-2020-01-01T000000Z.backup").mkdir()
    assert remove_superfluous(target, 1) == [older.name]
    assert target.exists()
    assert later.exists()
