"""Danish Tarok: declarations, the fool, settlement, rule sets, what can be known, and its events."""
