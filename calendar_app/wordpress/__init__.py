"""Addresses that exist only for clients of WordPress."""
