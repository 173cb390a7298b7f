"""Small help with sentences."""


def sentence(words: str) -> str:
    """Words with one full stop at the end: times end in "a.m." already."""
    return words if words.endswith(".") else f"{words}."
