"""The pictures of the evening: of each play, of a correction, of the hand under way."""
