"""The game: cards, events, rule sets, the replayed hand, findings, payments and the ledger."""
