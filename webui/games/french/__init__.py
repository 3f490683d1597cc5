"""The page of French Tarot."""
