"""The pages of the club's server, a blueprint each."""
