"""WSGI middleware: each request passes it."""
