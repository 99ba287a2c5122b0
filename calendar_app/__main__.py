"""``python -m calendar_app`` is ``calendar-app``."""

from calendar_app.cli import main

if __name__ == "__main__":
    main(prog_name="python -m calendar_app")
