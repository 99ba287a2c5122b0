"""What a request says: who asks, for what, in which language."""
