"""A multilingual calendar of public events, its venues, organizers, categories and tags."""
