"""Routes and URL forms for clients of WordPress."""
