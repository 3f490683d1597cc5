"""The program's version: here alone, and read from here when a wheel is built."""

VERSION = "0.1.0"
