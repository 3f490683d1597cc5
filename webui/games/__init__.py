"""What the page shows of each game: one folder a game, and `pages`, which lists them."""
