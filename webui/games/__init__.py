"""What the page shows of each game: a folder for each game, and `pages`, which lists them."""
