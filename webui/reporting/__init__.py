"""What a table tells the club that its host joined."""
