"""What a card says of the hand that it comes from (FT-CLAIM-1), and so which cards may be played."""

from tracker.french.pack import EXCUSE_BIT, PACK, TRUMPS


def claims_of(place: int, table: int, led: str, small: int) -> list[tuple[str, int]]:
    """What the card `place`, played to the cards `table` of a trick, says.

    Each is a kind and the cards that its player says he does not hold. `led` is the suit led, `small` the cards of the
    suit called that must not be led now.
    """
    letter, bit = PACK.letter[place], 1 << place
    if bit == EXCUSE_BIT:
        return []  # FT-EXCUSE-1: "It may be played to any trick"
    if not table:
        # FT-PLAY-2: "Any card may be led (but FT-5-4)."
        return [("called_suit_led", PACK.all_cards & ~small)] if bit & small else []
    if table == EXCUSE_BIT:
        return []  # FT-EXCUSE-2: it is the suit led
    said = []  # FT-PLAY-5: "In a suit there is no duty to beat."
    if letter != led:
        # FT-PLAY-3: "Follow suit if you can …. Else play a trump if you have one."
        said.append(("revoke", PACK.denied(led, letter)))
    above = table & TRUMPS
    if bit & TRUMPS and above > bit:
        # FT-PLAY-4: he must go over the highest trump in the trick if he can.
        said.append(("under_trump", TRUMPS >> above.bit_length() << above.bit_length()))
    return [(kind, mask) for kind, mask in said if mask]
