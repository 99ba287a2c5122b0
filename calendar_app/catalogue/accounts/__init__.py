"""Users: who they are, and by what they are recognised."""
