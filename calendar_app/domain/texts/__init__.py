"""Cleaning and building of texts before they are stored."""
