"""TEC's JSON and schema.org's JSON-LD of read records."""
