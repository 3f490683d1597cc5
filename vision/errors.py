"""Errors of the eyes."""


class VisionError(Exception):
    """A source, model or deck cannot be used; the message tells the user in one sentence what and where."""


class CameraLost(VisionError):  # noqa: N818 - an event, not an error of the program
    """A camera has stopped sending pictures and may be opened again, or a part of a recording is missing."""
