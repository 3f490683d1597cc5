"""The club's server: many tables report to it. It needs the `club` extra; no table loads it."""
