"""What all games share: packs, trick play, events, findings, the ledger, the session file and the store."""
