"""The money pages: the clerk's and the hauler's."""

from billing.routes import clerk, documents, hauler, payments
from billing.routes.base import bp
from office.access import Role
from office.web import Link

__all__ = ["HOMES", "LINKS", "bp", "clerk", "documents", "hauler", "payments"]

LINKS = [
    Link(Role.CLERK, "Ledger", "billing.ledger"),
    Link(Role.CLERK, "Invoices", "billing.invoices"),
    Link(Role.HAULER, "Money", "billing.money"),
]
HOMES: dict[Role, str] = {}
