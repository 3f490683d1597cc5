"""Training the networks, for which alone torch is needed, and fitting the tables of evidence."""

import os

# Set before ultralytics is imported: it must not send telemetry, install packages or download fonts.
os.environ.update(YOLO_OFFLINE="1", YOLO_AUTOINSTALL="false", WANDB_MODE="disabled", YOLO_VERBOSE="false")
