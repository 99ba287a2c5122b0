"""Recurrences in words, in every language with a file of templates here."""
