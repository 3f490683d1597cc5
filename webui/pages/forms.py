"""The fields of an entry at the table, read and checked. Each function raises EntryError with one sentence."""

import dataclasses
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any, Final

from flask import abort, request

from tracker.bidding import Bidding
from tracker.cards import CARDS, SUITS
from tracker.catalogue import msgid
from tracker.events import (
    CardPlayed,
    DealtAgain,
    OptionValue,
    PlayCorrected,
    PlayInserted,
    PlayRemoved,
    Recorded,
)
from tracker.hand import Hand
from tracker.open_questions import accused, open_flags
from tracker.renaming import called_now
from tracker.rule_sets import Rules
from tracker.session import Session
from tracker.tricks import Play
from tracker.undo import is_by_hand, standing
from webui.pages.common import EntryError, live, page, sight
from webui.pages.fields import choice, field, number, number_in, words
from webui.pages.typed_card import named_fool, typed_card
from webui.people.seats import is_name, places_enough, plain_name, sits_among
from webui.texts import language, text

PLAYABLE = (CardPlayed, PlayInserted)
_MEANWHILE: Final = msgid("Something else happened meanwhile. See whose card this is; it was not entered.")
_STALE: Final = msgid(
    "Something happened at the table since you opened this. See how it stands now, and try again; nothing was entered."
)


def option(rules: Rules, key: str) -> OptionValue:
    """The value of the field `key` for the rule of that name; it must be a value that the rule can have."""
    kind = next(item for item in dataclasses.fields(rules) if item.name == key)
    if kind.type in (bool, "bool"):
        return key in request.form
    if "one of" in kind.metadata:
        return choice(key, kind.metadata["one of"])
    return number(key, kind.metadata["from"], kind.metadata["to"])


def session() -> Session[Any, Any]:
    """The evening's session, which must be open."""
    return sight().session


def hand_on_table() -> Any:
    """The newest hand. Raises EntryError before the first."""
    hand = session().hand
    if hand is None:
        raise EntryError("Start a hand first.", 409)
    return hand


def player(name: str = "player", *, among: tuple[str, ...] | None = None) -> str:
    """The player in the field `name`, who must be `among` these (default: all at the table).

    Whoever was renamed since the form was drawn, when names had been corrected `renames` times, is still that player.
    """
    renamed = live().evening.renamed
    value = called_now(field(name), renamed[number_in("renames", request.form, len(renamed)) :])
    if value not in (session().seats if among is None else among):
        raise EntryError("Nobody at the table is called “{value}”.", value=value)
    return value


def card(value: str) -> str:
    """`value`, which must be a card's name."""
    if value not in CARDS:
        raise EntryError("“{value}” is not a card.", value=value)
    return value


def card_of_game(value: str) -> str:
    """`value`, which must be a card of the game's pack."""
    if card(value) not in session().pack.cards:
        name = page().game.words.card_name(value, language())
        raise EntryError("{card} is not among the cards of this game.", card=name)
    return value


def played_card(led: str | None = None) -> tuple[str, str | None]:
    """The card that was played, tapped or typed, and the suit that a fool was named with it.

    `led` is the suit led to its trick, "" if that is unknown; None means the trick on the table.
    """
    if request.form.get("card"):
        value, named = named_fool(field("card"))
        return card_of_game(value), named
    hand = session().hand
    if led is None and hand is not None and hand.trick is not None:
        led = hand.trick.suit
    value = field("typed")
    found = typed_card(value, led or None)
    if found is None:
        raise EntryError("“{value}” is not a card.", value=value)
    return card_of_game(found[0]), found[1]


def points_of(players: Sequence[str], most: int) -> tuple[tuple[str, int], ...]:
    """The points, 0 to `most`, of the `players` whose field is filled in."""
    fields = [(name, f"points_{place}") for place, name in enumerate(players)]
    return tuple((name, number(key, 0, most, name)) for name, key in fields if request.form.get(key))


def suit(value: str) -> str:
    """`value`, which must be a suit that the fool can be named."""
    if value not in (*SUITS, "T"):
        raise EntryError("“{value}” is not a suit.", value=value)
    return value


def new_name(value: str) -> str:
    """`value`, without needless spaces, as the name of somebody who is to play; "" for nobody."""
    name = plain_name(value)
    if name and not is_name(name):
        raise EntryError(
            "A name has 1 to 24 characters, no / among them, and is not “king”, “pagat” or “pot”."
        )
    return name


def person_name(value: str) -> str:
    """`value` as the name of somebody who sits down, written as in the evenings before: who is anna today is Anna."""
    name, people = new_name(value), live().kept.people()
    return name if name in people else next((one for one in people if sits_among(name, [one])), name)


def check_players(names: Sequence[str], players: tuple[int, int]) -> None:
    """Raise EntryError unless `names` are different, and as many as the fewest and the most `players` allow."""
    fewest, most = players
    if twice := next((name for place, name in enumerate(names) if sits_among(name, names[:place])), ""):
        raise EntryError("“{name}” is entered twice. Give each player a name of his own.", name=twice)
    if fewest == most != len(names):
        raise EntryError("Enter the names of all {count} players.", count=most)
    if not fewest <= len(names) <= most:
        raise EntryError("Enter the names of {fewest} to {most} players.", fewest=fewest, most=most)


def how_many_play(players: tuple[int, int]) -> str:
    """The sentence that says how many a game is for: the fewest and the most `players`."""
    fewest, most = players
    if fewest == most:
        return text("The game is for {count} players.", count=most)
    return text("The game is for {fewest} to {most} players.", fewest=fewest, most=most)


def check_places(sides: Mapping[str, str], names: Sequence[str] = ()) -> None:
    """Raise EntryError unless each player has room at his side of the picture, and all of `names` have a side."""
    if not places_enough(sides) or not set(names) <= sides.keys():
        raise EntryError(
            "One player sits at each side of the table. Only with five or six players do two share a side."
        )


def unchanged(now: str) -> None:
    """Refuse an entry from a dialog that was opened before things changed to `now`.

    The dialog's field `seen` says how things stood when it was opened, in the form of one of the functions below. A
    dialog for several players has one such field for each.
    """
    if now not in (request.form.getlist("seen") or [now]):
        raise EntryError(_STALE, 409)


def still_offered(name: str, offered: tuple[str, ...]) -> str:
    """The value of the field `name`, a button of a dialog; it must be among those `offered` now."""
    value = field(name)
    if value not in offered:
        raise EntryError(_STALE, 409)
    return value


def check_replaced(value: str, now: object) -> None:
    """Refuse a `value` for what is `now` said if the dialog showed another: two who say the same are both right."""
    if value != str(now):
        unchanged(str(now))


def hands_seen() -> str:
    """How many hands were dealt, and whether the last one is under way."""
    return f"{len(session().hands)} {session().under_way}"


def entries_seen(hand: Hand) -> str:
    """Which hand it is, how much was entered in it, and the number of the newest entry: it may replace an older one."""
    return f"{hand.number} {len(hand.entries)} {max((seq for _, seq in hand.entries), default=0)}"


def redeals_seen(hand: Hand | None) -> str:
    """Which hand it is and how often it was dealt again."""
    if hand is None:
        return ""
    return f"{hand.number} {sum(isinstance(event, DealtAgain) for event, _ in hand.entries)}"


def why() -> str:
    """The reason that was typed, which must be there."""
    reason = words("reason")
    if not reason:
        raise EntryError("Say why.")
    return reason


def fined_hand() -> Any:
    """The hand of a fine: the one that the dialog names, or else the newest; None before the first.

    The dialog names the hand, because the camera may have begun another one since. It must not have been undone.
    """
    if request.form.get("hand"):
        named = number("hand", 1, 10**9 - 1)
        if named > len(session().hands):
            raise EntryError(_STALE, 409)
        return session().hands[named - 1]
    return session().hand


def fined_flag(hand: Hand | None, who: str) -> str:
    """The name of the flag for which `who` is fined; "" for another reason.

    The flag must still stand. Without a flag, no fine may have been booked since the dialog was opened.
    """
    finding = request.form.get("finding", "")
    if not finding or hand is None:
        unchanged(fines_seen(hand))
        return finding
    flags = [hand.findings[place] for place in open_flags(hand)]
    if not any(one.name == finding and who in accused(one) for one in flags):
        raise EntryError(
            "That flag against {player} no longer stands, or its fine is given.", 409, player=who
        )
    return finding


def fines_seen(hand: Hand | None) -> str:
    """How many fines were booked for `hand`."""
    return str(len(hand.fines) if hand is not None else 0)


def likely_declarer(bidding: Bidding[Any]) -> str:
    """Who has bid highest so far; "" where nobody has, so that a person says who plays."""
    highest = bidding.highest()
    return highest[0] if highest is not None else ""


def chips_moved() -> Any:
    """The event of chips that the players move among themselves; in a game that has none there is no such page."""
    adjusted = session().kinds.by_key.get("adjust")
    if adjusted is None or not session().keeps_chips:
        abort(404)
    return adjusted


def adjustments_seen() -> str:
    """How many adjustments were booked."""
    return str(sum(payment.reason == "adjustment" for payment in session().payments))


def plays_seen(last: int | None = None) -> str:
    """Which evening and hand it is, and the number of the `last` play: without it, of the last one that counts."""
    hand = session().hand
    if last is None:
        last = hand.plays[-1].seq if hand is not None and hand.plays else 0
    return f"{live().evening.number} {len(session().hands)} {last}"


def corrected_by_hand(seq: int) -> Recorded | None:
    """The last correction of the play `seq` that a person entered and that stands."""
    for one in reversed(standing(live().recorded)):
        if isinstance(one.event, PlayCorrected) and one.event.seq == seq and is_by_hand(one.event):
            return one
    return None


def correction_seen(seq: int) -> str:
    """The number of the last correction of the play `seq` by a person, 0 for none. The camera's do not count."""
    last = corrected_by_hand(seq)
    return str(last.seq if last is not None else 0)


def played_meanwhile() -> Play | None:
    """The play that was booked after the last one that the sender of a card knew; None if he knows them all.

    He knew what his dialog showed, or the card whose token is in the field `after`, which may not be booked yet. Raises
    EntryError if that play is not on the table: nobody may learn of an earlier trick, and turns may have changed.
    """
    after = request.form.get("after")
    if after is not None:
        seq = live().evening.entered_as(after)
        known = plays_seen(seq) if seq is not None else ""
    else:
        known = request.form.get("seen", plays_seen())
    if known == plays_seen():
        return None
    hand = hand_on_table()
    plays: list[Play] = hand.plays
    for before, play in pairwise((None, *plays)):
        if known == plays_seen(before.seq if before is not None else 0) and play in hand.tricks[-1].plays:
            return play
    raise EntryError(_MEANWHILE, 409)


def check_said_again(play: Play) -> None:
    """Refuse a card that is another than `play`, which was booked meanwhile: two who say the same are both right."""
    trick = hand_on_table().tricks[-1]
    card, named = played_card((trick.suit or "") if play != trick.plays[0] else "")
    who = player() if request.form.get("player") else play.player
    if (who, card) != (play.player, play.card) or named not in (None, trick.named):
        raise EntryError(_MEANWHILE, 409)


def to_play() -> str:
    """The player whose turn it is to play a card."""
    hand = hand_on_table()
    player: str | None = hand.to_play
    if player is None:
        raise EntryError("The hand is over; nobody has a card to play.", 409)
    if hand.turn_in_doubt:
        raise EntryError(_MEANWHILE, 409)
    return player


def stored_play(seq: int) -> CardPlayed | PlayInserted:
    """The stored play with the number `seq`, which must not have been undone or removed."""
    stands = standing(live().recorded)
    event = next((record.event for record in stands if record.seq == seq), None)
    removed = any(isinstance(one.event, PlayRemoved) and one.event.seq == seq for one in stands)
    if not isinstance(event, PLAYABLE) or removed:
        known = any(one.seq == seq and isinstance(one.event, PLAYABLE) for one in live().recorded)
        raise EntryError("That play no longer exists.", 409 if known else 404)
    return event
