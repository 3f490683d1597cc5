"""The pages of the club's server, one blueprint each."""
