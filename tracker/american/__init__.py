"""American Tarock: bids, calls and the Talon, eleven contracts and Klop, the score sheet, what can be known."""
