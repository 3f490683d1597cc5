"""What a user can do wrong towards the camera, said in one sentence."""


class VisionError(Exception):
    """A source, model or deck that cannot be used; the message says what and where, for the user."""
