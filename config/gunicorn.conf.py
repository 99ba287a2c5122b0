"""How gunicorn runs the service: ``gunicorn -c config/gunicorn.conf.py wsgi:app``."""

import os
from pathlib import Path

from calendar_app.cli.gunicorn_hooks import on_exit, on_starting, post_fork, post_worker_init
from calendar_app.server.log_stream import detach_log

__all__ = ["on_exit", "on_starting", "post_fork", "post_worker_init"]

# Before gunicorn opens its log.
detach_log()

bind = "127.0.0.1:8000"
workers = int(os.environ.get("WEB_CONCURRENCY", "2"))
# A thread waits for the database while another one computes, and keeps idle connections.
worker_class = "calendar_app.server.gunicorn_worker.AnsweringWorker"
threads = 32
keepalive = 15

# Each worker imports the application itself, so that SIGHUP brings new settings.
preload_app = False

# A worker that answers nothing for so many seconds is replaced.
timeout = 60
graceful_timeout = 20

# Long lists of ids and names in a query are fine.
limit_request_line = 8190
limit_request_fields = 64
limit_request_field_size = 8190

# Which proxies are trusted is a setting of ours, trusted_proxies.
forwarded_allow_ips = ""

# The application writes a line of JSON a request itself; of gunicorn only trouble is told.
accesslog = None
loglevel = "warning"

# The heartbeat of the workers must not wait for a disk.
_MEMORY = "/dev/shm"  # noqa: S108 - gunicorn makes a private file there
worker_tmp_dir = _MEMORY if Path(_MEMORY).is_dir() else None
control_socket_disable = True
