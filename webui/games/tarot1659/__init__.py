"""The page of the Tarot of 1659."""
