"""Small help with sentences."""


def sentence(words: str) -> str:
    """Words with one full stop at the end: times end in "a.m." already."""
    return words if words.endswith(".") else f"{words}."


def one_line(words: str) -> str:
    """What was written in several lines as one: each line of a load's note says one thing that was done."""
    return " ".join(words.split())
