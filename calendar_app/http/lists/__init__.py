"""The parameters and pages of lists."""
