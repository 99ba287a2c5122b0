"""The table of events at the desk: search, filters, states, and changes of several at once."""
