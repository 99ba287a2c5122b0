"""WSGI entry point: ``gunicorn -c config/gunicorn.conf.py wsgi:app``."""

import gc

from calendar_app.app import create_app
from calendar_app.server.log_stream import count_lost_lines, detach_log

detach_log()
count_lost_lines()
app = create_app()
# As in the workers of calendar-app serve.
gc.collect()
gc.freeze()
