"""Answers, and the headers that go along."""
