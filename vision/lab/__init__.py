"""The laboratory beside the eyes: rendering, training, tracing and bench. None of it runs at a table."""
