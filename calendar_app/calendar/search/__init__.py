"""Words: which of them records show, and how records are found by them."""
