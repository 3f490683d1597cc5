"""The page of American Tarock."""
