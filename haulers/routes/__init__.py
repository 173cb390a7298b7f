"""The pages of this room, by audience."""

from haulers.routes import application, clerk, committee, company, decide, director, drivers, public
from haulers.routes.base import bp

__all__ = ["application", "bp", "clerk", "committee", "company", "decide", "director", "drivers", "public"]
