"""The password of the protected event."""

SECRET = "Open sesame"
