"""How records are shown, and the shapes that all kinds have in common."""
