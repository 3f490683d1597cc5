"""The camera of the table: which one, the thread that reads it, and the teaching of a deck."""
