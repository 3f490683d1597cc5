"""Measuring what the eyes read: recordings, stills and crops are compared with their ground truth."""
