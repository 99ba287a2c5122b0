"""Callbacks of tests after each command to MongoDB, in its thread."""

from threading import local

from pymongo import monitoring


class CommandsHeard(monitoring.CommandListener):
    """Tells those in ``hearers`` of each command that has succeeded: its name, and to what."""

    def __init__(self):
        self.hearers = []
        self._sent = local()

    def started(self, event):
        self._sent.command = (event.command_name, event.command[event.command_name])

    def succeeded(self, event):
        del event
        for hear in tuple(self.hearers):
            hear(*self._sent.command)

    def failed(self, event):
        """Nothing is told of failures."""


COMMANDS = CommandsHeard()
# Only clients that are made from now on are heard.
monitoring.register(COMMANDS)
