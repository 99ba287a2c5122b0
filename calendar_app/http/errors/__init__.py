"""What is answered where something is wrong."""
