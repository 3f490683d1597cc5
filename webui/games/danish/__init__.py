"""The page of Danish Tarok."""
