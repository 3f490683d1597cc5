"""The eyes: camera, finder, identifier, table geometry, sightings and plays."""

import os

# ONNX Runtime reports to its maker unless told not to before it is imported. Every module of this package comes
# after this one, and the processes that it starts inherit it.
os.environ["ORT_DISABLE_TELEMETRY"] = "1"
