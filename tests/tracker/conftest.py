"""A test that carries a rule's mark runs the code beside which the rule stands, or it fails.

Of a test with several cases one is enough: a deal made by chance need not come to what the rule is about.
"""

import sys
from collections.abc import Generator

import pytest
from tracker_rules_table import NOT_THE_ENGINES, Waiting

WAITING = pytest.StashKey[dict[str, Waiting]]()
CASES = pytest.StashKey[dict[str, list[pytest.Item]]]()


def pytest_collection_finish(session: pytest.Session) -> None:
    """Note the cases of each test."""
    cases = session.stash.setdefault(CASES, {})
    for item in session.items:
        cases.setdefault(item.nodeid.split("[")[0], []).append(item)


@pytest.hookimpl(wrapper=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> Generator[None, object, object]:
    """Run the test and see what it runs; after the last of its cases say what none of them ran."""
    if sys.gettrace() is not None:  # a debugger, or coverage
        return (yield)
    rules = {mark.args[0] for mark in pyfuncitem.iter_markers("rule")} - NOT_THE_ENGINES.keys()
    if not rules:
        return (yield)
    name = pyfuncitem.nodeid.split("[")[0]
    waiting = pyfuncitem.session.stash.setdefault(WAITING, {}).setdefault(name, Waiting(rules))
    if waiting.rules:
        sys.settrace(waiting)
    try:
        result = yield
    finally:
        sys.settrace(None)
    cases = pyfuncitem.session.stash[CASES][name]
    one_of_many = len(cases) == 1 and "[" in pyfuncitem.nodeid
    if pyfuncitem is cases[-1] and not one_of_many:
        assert not waiting.rules, f"marked with {', '.join(sorted(waiting.rules))}, but runs no line of it"
    return result
