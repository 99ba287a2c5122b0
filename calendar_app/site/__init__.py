"""HTML: the pages for readers, and the desk for editors."""
