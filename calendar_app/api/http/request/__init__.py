"""The request: caller, languages, parameters, addresses."""
