"""What stands before the application: each request passes it."""
