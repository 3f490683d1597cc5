"""x."""
from vision.drawn_glyphs import lettering, suit_sign, INK,RED,GOLD,BLUE,GREEN,SKY,CREAM
def trump_scene(v: int) -> str:
    c=[RED,GOLD,BLUE,GREEN,SKY,CREAM][v%6];d=[BLUE,GREEN,INK,RED,RED,BLUE,GOLD][v%7]
    import math
    h=f'<rect x="40" y="220" width="530" height="340" fill="{c}"/>'
    for k in range(v):
        a=math.pi*(k+.5)/v
        h+=f'<circle cx="{305-200*math.cos(a):.1f}" cy="{540-200*math.sin(a):.1f}" r="20" fill="{d}"/>'
    h+=lettering(str(v),110,180,120,INK)+lettering(str(v),500,180,120,INK)
    return h+f'<g transform="rotate(180 305 560)">{h}</g>'
