"""How phones join: the code to scan, its link, and what is wrong if none can."""

import sys
from dataclasses import dataclass, field, replace
from typing import Final

import segno
from markupsafe import Markup

from tracker.catalogue import msgid
from webui.app_parts import app_parts
from webui.people.roles import Role
from webui.texts import text

TROUBLES: Final = {
    "only_here": msgid("The program listens to this computer alone, so phones cannot join."),
    "no_network": msgid(
        "This computer is on no network. Connect it to the same Wi-Fi as the phones, or let it open a hotspot."
    ),
    "firewall": msgid(
        "No phone has come through yet, though other machines are heard on this network: a firewall on this "
        "computer seems to stop them."
    ),
    "apart": msgid(
        "No phone has come through yet, and no other machine is heard: this Wi-Fi seems to keep its guests apart. "
        "Use another network, or let this computer or a phone open a hotspot and join that."
    ),
    "unknown": msgid(
        "No phone has come through yet. Either a firewall on this computer stops them, or the Wi-Fi keeps its "
        "guests apart; then let this computer or a phone open a hotspot and join that."
    ),
}
"""Why no phone comes, by `Network.trouble`."""
FIREWALLS: Final = {
    "win32": msgid(
        "Windows asks once whether Python may be reached: allow it on private networks. Later it is set under "
        "“Allow an app through Windows Firewall”."
    ),
    "darwin": msgid(
        "macOS asks once whether Python may accept incoming connections: allow it. Later it is set under "
        "System Settings, Network, Firewall."
    ),
    "linux": msgid(
        "With ufw: sudo ufw allow {port}/tcp. With firewalld: sudo firewall-cmd --add-port={port}/tcp."
    ),
}
"""How one lets phones through the firewall, by system."""


@dataclass(frozen=True)
class Invite:
    """The invitation on the screen: `link`, and `code` (SVG) to scan it; both empty if no phone can come.

    `base` is the address for people to read, `others` are further ones. `trouble` says why no phone comes, `advice`
    what to do about a firewall, `sleepy` that the system may fall asleep. `joined` counts the phones.
    """

    link: str = ""
    code: Markup = field(default=Markup(""))
    base: str = ""
    others: tuple[str, ...] = ()
    joined: int = 0
    trouble: str = ""
    advice: str = ""
    sleepy: str = ""


def build_invite() -> Invite:
    """The invitation of the running application."""
    network, phones = app_parts().network, app_parts().phones
    links = network.links()
    trouble = network.trouble()
    port = links[0].rpartition(":")[2] if links else ""
    sleepy = text("This computer may fall asleep by itself: switch that off in its settings for the evening.")
    invite = Invite(
        joined=sum(phone.role is not Role.HOST for phone in phones.all()),
        trouble=text(TROUBLES[trouble]) if trouble else "",
        advice=text(FIREWALLS.get(sys.platform, FIREWALLS["linux"]), port=port)
        if trouble in ("firewall", "unknown")
        else "",
        sleepy=sleepy if network.awake.held is False else "",
    )
    if not links:
        return invite
    link = f"{links[0]}/invitation/{phones.invitation()}"
    code = Markup(segno.make(link, error="m", micro=False).svg_inline(border=2, omitsize=True))
    return replace(invite, link=link, code=code, base=links[0], others=tuple(links[1:]))


def moved_text() -> str:
    """The sentence that the laptop's address changed lately, with the new one; "" if it did not change."""
    network = app_parts().network
    links = network.links()
    if not (network.moved_lately and links):
        return ""
    return text(
        "The computer's address has changed: it is {link} now. A phone that loses the connection scans the code again.",
        link=links[0],
    )
