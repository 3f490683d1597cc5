"""The benchmarks behind `tarok bench`."""
