"""Pages of the simple kinds: venues, organizers, categories, tags, pictures."""
