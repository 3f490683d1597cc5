"""The two networks: where cards lie, and which card a crop shows."""
