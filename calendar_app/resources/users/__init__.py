"""Users, for administrators."""
