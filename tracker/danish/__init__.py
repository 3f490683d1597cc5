"""Danish Tarok: its pack, events, declarations, hand, rule sets, settlement, audit, and what can be known."""
