"""The HTTP layer that all REST resources share: requests, fields, responses, errors, OpenAPI."""
