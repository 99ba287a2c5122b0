"""Reads of many records for feeds."""
