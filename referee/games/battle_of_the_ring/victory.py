"""The ways to win with the Ring."""

from __future__ import annotations

from referee.games.battle_of_the_ring.state import RingGame


def check_victory(game: RingGame) -> None:
    """End the game if the Ring is where its owner wants it, or in the fire (BR-5 to BR-8)."""
    owner, where = game.ring_owner, game.ring_hex
    if where == "mount-doom":
        game.win("alliance", "ring-destroyed", "the Ring is destroyed in Mount Doom", "BR-7")
    elif where == "barad-dur" and game.players == 2 and owner != "alliance":
        game.win("evil", "ring-in-barad-dur", "the Ring is in Barad-dûr", "BR-8")
    elif where == "barad-dur" and owner == "sauron":
        game.win("sauron", "ring-in-barad-dur", "the Ring is in Barad-dûr", "BR-5")
    elif where == "isengard" and owner == "saruman" and game.players == 3:
        game.win("saruman", "ring-in-isengard", "the Ring is in Isengard", "BR-6")
