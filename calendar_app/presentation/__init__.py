"""TEC's JSON and schema.org's JSON-LD of what a caller reads."""
