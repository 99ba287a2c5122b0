"""Webhooks at the desk, for administrators."""
