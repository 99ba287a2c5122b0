"""Pictures: taken in, shown in other records, handed out as files."""
