"""The money pages: the clerk's and the hauler's."""

from billing.routes import clerk, documents, hauler, payments
from billing.routes.base import bp

__all__ = ["bp", "clerk", "documents", "hauler", "payments"]
