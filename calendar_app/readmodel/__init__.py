"""Records as one caller reads them, in one chain of languages."""
