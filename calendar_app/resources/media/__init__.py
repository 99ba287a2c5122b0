"""Pictures: upload, presentation, files."""
