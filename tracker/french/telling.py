"""What is told of a deal in sentences: on the page, and in the audit. Each function takes the language's code."""

from tracker.catalogue import msgid
from tracker.french.hand import FrenchHand
from tracker.french.handfuls import Handful
from tracker.french.pack import PACK
from tracker.french.result import HANDFULS, ResultEntered
from tracker.french.scoring import Count
from tracker.french.words import WORDS

_BOUTS = (msgid("no bout"), msgid("one bout"), msgid("two bouts"), msgid("three bouts"))
_VOID = {
    "passed": msgid("All passed: the hand does not count"),
    "petit_sec": msgid("{player} has the petit and no other trump: the hand does not count"),
    "annulled": msgid("The table annulled the hand: {reason}"),
}
_HANDFULS = {
    0: msgid("{player} shows an incomplete handful"),
    20: msgid("{player} shows a handful"),
    30: msgid("{player} shows a double handful"),
    40: msgid("{player} shows a triple handful"),
}
_BONUSES = {
    ("FT-PETIT-1", True): msgid("petit au bout"),
    ("FT-PETIT-1", False): msgid("petit au bout of the defence"),
    ("FT-PETIT-2", True): msgid("petit au bout"),
    ("FT-PETIT-2", False): msgid("petit au bout of the defence"),
    ("FT-HANDFUL-3", True): msgid("handful"),
    ("FT-HANDFUL-3", False): msgid("handful"),
    ("FT-SLAM-2", True): msgid("slam announced and made"),
    ("FT-SLAM-2", False): msgid("slam announced and missed"),
    ("FT-SLAM-3", True): msgid("slam"),
    ("FT-SLAM-4", False): msgid("slam of the defence"),
}
"""What is added to the mark, by its rule and whether the taker's side gets it."""
_EXCUSES = {
    "kept": msgid("{player} keeps the Excuse of trick {trick}, which the player's own side won"),
    "exchanged": msgid("{player} keeps the Excuse of trick {trick} and gives a low card for it"),
    "owed": msgid("{player} keeps the Excuse of trick {trick}; the side has no low card to give for it"),
    "lost": msgid("{player} played the Excuse to the last trick: it changes sides"),
    "open": msgid("{player} played the Excuse to trick {trick}"),
}


def halves_text(halves: int) -> str:
    """Points counted in halves: "40", "40½", "½"."""
    whole, half = divmod(halves, 2)
    return (str(whole) if whole or not half else "") + ("½" if half else "")


def contract_text(hand: FrenchHand, language: str) -> str:
    """The contract and who plays it: "Anna: garde, calls the king of hearts"; "" while none stands."""
    _ = WORDS.catalogue(language).gettext
    if hand.contract is None:
        return ""
    contract = WORDS.contract_name(hand.contract.name, language)
    said = _("{player}: {contract}").format(player=hand.taker, contract=contract)
    if hand.call.card is not None:
        said += ", " + _("calls {card}").format(card=WORDS.card_name(hand.call.card, language))
    if hand.slam:
        said += ", " + _("announces a slam")
    return said


def partner_text(hand: FrenchHand, language: str) -> str:
    """Who the partner is, or that the taker is alone, once it is known; else ""."""
    _ = WORDS.catalogue(language).gettext
    if hand.call.card is None:
        return ""
    card = WORDS.card_name(hand.call.card, language)
    if hand.call.partner is not None:
        return _("{player} is the partner, with {card}").format(player=hand.call.partner, card=card)
    own = any(play.player == hand.taker and play.card == hand.call.card for play in hand.plays)
    in_dog = hand.dog.turned is not None and bool(hand.dog.turned >> PACK.index[hand.call.card] & 1)
    if own or in_dog or hand.dog.aside is not None:
        return _("{player} is alone against four").format(player=hand.taker)
    return ""


def handful_text(hand: FrenchHand, handful: Handful, language: str) -> str:
    """A handful: "Bo shows a double handful (13 cards)", and that it does not count where it does not."""
    words = WORDS.catalogue(language)
    said = words.gettext(_HANDFULS[hand.worth_of(handful)]).format(player=handful.player)
    count = len(handful.cards)
    cards = words.ngettext("({count} card)", "({count} cards)", count).format(count=count)
    told = f"{said} {cards}"
    return told if hand.counts(handful) is not False else told + words.gettext(", it does not count")


def handfuls_in_result(hand: FrenchHand, language: str) -> list[str]:
    """The handfuls of a deal that is known by its result: "Bo shows a double handful"."""
    if not isinstance(hand.result, ResultEntered):
        return []
    said = WORDS.catalogue(language).gettext
    return [said(_HANDFULS[HANDFULS[size]]).format(player=player) for player, size in hand.result.handfuls]


def excuse_text(hand: FrenchHand, language: str) -> str:
    """What became of the Excuse; "" while it was not played."""
    excuse = hand.excuse
    if excuse is None:
        return ""
    said = WORDS.catalogue(language).gettext(_EXCUSES[excuse.state])
    return said.format(player=excuse.player, trick=excuse.trick)


def lacking(hand: FrenchHand, language: str) -> str:
    """What a deal that was played to its end still lacks, so that it is not scored; "" where nothing is missing."""
    if hand.void or hand.unseen_tricks or not hand.all_played:
        return ""
    return WORDS.lacking_text(hand.what_is_missing(), language)


def endings(hand: FrenchHand, language: str) -> list[str]:
    """How a deal that is over ended, in a sentence.

    "Anna: garde, two bouts, 45 points for 41, made by 4; petit au bout: +78 from each, +234".
    """
    words = WORDS.catalogue(language)
    if hand.void:
        sentence = _VOID[hand.void]
        return [words.gettext(sentence).format(player=hand.void_because, reason=hand.void_because)]
    outcome, contract = hand.outcome, hand.contract
    if outcome is None or contract is None:
        return []
    counted = outcome.counted
    names = " + ".join(name for name in (hand.taker, hand.call.partner) if name)
    said = words.gettext("{taker}: {contract}, {bouts}, {points} points for {needed}, {made}").format(
        taker=names,
        contract=WORDS.contract_name(contract.name, language),
        bouts=words.gettext(_BOUTS[counted.bouts]),
        points=halves_text(counted.halves["taker"]),
        needed=counted.needed,
        made=_made(counted, language),
    )
    mark = _mark_text(hand, language)
    bonuses = [(rule, points > 0) for rule, reason, points in outcome.lines if reason != "game"]
    if not bonuses:
        return [words.gettext("{result}: {mark}").format(result=said, mark=mark)]
    added = ", ".join(words.gettext(_BONUSES[bonus]) for bonus in dict.fromkeys(bonuses))
    return [words.gettext("{result}; {added}: {mark}").format(result=said, added=added, mark=mark)]


def _made(counted: Count, language: str) -> str:
    words = WORDS.catalogue(language)
    if not counted.difference:
        return words.gettext("just made")
    said = words.gettext("made by {points}") if counted.won else words.gettext("lost by {points}")
    return said.format(points=abs(counted.difference))


def _mark_text(hand: FrenchHand, language: str) -> str:
    """What each of the defence gives or gets, and what the taker's side gets: "+78 from each, +234"."""
    words = WORDS.catalogue(language)
    assert hand.outcome is not None
    mark, changes = hand.outcome.mark, hand.deal_changes
    said = words.gettext("{mark} to each, {side}") if mark < 0 else words.gettext("{mark} from each, {side}")
    if hand.call.partner is None:
        side = _signed(changes[hand.taker or ""])
    else:
        side = ", ".join(
            f"{name} {_signed(changes[name])}" for name in (hand.taker, hand.call.partner) if name
        )
    return said.format(mark=_signed(abs(mark)), side=side)


def _signed(points: int) -> str:
    return f"{points:+d}".replace("-", "−")


def deal_title(hand: FrenchHand, language: str) -> str:
    """A deal on the score sheet: "Garde: Anna + Carl"; a dash while no contract stands."""
    if hand.contract is None:
        return "–"
    name = WORDS.contract_name(hand.contract.name, language)
    names = " + ".join(name for name in (hand.taker, hand.call.partner) if name)
    said = WORDS.catalogue(language).gettext("{contract}: {players}")
    return said.format(contract=name[0].upper() + name[1:], players=names)
