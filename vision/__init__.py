"""The eyes: camera, finder, identifier, table geometry, sightings and plays."""

import os

# ONNX Runtime sends telemetry unless this is set before it is imported. This module is imported before every other
# of the package, and child processes inherit the variable.
os.environ["ORT_DISABLE_TELEMETRY"] = "1"
