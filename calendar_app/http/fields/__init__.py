"""What clients send: fields that take it, and make changes of it."""
