"""What is told of a round in sentences: on the page, and in the audit. Each function takes the language's code."""

from tracker.american.contracts import KLOP
from tracker.american.entering import missing_vitamins
from tracker.american.hand import PLAYS, AmericanHand
from tracker.american.pack import CALLABLE_KINGS
from tracker.american.words import WORDS


def call_text(call: str, language: str) -> str:
    """What is called: a king, a card of the Trula, or the fourth king."""
    if call == "fourth":
        return WORDS.catalogue(language).gettext("the fourth king")
    return WORDS.card_name(CALLABLE_KINGS.get(call, call), language)


def game_text(hand: AmericanHand, language: str) -> str:
    """The game and who plays it: "Anna plays Two, calls the king of hearts"; "" while none stands."""
    _ = WORDS.catalogue(language).gettext
    contract = hand.contract
    if contract is None:
        return ""
    said = WORDS.game_name(contract.name, language)
    if hand.declarer is None:
        return said
    said = _("{player} plays {game}").format(player=hand.declarer, game=said)
    if hand.bidding.raised_from is not None:
        return (
            said
            + ", "
            + _("raised from {game}").format(game=WORDS.game_name(hand.bidding.raised_from.name, language))
        )
    if hand.call.said is not None:
        said += ", " + _("calls {card}").format(card=call_text(hand.call.said, language))
    return said


def _last_dealer(hand: AmericanHand, language: str) -> str:
    """AT-END-1: the last dealer, known before this round, and how many rounds follow it."""
    said = WORDS.catalogue(language)
    left = hand.rounds_left
    if not left:
        return said.gettext("This is the last hand: {player} is the last dealer").format(
            player=hand.last_dealer
        )
    rounds = said.ngettext("{count} hand after this", "{count} hands after this", left).format(count=left)
    return said.gettext("The last dealer is {player}").format(player=hand.last_dealer) + ", " + rounds


def announced_before(hand: AmericanHand, language: str) -> list[str]:
    """What everybody must know of a round before it is played: a compulsory Klop, Skeench-a-tola, the last dealer."""
    _ = WORDS.catalogue(language).gettext
    said = []
    if hand.compulsory:
        said.append(_("Compulsory Klop: bids begin at Solo No-Peek"))
    if hand.last_dealer is not None:
        said.append(_last_dealer(hand, language))
    elif hand.skeench_round:
        said.append(_("Skeench-a-tola: whoever ends up with the Skeench will be the last dealer"))
    return said


def lacking(hand: AmericanHand, language: str) -> str:
    """What a round that was played to its end still lacks, so that it is not scored; "" where nothing is missing."""
    said = WORDS.catalogue(language)
    if len(hand.plays) < PLAYS or hand.outcome is not None:
        return ""
    if tricks := missing_vitamins(hand):
        return said.ngettext(
            "The vitamin of trick {tricks} is missing: the hand is not scored before it is entered",
            "The vitamins of the tricks {tricks} are missing: the hand is not scored before they are entered",
            len(tricks),
        ).format(tricks=WORDS.listed([str(number) for number in tricks], language))
    return WORDS.lacking_text(hand.what_is_missing(), language)


def endings(hand: AmericanHand, language: str) -> list[str]:
    """How a round that is over ended, and what it means for the next."""
    _ = WORDS.catalogue(language).gettext
    said = _outcome(hand, language)
    if hand.reached_zero:
        names = WORDS.listed(hand.reached_zero, language)
        said.append(
            _("{players} came to exactly zero: the next hand is a compulsory Klop").format(players=names)
        )
    if hand.rounds_left == 0:
        said.append(_("That was the last hand: {player} was the last dealer").format(player=hand.last_dealer))
    elif hand.skeench_round and hand.last_dealer is None:
        last = hand.skeench_to()
        said.append(
            _("{player} has the Skeench and will be the last dealer").format(player=last)
            if last
            else _("Nobody has the Skeench: the next hand is Skeench-a-tola too")
        )
    return said


def _outcome(hand: AmericanHand, language: str) -> list[str]:
    _ = WORDS.catalogue(language).gettext
    outcome, contract = hand.outcome, hand.contract
    if outcome is None or contract is None:
        return []
    if contract is KLOP:
        return _klop_outcome(hand, language)
    said = _("{player} wins {game}") if outcome.won else _("{player} loses {game}")
    said = said.format(player=hand.declarer, game=WORDS.game_name(contract.name, language))
    if outcome.points is not None:
        said += " " + _("with {points} points").format(points=outcome.points["declarer"])
    return [said]


def _klop_outcome(hand: AmericanHand, language: str) -> list[str]:
    _ = WORDS.catalogue(language).gettext
    whole = [score for score in hand.scores if score.rule in ("AT-KLOP-3", "AT-KLOP-4")]
    if not whole:
        return [_("Klop: each loses the points that he took")]
    won, lost = (_("{player} took no trick and wins 70"), _("{player} took more than 35 points and loses 70"))
    return [(won if score.points > 0 else lost).format(player=score.player) for score in whole]


def round_title(hand: AmericanHand, language: str) -> str:
    """A round on the score sheet: "Three: Anna + Carl"; a dash while no game stands."""
    if hand.contract is None:
        return "–"
    names = [name for name in (hand.declarer, hand.call.partner) if name]
    game = WORDS.game_name(hand.contract.name, language)
    return WORDS.catalogue(language).gettext(": ").join((game, " + ".join(names))) if names else game
