"""What the tests of the eyes share."""

import opened_once  # noqa: F401 - before anything that opens a network
