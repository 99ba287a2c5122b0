"""Parameters and pages of lists."""
