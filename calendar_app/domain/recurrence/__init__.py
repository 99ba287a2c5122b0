"""Events that recur: rules, extra dates and exceptions of RFC 5545, in the wall clock of a zone."""
