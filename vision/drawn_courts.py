"""x."""
from vision.drawn_glyphs import lettering, suit_sign, INK,RED,GOLD,BLUE,GREEN
def court_half(suit: str, rank: str) -> str:
    ink = RED if suit in "HD" else INK
    col={"V":GREEN,"C":GOLD,"D":RED,"R":BLUE}[rank]
    h=f'<rect x="120" y="60" width="370" height="500" fill="{col}" opacity=".35"/>'+lettering(rank,305,420,260,ink)+suit_sign(suit,190,140,110,ink)
    return h+f'<g transform="rotate(180 305 560)">{h}</g>'
def fool_half() -> str:
    h=suit_sign("*",305,330,330,RED)+f'<circle cx="305" cy="330" r="60" fill="{GOLD}"/>'
    return h+f'<g transform="rotate(180 305 560)">{h}</g>'
