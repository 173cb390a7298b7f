"""The money pages: the clerk's and the hauler's."""

from billing.routes import (
    changes,
    clerk,
    damages,
    disputes,
    documents,
    exports,
    hauler,
    holds,
    laws,
    payments,
    reports,
    rises,
    statements,
)
from billing.routes.base import bp

__all__ = [
    "bp", "changes", "clerk", "damages", "disputes", "documents", "exports", "hauler", "holds", "laws", "payments",
    "reports", "rises", "statements",
]  # fmt: skip
