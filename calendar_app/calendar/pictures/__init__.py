"""Pictures: taken in, made smaller, and where they are shown."""
