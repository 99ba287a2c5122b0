"""A server of the Model Context Protocol for a calendar of calendar-app."""

from calendar_mcp.server import calendar_server

__all__ = ["calendar_server"]
