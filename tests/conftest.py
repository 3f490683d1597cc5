"""How many examples hypothesis tries, and where the tests write."""

import os
import shutil
from pathlib import Path

from hypothesis import Phase, settings

# A disk takes milliseconds to store an event for good. Memory takes none, and no test cuts the power.
MEMORY = Path("/dev/shm")
if os.access(MEMORY, os.W_OK) and shutil.disk_usage(MEMORY).free > 2 * 1024**3:
    os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(MEMORY))

QUICK = settings(max_examples=20, deadline=None)
settings.register_profile("quick", QUICK)
settings.register_profile("thorough", QUICK, max_examples=1000)  # for a night
# A mutant needs one example that fails, not the smallest one; and the same ones each time.
FOUND = [Phase.explicit, Phase.generate]
settings.register_profile("mutants", QUICK, derandomize=True, database=None, phases=FOUND)
settings.load_profile("quick")
