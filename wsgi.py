"""WSGI entry point: ``gunicorn -c config/gunicorn.conf.py wsgi:app``."""

from calendar_app.app import create_app

app = create_app()
