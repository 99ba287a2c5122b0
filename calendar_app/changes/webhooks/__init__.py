"""Webhooks: receivers that are sent the changes of the calendar, signed, and again if need be."""
