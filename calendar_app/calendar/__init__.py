"""Use cases of the service, shared by REST, imports and commands."""
