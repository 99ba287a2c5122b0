"""The demo calendars of the two shipped deployments."""
