"""What feeds and surveys read of many records at once."""
