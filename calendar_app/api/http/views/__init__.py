"""The routes of records: in which order a request is checked, read and answered."""
