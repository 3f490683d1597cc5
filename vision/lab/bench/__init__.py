"""Benchmarks: recordings and crops against their ground truth."""
