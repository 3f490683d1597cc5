"""What a user can hand to the tracker that is not a game, said in one sentence."""


class TarokError(Exception):
    """Malformed input; the message says what and where, for the user."""
