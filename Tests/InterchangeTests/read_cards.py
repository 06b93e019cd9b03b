"""Reads the cards of an address book on the input with a library, and prints what it found as JSON."""

import json
import sys

import vobject

cards = []
for card in vobject.readComponents(sys.stdin.buffer.read().decode()):
    found = {}
    for name in ["fn", "title", "role", "tel", "email", "note", "uid", "version"]:
        found[name] = getattr(card, name).value if hasattr(card, name) else ""
    if hasattr(card, "adr"):
        found["street"], found["city"], found["code"] = card.adr.value.street, card.adr.value.city, card.adr.value.code
        found["label"] = card.adr.params.get("LABEL", [""])[0]
    cards.append(found)
print(json.dumps(cards))
