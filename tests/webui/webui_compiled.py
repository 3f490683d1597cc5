"""Nearly every test makes an app. Its routes and templates are compiled once for all of them.

Each app for itself takes a tenth of a second for the routes, and more for the templates of a page.
"""

from typing import Any, ClassVar

from flask import Flask
from jinja2.bccache import Bucket, BytecodeCache
from werkzeug.routing import Rule


class RememberedRule(Rule):
    """A route that is compiled as the same route of an earlier app was."""

    _compiled: ClassVar[dict[object, Any]] = {}

    def compile(self) -> None:
        key = (self.rule, self.subdomain, self.host, repr(self.defaults))
        if key not in self._compiled:
            super().compile()
            builders = (self._build.__func__, self._build_unknown.__func__)  # type: ignore[attr-defined]
            self._compiled[key] = (self._parts, self._trace, self._converters, self.arguments, builders)
            return
        self._parts, self._trace, self._converters, self.arguments, builders = self._compiled[key]
        self._build, self._build_unknown = (builder.__get__(self, None) for builder in builders)


class RememberedTemplates(BytecodeCache):
    """The code of every template that was compiled, by its file and what stands in it."""

    _compiled: ClassVar[dict[object, Any]] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        bucket.code = self._compiled.get((bucket.key, bucket.checksum))

    def dump_bytecode(self, bucket: Bucket) -> None:
        self._compiled[bucket.key, bucket.checksum] = bucket.code


Flask.url_rule_class = RememberedRule
Flask.jinja_options = {"bytecode_cache": RememberedTemplates()}
