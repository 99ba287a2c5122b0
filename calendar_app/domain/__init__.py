"""The rules of records: plain values, standard library only."""
