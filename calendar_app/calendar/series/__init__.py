"""Series: recurring events, whose occurrences are events of their own."""
