"""Organizers."""
