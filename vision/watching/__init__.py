"""What runs at the table: frames in, cards and plays out."""
