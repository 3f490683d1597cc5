"""What can go wrong with the eyes, said in one sentence."""


class VisionError(Exception):
    """A source, model or deck that cannot be used; the message says what and where, for the user."""


class CameraLost(VisionError):  # noqa: N818 - what happened, not what is wrong with the program
    """A camera that gave pictures and no longer does, worth opening again; or a recording of which a part is gone."""
