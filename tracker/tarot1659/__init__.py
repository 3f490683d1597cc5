"""The Tarot of 1659: antes and one pot, the fool that is kept and paid for, 4 to 6 players."""
