"""The history of records at the desk: saves, earlier states, and the trash."""
