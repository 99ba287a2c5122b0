"""What the service does; every door (REST, import, command) comes through here."""
