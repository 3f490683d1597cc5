"""French Tarot: bids, a dog, handfuls and a score sheet; 3 to 5 players."""
