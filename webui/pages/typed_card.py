"""Cards as they are typed: `t12`, `hd` or `hq`, `rk` (ruder konge), `7` to the suit led, `fh` (fool, named hearts)."""

from typing import Final

from tracker.cards import CARDS, FOOL, SUITS, TRUMP

# English and Danish letters; ruder are diamonds and klør are clubs.
_SUITS: Final = {"s": "S", "h": "H", "d": "D", "r": "D", "c": "C", "k": "C", "t": TRUMP}
_SIGNS: Final = {"♠": "s", "♥": "h", "♦": "d", "♣": "c"}
_RANKS: Final = {
    "r": "R", "k": "R", "konge": "R", "king": "R",
    "d": "D", "q": "D", "dame": "D", "queen": "D",
    "c": "C", "n": "C", "ka": "C", "kaval": "C", "knight": "C",
    "v": "V", "j": "V", "b": "V", "kn": "V", "knægt": "V", "jack": "V",
}  # fmt: skip
_NAMES: Final = {
    "f": FOOL, "0": FOOL, "skus": FOOL, "skusen": FOOL, "sciesen": FOOL, "fool": FOOL,
    "p": "T1", "pagat": "T1", "pagaten": "T1", "m": "T21", "mondo": "T21",
}  # fmt: skip


def typed_card(words: str, led: str | None) -> tuple[str, str | None] | None:
    """The card that somebody typed, and the suit that a fool was named; None if the words are no card.

    A rank alone is of the suit `led`; a number above 10 alone is a trump.
    """
    word = "".join(_SIGNS.get(letter, letter) for letter in words.lower() if not letter.isspace())
    if word in _NAMES:
        return _NAMES[word], None
    if word[:1] == "f" and word[1:] in _SUITS:
        return FOOL, _SUITS[word[1:]]
    tries = [(_SUITS.get(word[:1]), word[1:]), (led, word)]
    if word.isdecimal() and len(word) == 2:
        tries.append((TRUMP, word))
    if len(word) > 1 and word in _RANKS:
        tries.insert(0, (led, word))  # kn is a knægt, and not klør with an n
    for suit, rank in tries:
        card = f"{suit}{rank if suit == TRUMP else _RANKS.get(rank, rank)}"
        if suit is not None and card in CARDS:
            return card, None
    return None


def named_fool(value: str) -> tuple[str, str | None]:
    """The card of a button's value, and the suit that a fool is named by it: `FS` is the fool, named spades."""
    if value[:1] == FOOL and value[1:] in (*SUITS, TRUMP):
        return FOOL, value[1:]
    return value, None
