"""How well the eyes see: films and crops held against their truth."""
