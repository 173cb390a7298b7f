"""Counts in words for the rules: one gallon is a gallon, a thousand are gallons."""

from __future__ import annotations


def counted(count: int, word: str) -> str:
    """ "1 gallon", "1,500 gallons", "0 days"."""
    return f"{count:,} {word}{'' if count == 1 else 's'}"
