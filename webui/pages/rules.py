"""The rules we play by, and the form that makes a club's own."""

import dataclasses
from typing import Any
from urllib.parse import quote

from flask import Blueprint, Response, current_app, request

from tracker.games import ALL_RULE_SETS, game_of_rules, rule_set
from tracker.rule_sets import RuleError, Rules, checked_value, option_keys, rule_set_file_text
from tracker.rule_sets_text import rule_lines
from webui.pages import fields
from webui.pages.common import Answer, EntryError, live, render, sent_to
from webui.table.own_rule_sets import delete_own_rule_set, is_rule_set_name, own_rule_sets, save_own_rule_set
from webui.texts import language, text
from webui.view.option_rows import rule_row

blueprint = Blueprint("rules", __name__)


@blueprint.get("/rules")
def rules() -> str:
    """The page of the evening's rules, or of the rule set in the address."""
    shown, base = _asked()
    game, lang = game_of_rules(base.name), language()
    standard = {line.key: line.value for line in rule_lines(game, base, lang)}
    lines = rule_lines(game, shown, lang)
    return render(
        "dialogs/rules.html",
        title=game.words.rule_set_title(shown.name, lang),
        lines=[(line, standard[line.key] if standard[line.key] != line.value else "") for line in lines],
        source=game.words.rule_set_source(base.name, lang),
        base=game.words.rule_set_title(base.name, lang) if shown.name != base.name else "",
        name=shown.name,
        query=f"?set={quote(shown.name)}" if "set" in request.args else "",
        own=shown.name in own_rule_sets(live().rules_folder),
        sets=[(name, game_of_rules(name).words.rule_set_title(name, lang)) for name in ALL_RULE_SETS]
        + [(name, name) for name in own_rule_sets(live().rules_folder)],
    )


def _asked() -> tuple[Rules, Rules]:
    """The rule set in the address (or else the evening's, or else the proposed one), and its base."""
    wanted = request.args.get("set", "")
    if not wanted:
        session = live().session
        if session is not None:
            return session.rules, ALL_RULE_SETS[session.opened.rules]
        base, options = current_app.config["RULES"]
        return rule_set(base, options), ALL_RULE_SETS[base]
    if wanted in ALL_RULE_SETS:
        return ALL_RULE_SETS[wanted], ALL_RULE_SETS[wanted]
    try:
        base, options = own_rule_sets(live().rules_folder)[wanted]
    except KeyError:
        raise EntryError("There is no rule set of that name.", 404) from None
    return rule_set(base, options), ALL_RULE_SETS[base]


@blueprint.get("/rules/form")
def form() -> str:
    """The form of a club's own rule set, which is derived from another."""
    shown, base = _asked()
    game, lang = game_of_rules(base.name), language()
    return render(
        "dialogs/rules_form.html",
        base=base.name,
        base_title=game.words.rule_set_title(base.name, lang),
        name="" if shown.name in ALL_RULE_SETS else shown.name,
        fields=[
            rule_row(game, shown, field, lang)
            for field in dataclasses.fields(shown)
            if field.name in game.rule_lines
        ],
        bases=[(name, game_of_rules(name).words.rule_set_title(name, lang)) for name in ALL_RULE_SETS],
    )


def _rules_in_form() -> tuple[Rules, Rules]:
    """The rule set that the form describes, and its base. Raises EntryError."""
    base = ALL_RULE_SETS[fields.choice("base", tuple(ALL_RULE_SETS))]
    name = " ".join(fields.field("name").split())
    if not is_rule_set_name(name):
        raise EntryError("A rule set's name has at most 40 letters, digits, spaces and dashes.")
    values: dict[str, Any] = {"name": name}
    for key in option_keys(base):
        if key != "name" and key in request.form:
            value = fields.field(key)
            try:
                values[key] = checked_value(base, key, _field_value(value, getattr(base, key)))
            except RuleError:
                raise EntryError("“{value}” cannot be chosen here.", value=value) from None
    return dataclasses.replace(base, **values), base


def _field_value(value: str, like: object) -> object:
    """The value of a field, of the same type as `like`."""
    if isinstance(like, bool):
        return {"true": True, "false": False}.get(value, value)
    return int(value) if isinstance(like, int) and value.isascii() and value.isdecimal() else value


@blueprint.post("/rules")
def save() -> Answer:
    """Keep the club's rule set, so that an evening can be opened with it."""
    made, base = _rules_in_form()
    try:
        save_own_rule_set(live().rules_folder, base, made)
    except OSError as error:
        raise EntryError("The rules cannot be saved ({reason}).", 503, reason=error.strerror) from error
    return sent_to(f"/rules?set={made.name}")


@blueprint.get("/rules/file")
def file() -> Response:
    """A rule set as the TOML file that the commands take."""
    shown, base = _asked()
    headers = {"Content-Disposition": f"attachment; filename*=UTF-8''{quote(shown.name, safe='')}.toml"}
    return Response(rule_set_file_text(base, shown), mimetype="application/toml", headers=headers)


@blueprint.post("/rules/delete")
def delete() -> Answer:
    """Delete a club's rule set. Evenings keep the rules by which they were played."""
    name = fields.field("name")
    if name not in own_rule_sets(live().rules_folder):
        raise EntryError("There is no rule set of that name.", 404)
    fields.ask_first(
        text("The rule set {name} is deleted for good. Evenings played by it keep its rules.", name=name),
        text("Delete the rules"),
    )
    delete_own_rule_set(live().rules_folder, name)
    return sent_to("/rules")
