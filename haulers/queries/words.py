"""Small words of this room."""


def ended(words: str) -> str:
    """Words as a sentence ends them: one full stop, also after "a.m." or "L.L.C."."""
    return words if words.endswith(".") else f"{words}."
