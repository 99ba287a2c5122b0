"""The memory of translations: what the calendar has said, and how it said it elsewhere."""
