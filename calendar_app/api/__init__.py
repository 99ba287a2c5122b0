"""The REST interface: HTTP, resources, and records as JSON."""
