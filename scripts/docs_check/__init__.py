"""``make docs-check``: does what README and docs tell a reader to do, in a copy of the project."""
