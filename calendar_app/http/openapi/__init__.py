"""The interface in its own words: the OpenAPI document and its pages."""
