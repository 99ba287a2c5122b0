"""Contributions by people without an account."""
