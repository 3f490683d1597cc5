"""How many examples hypothesis tries of each property: `--hypothesis-profile=thorough` is for a night."""

from hypothesis import Phase, settings

QUICK = settings(max_examples=20, deadline=None)
settings.register_profile("quick", QUICK)
settings.register_profile("thorough", QUICK, max_examples=1000)
# A mutant needs one example that fails, not the smallest one; and the same ones each time.
FOUND = [Phase.explicit, Phase.generate]
settings.register_profile("mutants", QUICK, derandomize=True, database=None, phases=FOUND)
settings.load_profile("quick")
