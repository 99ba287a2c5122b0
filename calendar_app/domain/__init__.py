"""What a record is and the rules it follows: plain values, standard library only."""
