"""Runs the application: a master, its workers, and HTTP."""
