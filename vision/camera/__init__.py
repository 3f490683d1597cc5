"""The camera: frames and their times, read in a process of its own."""
