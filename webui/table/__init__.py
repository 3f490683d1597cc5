"""The evening at the table: its events, its files, and how it is begun, resumed and kept."""
