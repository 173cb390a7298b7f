"""Commands other people's scripts may rely on (see README). The ``law`` commands are in office.law_commands."""

from flask import Flask


def register(app: Flask) -> None:
    """Add the office's commands to the app."""
