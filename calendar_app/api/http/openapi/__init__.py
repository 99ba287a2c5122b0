"""The OpenAPI document, its page, and the route index."""
